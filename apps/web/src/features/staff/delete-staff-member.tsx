import type { StaffMember } from '@callout/contract/staff';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { messageOf } from '../../lib/error-messages.ts';
import { reportFailure } from '../../lib/report-failure.ts';
import { announceSessionEnd } from '../../lib/session-end.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { toast } from '../../ui/toast.ts';
import { useMe } from '../company/company.api.ts';
import { forgetStaffMember, type useDeleteStaffMember } from './staff.api.ts';

interface DeleteStaffMemberProps {
  member: StaffMember;
  /** Held by the page, which must know that the member is gone by its own doing. */
  remove: ReturnType<typeof useDeleteStaffMember>;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

export function DeleteStaffMember({ member, remove, open, onOpenChange }: DeleteStaffMemberProps) {
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const isMe = useMe().user.staff_id === member.id;

  const confirm = async () => {
    try {
      await remove.mutateAsync(member);
    } catch (error) {
      onOpenChange(false);
      reportFailure(error, `Failed to delete staff member: ${messageOf(error)}`);
      return;
    }
    onOpenChange(false);
    toast.success('Staff member deleted successfully');
    if (isMe) {
      announceSessionEnd('signed-out');
      return;
    }
    await navigate({ to: '/staff', replace: true, ignoreBlocker: true });
    forgetStaffMember(queryClient, member.id);
  };

  return (
    <ConfirmDialog
      open={open}
      onOpenChange={onOpenChange}
      title={isMe ? 'Delete yourself' : 'Delete staff member'}
      description={consequences(member, isMe)}
      confirmLabel={remove.isPending ? 'Deleting…' : 'Delete'}
      busy={remove.isPending}
      onConfirm={() => void confirm()}
    />
  );
}

function consequences({ name, status }: StaffMember, isMe: boolean): string {
  if (isMe) {
    return 'Are you sure you want to delete yourself? You are signed out at once and can no longer sign in to this company. What you did here stays. This action cannot be undone.';
  }
  const effect =
    status === 'active'
      ? 'They are signed out at once and can no longer sign in. What they did stays; work assigned to them becomes unassigned.'
      : 'An invitation that was sent to them stops working, and work assigned to them becomes unassigned.';
  return `Are you sure you want to delete ${name}? ${effect} This action cannot be undone.`;
}
