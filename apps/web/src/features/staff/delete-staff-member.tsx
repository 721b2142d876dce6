import type { StaffMember } from '@callout/contract/staff';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { announceSessionEnd } from '../../lib/session-end.ts';
import { Button } from '../../ui/button.tsx';
import { FormSection } from '../../ui/card.tsx';
import { ConfirmDialog, DeleteDialog } from '../../ui/dialog.tsx';
import { useMe, useProfile } from '../company/company.api.ts';
import { ONLY_ADMIN, useIsOnlyAdmin } from './only-admin.ts';
import { forgetStaffMember, type useDeleteStaffMember, useLeaveCompany } from './staff.api.ts';

interface DeleteStaffMemberProps {
  member: StaffMember;
  /** Created by the page, so that it knows whether the member was deleted from here. */
  remove: ReturnType<typeof useDeleteStaffMember>;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

const LEAVE = { label: 'Leave', busyLabel: 'Leaving…' };

export function DeleteStaffMember({ member, remove, open, onOpenChange }: DeleteStaffMemberProps) {
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const isMe = useMe().user.staff_id === member.id;
  const company = useProfile()?.company_name;

  const deleteAndLeave = async () => {
    await remove.mutateAsync(member);
    if (isMe) return announceSessionEnd('signed-out');
    await navigate({ to: '/staff', replace: true, ignoreBlocker: true });
    return forgetStaffMember(queryClient, member.id);
  };

  return (
    <DeleteDialog
      open={open}
      onOpenChange={onOpenChange}
      title={isMe ? leaveLabel(company) : 'Delete staff member'}
      description={consequences(member, isMe)}
      {...(isMe && LEAVE)}
      busy={remove.isPending}
      onDelete={deleteAndLeave}
    />
  );
}

/** Everybody may leave by themselves, whatever their role: somebody else may have made them a member. */
export function LeaveCompany() {
  const company = useProfile()?.company_name;
  const leave = useLeaveCompany(company);
  const [asking, setAsking] = useState(false);
  const isOnlyAdmin = useIsOnlyAdmin();
  const label = leaveLabel(company);
  const confirm = () => leave.mutate(undefined, { onSuccess: () => announceSessionEnd('signed-out'), onSettled: () => setAsking(false) });
  return (
    <FormSection title={label} description="Your account will be deleted. Your work stays with the company.">
      <div className="sm:col-span-6">
        <Button tone="danger" busy={leave.isPending} disabled={isOnlyAdmin} onClick={() => setAsking(true)}>
          <span className="truncate">{label}</span>
        </Button>
        {isOnlyAdmin && <p className="mt-2 text-base text-ink-2">{ONLY_ADMIN}</p>}
      </div>
      <ConfirmDialog
        open={asking}
        onOpenChange={setAsking}
        title={label}
        description={LEAVING}
        confirmLabel={leave.isPending ? 'Leaving…' : 'Leave'}
        busy={leave.isPending}
        onConfirm={confirm}
      />
    </FormSection>
  );
}

const LEAVING =
  "You'll be signed out right away and can no longer sign in to this company. Your work here is kept; jobs assigned to you become unassigned. This action cannot be undone.";

/** 'Leave Harbour Plumbing'. */
export const leaveLabel = (company: string | null | undefined) => `Leave ${company ?? 'this company'}`;

function consequences({ name, status }: StaffMember, isMe: boolean): string {
  if (isMe) return LEAVING;
  const effect =
    status === 'active'
      ? "They'll be signed out right away and can no longer sign in. Their work is kept; jobs assigned to them become unassigned."
      : 'Their invitation link stops working, and jobs assigned to them become unassigned.';
  return `Are you sure you want to delete ${name}? ${effect} This action cannot be undone.`;
}
