import type { StaffMember } from '@callout/contract/staff';
import { type PillTone, StatusPill } from '../../ui/status-pill.tsx';

const PILLS: Record<Exclude<StaffMember['status'], 'active'>, { tone: PillTone; text: string }> = {
  invited: { tone: 'info', text: 'Invited' },
  expired: { tone: 'warn', text: 'Invitation expired' },
  uninvited: { tone: 'neutral', text: 'Not invited' },
};

/** Only who has not joined yet is marked. */
export function StaffStatusPill({ status }: { status: StaffMember['status'] }) {
  return status === 'active' ? null : <StatusPill {...PILLS[status]} />;
}
