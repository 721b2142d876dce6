import type { StaffMember } from '@callout/contract/staff';
import { useQuery } from '@tanstack/react-query';
import { HardHat, UserPlus } from 'lucide-react';
import { useState } from 'react';
import { centralMessage } from '../../lib/error-messages.ts';
import { Card } from '../../ui/card.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { DeleteStaffMember } from './delete-staff-member.tsx';
import { staffListQuery, useDeleteStaffMember } from './staff.api.ts';
import { STAFF_COLUMNS, StaffRow, StaffRowSkeleton } from './staff-row.tsx';

const add = (
  <LinkButton to="/staff/new" tone="primary">
    <UserPlus aria-hidden="true" />
    Add Staff Member
  </LinkButton>
);

export function StaffListPage() {
  const { data } = useQuery(staffListQuery);
  return (
    <>
      <PageHeader title="Staff" aside={data ? <span className="tabular-nums">{data.rows.length}</span> : <>&nbsp;</>} actions={add} />
      <Card className="overflow-clip">
        <StaffList />
      </Card>
    </>
  );
}

function StaffList() {
  const { data, error, isFetching, refetch } = useQuery(staffListQuery);
  if (!data && error) return <ErrorState message={centralMessage(error)} onRetry={() => void refetch()} retrying={isFetching} />;
  if (!data) return <StaffSkeleton />;
  if (data.rows.length === 0) {
    return <EmptyState icon={HardHat} sentence="No staff members found" hint="Invite the people who do the work with you." action={add} />;
  }
  return <StaffTable rows={data.rows} />;
}

function StaffTable({ rows }: { rows: readonly StaffMember[] }) {
  const remove = useDeleteStaffMember();
  const [leaving, setLeaving] = useState<StaffMember>();
  const [asking, setAsking] = useState(false);
  return (
    <>
      <div className={`h-10 border-b pr-14 pl-5 text-sm font-medium text-ink-3 max-lg:hidden ${STAFF_COLUMNS}`}>
        <span>Staff Member</span>
        <span>Contact</span>
        <span>Role</span>
        <span className="text-right">Hourly Rate</span>
      </div>
      <ul aria-label="Staff members">
        {rows.map((member) => (
          <StaffRow
            key={member.id}
            member={member}
            onDelete={() => {
              setLeaving(member);
              setAsking(true);
            }}
          />
        ))}
      </ul>
      {leaving && <DeleteStaffMember member={leaving} remove={remove} open={asking} onOpenChange={setAsking} />}
    </>
  );
}

const PLACEHOLDERS = ['first', 'second', 'third', 'fourth'];

function StaffSkeleton() {
  return (
    <div role="status">
      <span className="sr-only">Loading staff members</span>
      <div className="h-10 border-b max-lg:hidden" />
      {PLACEHOLDERS.map((row) => (
        <StaffRowSkeleton key={row} />
      ))}
    </div>
  );
}
