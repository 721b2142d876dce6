import { SearchX } from 'lucide-react';
import { EmptyState } from '../../ui/empty-state.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { StatusPill } from '../../ui/status-pill.tsx';
import { statusPill } from './job-filter.ts';

/** What stands where a job has nothing. */
export const UNASSIGNED = 'Unassigned';
export const NOT_SCHEDULED = 'Not scheduled';

/** The main category first. */
export const categoryNames = (categories: readonly { name: string }[]) => categories.map(({ name }) => name).join(', ') || 'Uncategorized';

export function JobStatusPill({ status }: { status: string }) {
  return <StatusPill {...statusPill(status)} />;
}

interface AssignedToProps {
  staff: { name: string; hex_code: string | null } | null;
  /** A long name gets more lines instead of being cut. */
  wraps?: boolean;
  /** Follows the name. */
  detail?: string;
}

/** A person's color beside their name. */
export function AssignedTo({ staff, wraps = false, detail = '' }: AssignedToProps) {
  if (!staff) return `${UNASSIGNED}${detail}`;
  return (
    <span className="flex items-center gap-2">
      <span
        aria-hidden="true"
        className="h-4 w-1 shrink-0 rounded-full bg-line-strong"
        style={staff.hex_code ? { backgroundColor: staff.hex_code } : {}}
      />
      <span className={wraps ? 'min-w-0 [overflow-wrap:anywhere]' : 'truncate'}>{`${staff.name}${detail}`}</span>
    </span>
  );
}

export function JobNotFound() {
  return (
    <EmptyState
      icon={SearchX}
      sentence="Job not found"
      alone
      hint="It may have been deleted, or the link is incomplete."
      action={<LinkButton to="/jobs">All jobs</LinkButton>}
    />
  );
}
