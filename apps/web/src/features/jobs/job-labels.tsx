import { SearchX } from 'lucide-react';
import { EmptyState } from '../../ui/empty-state.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { StatusPill } from '../../ui/status-pill.tsx';
import { getJobStatusPill } from './job-list-filter.ts';

export const UNASSIGNED_LABEL = 'Unassigned';
export const NOT_SCHEDULED_LABEL = 'Not scheduled';

export const formatCategoryNames = (categories: readonly { name: string }[]) =>
  categories.map(({ name }) => name).join(', ') || 'Uncategorized';

export function JobStatusPill({ status }: { status: string }) {
  return <StatusPill {...getJobStatusPill(status)} />;
}

interface AssignedStaffProps {
  staff: { name: string; hex_code: string | null } | null;
  /** True to wrap a long name instead of truncating it. */
  wraps?: boolean;
  detail?: string;
}

export function AssignedStaff({ staff, wraps = false, detail = '' }: AssignedStaffProps) {
  if (!staff) return `${UNASSIGNED_LABEL}${detail}`;
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
      message="Job not found"
      isHeading
      hint="It may have been deleted, or the link is incomplete."
      action={<LinkButton to="/jobs">All jobs</LinkButton>}
    />
  );
}
