import type { StaffMember } from '@callout/contract/staff';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { announceSessionEnd } from '../../lib/session-end.ts';
import { Button } from '../../ui/button.tsx';
import { FormSection } from '../../ui/card.tsx';
import { ConfirmDialog, DeleteDialog } from '../../ui/dialog.tsx';
import { useMe, useProfile } from '../company/company.api.ts';
import { ONLY_ADMIN_CANNOT_LEAVE_MESSAGE, useIsOnlyAdmin } from './only-admin.ts';
import { removeCachedStaffMember, type useDeleteStaffMember, useLeaveCompany } from './staff.api.ts';

interface DeleteStaffMemberDialogProps {
  member: StaffMember;
  /** The page owns this mutation, to tell its own deletion from one made in another tab or by someone else. */
  remove: ReturnType<typeof useDeleteStaffMember>;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

const LEAVE_LABELS = { label: 'Leave', busyLabel: 'Leaving…' };

export function DeleteStaffMemberDialog({ member, remove, open, onOpenChange }: DeleteStaffMemberDialogProps) {
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const isMe = useMe().user.staff_id === member.id;
  const company = useProfile()?.company_name;

  const deleteAndLeave = async () => {
    await remove.mutateAsync(member);
    if (isMe) return announceSessionEnd('signed-out');
    await navigate({ to: '/staff', replace: true, ignoreBlocker: true });
    return removeCachedStaffMember(queryClient, member.id);
  };

  return (
    <DeleteDialog
      open={open}
      onOpenChange={onOpenChange}
      title={isMe ? formatLeaveCompanyLabel(company) : 'Delete staff member'}
      description={formatDeleteWarning(member, isMe)}
      {...(isMe && LEAVE_LABELS)}
      busy={remove.isPending}
      onDelete={deleteAndLeave}
    />
  );
}

/** Lets people in any role leave the company, because they may have been added without asking to join. */
export function LeaveCompanySection() {
  const company = useProfile()?.company_name;
  const leave = useLeaveCompany(company);
  const [isConfirming, setConfirming] = useState(false);
  const isOnlyAdmin = useIsOnlyAdmin();
  const label = formatLeaveCompanyLabel(company);
  const confirm = () =>
    leave.mutate(undefined, { onSuccess: () => announceSessionEnd('signed-out'), onSettled: () => setConfirming(false) });
  return (
    <FormSection title={label} description="Your account will be deleted. Your work stays with the company.">
      <div className="sm:col-span-6">
        <Button tone="danger" busy={leave.isPending} disabled={isOnlyAdmin} onClick={() => setConfirming(true)}>
          <span className="truncate">{label}</span>
        </Button>
        {isOnlyAdmin && <p className="mt-2 text-base text-ink-2">{ONLY_ADMIN_CANNOT_LEAVE_MESSAGE}</p>}
      </div>
      <ConfirmDialog
        open={isConfirming}
        onOpenChange={setConfirming}
        title={label}
        description={LEAVE_WARNING}
        confirmLabel={leave.isPending ? 'Leaving…' : 'Leave'}
        busy={leave.isPending}
        onConfirm={confirm}
      />
    </FormSection>
  );
}

const LEAVE_WARNING =
  "You'll be signed out right away and can no longer sign in to this company. Your work here is kept; jobs assigned to you become unassigned. This action cannot be undone.";

export const formatLeaveCompanyLabel = (company: string | null | undefined) => `Leave ${company ?? 'this company'}`;

function formatDeleteWarning({ name, status }: StaffMember, isMe: boolean): string {
  if (isMe) return LEAVE_WARNING;
  const consequence =
    status === 'active'
      ? "They'll be signed out right away and can no longer sign in. Their work is kept; jobs assigned to them become unassigned."
      : 'Their invitation link stops working, and jobs assigned to them become unassigned.';
  return `Are you sure you want to delete ${name}? ${consequence} This action cannot be undone.`;
}
