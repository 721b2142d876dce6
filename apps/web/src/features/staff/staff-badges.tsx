import type { StaffMember } from '@callout/contract/staff';
import { Avatar } from '../../ui/avatar.tsx';
import { onColor } from '../../ui/color-field.tsx';
import { type PillTone, StatusPill } from '../../ui/status-pill.tsx';

/** The member's picture, or their initial on their color. */
export function StaffAvatar({ member, className }: { member: Pick<StaffMember, 'name' | 'avatar_url' | 'color'>; className?: string }) {
  return (
    <Avatar
      name={member.name}
      src={member.avatar_url}
      style={member.color ? onColor(member.color.hex_code) : undefined}
      className={className}
    />
  );
}

const PILLS: Record<Exclude<StaffMember['status'], 'active'>, { tone: PillTone; text: string }> = {
  invited: { tone: 'info', text: 'Invited' },
  expired: { tone: 'warn', text: 'Invitation expired' },
  uninvited: { tone: 'neutral', text: 'Not invited' },
};

/** Only who has not joined yet is marked. */
export function StaffStatusPill({ status }: { status: StaffMember['status'] }) {
  return status === 'active' ? null : <StatusPill {...PILLS[status]} />;
}
