import type { StaffMember } from '@callout/contract/staff';
import { Avatar } from '../../ui/avatar.tsx';
import { onColor } from '../../ui/on-color.ts';

type Pictured = Pick<StaffMember, 'name' | 'avatar_url' | 'color'>;

/** The member's picture, or their initial on their colour. */
export function StaffAvatar({ member, className }: { member: Pictured; className?: string }) {
  return (
    <Avatar
      name={member.name}
      src={member.avatar_url}
      style={member.color ? onColor(member.color.hex_code) : undefined}
      className={className}
    />
  );
}
