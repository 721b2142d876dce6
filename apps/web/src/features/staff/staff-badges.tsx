import type { StaffMember } from '@callout/contract/staff';
import { ROLES, type Role } from '@callout/domain/roles/roles';
import { Avatar } from '../../ui/avatar.tsx';
import { type PillTone, StatusPill } from '../../ui/status-pill.tsx';

/** Shows the member's picture, or their initial on their color. */
export function StaffAvatar({ member, className }: { member: Pick<StaffMember, 'name' | 'avatar_url' | 'color'>; className?: string }) {
  return <Avatar name={member.name} src={member.avatar_url} color={member.color?.hex_code} className={className} />;
}

const STATUS_PILLS: Record<Exclude<StaffMember['status'], 'active'>, { tone: PillTone; text: string }> = {
  invited: { tone: 'info', text: 'Invited' },
  expired: { tone: 'warn', text: 'Invitation expired' },
  uninvited: { tone: 'neutral', text: 'Not invited' },
};
const NOT_DELIVERED_PILL = { tone: 'danger', text: 'Not delivered' } as const;

/** Shows the invitation's status. Renders nothing for members who have joined. */
export function StaffStatusPill({ member: { status, delivery } }: { member: Pick<StaffMember, 'status' | 'delivery'> }) {
  if (status === 'active') return null;
  return status === 'invited' && delivery === 'failed' ? <StatusPill {...NOT_DELIVERED_PILL} /> : <StatusPill {...STATUS_PILLS[status]} />;
}

export const ROLE_LABELS: Record<Role, string> = { admin: 'Admin', manager: 'Manager', accountant: 'Accountant', staff: 'Staff' };

const ROLE_HINTS: Record<Role, string> = {
  admin: 'Can do everything, including staff and company settings.',
  manager: 'Manages the work: can edit and delete jobs, customers and quotes, and manage payments, items and categories.',
  accountant: "Does the books: quotes, items, payments and costs. Can't delete jobs, customers or quotes.",
  staff: 'Does the work: jobs, timer, tasks, customers. Can see quotes, but not costs or payments.',
};

/** Keep the roles' hints in sync with the capabilities in `domain/roles`. */
export const ROLE_CHOICES = ROLES.map((value) => ({ value, label: ROLE_LABELS[value], hint: ROLE_HINTS[value] }));
