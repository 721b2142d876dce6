import type { StaffMember } from '@callout/contract/staff';
import { formatHourlyRate } from '@callout/domain/money/money-text';
import { Link } from '@tanstack/react-router';
import { Trash2 } from 'lucide-react';
import { IconButton } from '../../ui/button.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { useMe, useProfile } from '../company/company.api.ts';
import { ROLE_LABELS } from './role-choices.ts';
import { StaffAvatar } from './staff-avatar.tsx';
import { StaffStatusPill } from './staff-status-pill.tsx';

/** The columns of rows and headings alike. */
export const STAFF_COLUMNS = 'lg:grid lg:grid-cols-[minmax(0,1.4fr)_minmax(0,1.1fr)_6.5rem_7.5rem] lg:items-center lg:gap-x-5';

interface StaffRowProps {
  member: StaffMember;
  onDelete: () => void;
}

/** The whole row is the link; the icon beside it deletes. */
export function StaffRow({ member, onDelete }: StaffRowProps) {
  const isMe = useMe().user.staff_id === member.id;
  const currency = useProfile()?.currency;
  const rate = member.hourly_rate === null ? null : formatHourlyRate(member.hourly_rate, currency);
  return (
    <li className="flex items-center border-b bg-surface pr-2 last:border-b-0 hover:bg-sunken lg:pr-3">
      <Link
        to="/staff/$id"
        params={{ id: member.id }}
        className={`min-h-22 min-w-0 flex-1 py-3 pl-4 -outline-offset-2 max-lg:flex max-lg:flex-col max-lg:justify-center lg:min-h-16 lg:py-2 lg:pl-5 ${STAFF_COLUMNS}`}
      >
        <span className="flex min-w-0 items-center gap-3">
          <StaffAvatar member={member} className="size-11 text-lg lg:size-9 lg:text-sm" />
          <span className="min-w-0 flex-1">
            <span className="flex items-center gap-x-2 gap-y-0.5 max-lg:flex-wrap">
              <span className="max-w-full min-w-0 truncate text-lg font-medium lg:text-base">{member.name}</span>
              {isMe && <span className="shrink-0 text-sm text-ink-3">You</span>}
              <StaffStatusPill status={member.status} />
            </span>
            <span className="block truncate text-base text-ink-2 lg:text-sm lg:text-ink-3">{member.email}</span>
            <span className="flex flex-wrap gap-x-3 text-sm text-ink-3 tabular-nums lg:hidden">
              <span>{ROLE_LABELS[member.role]}</span>
              {rate && <span>{rate}</span>}
              <span>{member.phone}</span>
            </span>
          </span>
        </span>
        <span className="min-w-0 text-base text-ink-2 max-lg:hidden">
          <span className="block truncate">{member.email}</span>
          <span className="block truncate text-sm text-ink-3 tabular-nums">{member.phone}</span>
        </span>
        <span className="text-base text-ink-2 max-lg:hidden">{ROLE_LABELS[member.role]}</span>
        <span className="truncate text-right text-base text-ink-2 tabular-nums max-lg:hidden">{rate ?? '—'}</span>
      </Link>
      <IconButton label={`Delete ${member.name}`} title="Delete" onClick={onDelete} className="lg:ml-2">
        <Trash2 aria-hidden="true" />
      </IconButton>
    </li>
  );
}

export function StaffRowSkeleton() {
  return (
    <div className="flex h-22 items-center gap-3 border-b px-4 last:border-b-0 lg:h-16 lg:px-5">
      <Skeleton className="size-11 rounded-full lg:size-9" />
      <span className="flex-1 space-y-2">
        <Skeleton className="h-4 w-2/5 lg:w-40" />
        <Skeleton className="h-3.5 w-3/5 lg:w-56" />
      </span>
    </div>
  );
}
