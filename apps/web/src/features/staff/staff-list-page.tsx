import type { StaffMember } from '@callout/contract/staff';
import { formatHourlyRate } from '@callout/domain/money/money-format';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { HardHat, LogOut, Trash2, UserPlus } from 'lucide-react';
import { useState } from 'react';
import { QueryView } from '../../lib/query-view.tsx';
import { IconButton } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { DataTable, type TableColumn } from '../../ui/data-table.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { SkeletonRows } from '../../ui/skeleton.tsx';
import { toast } from '../../ui/toast.ts';
import { useMe, useProfile } from '../company/company.api.ts';
import { DeleteStaffMemberDialog, formatLeaveCompanyLabel } from './delete-staff-member.tsx';
import { ONLY_ADMIN_CANNOT_LEAVE_MESSAGE, useIsOnlyAdmin } from './only-admin.ts';
import { staffListQueryOptions, useDeleteStaffMember } from './staff.api.ts';
import { ROLE_LABELS, StaffAvatar, StaffStatusPill } from './staff-badges.tsx';

const add = (
  <LinkButton to="/staff/new" tone="primary">
    <UserPlus aria-hidden="true" />
    Add Staff Member
  </LinkButton>
);

export function StaffListPage() {
  const list = useQuery(staffListQueryOptions);
  const count = list.data?.rows.length;
  return (
    <>
      <PageHeader title="Staff" aside={count === undefined ? <>&nbsp;</> : <span className="tabular-nums">{count}</span>} actions={add} />
      <QueryView
        query={list}
        isInCard
        skeleton={
          <Card className="overflow-clip">
            <SkeletonRows label="Loading staff members" count={4} className="h-27 lg:h-16" />
          </Card>
        }
        isEmpty={({ rows }) => rows.length === 0}
        empty={
          <EmptyState icon={HardHat} message="No staff members found" hint="Invite the people who do the work with you." action={add} />
        }
      >
        {({ rows }) => <StaffTable rows={rows} />}
      </QueryView>
    </>
  );
}

const COLUMNS: readonly TableColumn<StaffMember>[] = [
  { label: 'Staff Member', width: 'minmax(0, 1.4fr)', cell: (member) => <StaffName member={member} /> },
  { label: 'Contact', width: 'minmax(0, 1.1fr)', cell: (member) => <StaffContact member={member} /> },
  { label: 'Role', width: '6.5rem', cell: ({ role }) => ROLE_LABELS[role] },
  {
    label: 'Hourly Rate',
    width: '7.5rem',
    className: 'text-right tabular-nums',
    cell: ({ hourly_rate: rate }) => <HourlyRate rate={rate} />,
  },
];

function HourlyRate({ rate }: { rate: string | null }) {
  const currency = useProfile()?.currency;
  return rate === null ? '—' : formatHourlyRate(rate, currency);
}

function StaffTable({ rows }: { rows: readonly StaffMember[] }) {
  const remove = useDeleteStaffMember();
  const [memberToDelete, setMemberToDelete] = useState<StaffMember>();
  const [isConfirming, setConfirming] = useState(false);
  const me = useMe().user.staff_id;
  const company = useProfile()?.company_name;
  const isOnlyAdmin = useIsOnlyAdmin();
  const confirmDelete = (member: StaffMember) => {
    setMemberToDelete(member);
    setConfirming(true);
  };
  const renderDeleteButton = (member: StaffMember) => (
    <IconButton
      label={member.id === me ? formatLeaveCompanyLabel(company) : `Delete ${member.name}`}
      className="mr-1 lg:mr-3"
      {...(isOnlyAdmin && member.id === me
        ? {
            'aria-disabled': true,
            title: ONLY_ADMIN_CANNOT_LEAVE_MESSAGE,
            onClick: () => void toast.blank(ONLY_ADMIN_CANNOT_LEAVE_MESSAGE),
          }
        : { onClick: () => confirmDelete(member) })}
    >
      {member.id === me ? <LogOut aria-hidden="true" /> : <Trash2 aria-hidden="true" />}
    </IconButton>
  );
  return (
    <>
      <DataTable
        label="Staff members"
        rows={rows}
        columns={COLUMNS}
        renderLink={({ id }, props) => <Link to="/staff/$id" params={{ id }} {...props} />}
        renderCard={(member) => <StaffName member={member} inCard />}
        renderDesktopActions={renderDeleteButton}
        renderPhoneActions={renderDeleteButton}
        rowHeight={{ desktop: 64, phone: 108 }}
      />
      {memberToDelete && (
        <DeleteStaffMemberDialog member={memberToDelete} remove={remove} open={isConfirming} onOpenChange={setConfirming} />
      )}
    </>
  );
}

function StaffName({ member, inCard = false }: { member: StaffMember; inCard?: boolean }) {
  const isMe = useMe().user.staff_id === member.id;
  return (
    <span className="flex min-w-0 items-center gap-3 large-text:items-start">
      <StaffAvatar member={member} className="size-11 text-lg lg:size-9 lg:text-sm" />
      <span className="min-w-0 flex-1">
        <span className="flex items-center gap-x-2 large-text:flex-wrap">
          <span className="min-w-0 truncate text-lg font-medium text-ink lg:text-base">{member.name}</span>
          {isMe && <span className="shrink-0 text-sm text-ink-3">You</span>}
          <StaffStatusPill member={member} />
        </span>
        <span className="block truncate text-base text-ink-2 lg:text-sm lg:text-ink-3">{member.email}</span>
        {inCard && (
          <>
            <span className="flex gap-x-3 text-sm text-ink-3 tabular-nums large-text:flex-wrap">
              <span>{ROLE_LABELS[member.role]}</span>
              <HourlyRate rate={member.hourly_rate} />
            </span>
            <span className="block truncate text-sm text-ink-3 tabular-nums">{member.phone}</span>
          </>
        )}
      </span>
    </span>
  );
}

function StaffContact({ member }: { member: StaffMember }) {
  return (
    <>
      <span className="block truncate">{member.email}</span>
      <span className="block truncate text-sm text-ink-3 tabular-nums">{member.phone}</span>
    </>
  );
}
