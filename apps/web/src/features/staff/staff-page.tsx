import type { StaffColor, StaffMember } from '@callout/contract/staff';
import { getCurrencySymbol } from '@callout/domain/money/currency';
import { hasCapability } from '@callout/domain/roles/roles';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { LogOut, Trash2, UserX } from 'lucide-react';
import { type SyntheticEvent, useMemo, useState } from 'react';
import { hasErrorCode } from '../../lib/error-messages.ts';
import { FormFields } from '../../lib/form-fields.tsx';
import { QueryView } from '../../lib/query-view.tsx';
import { RecordForm } from '../../lib/record-form.tsx';
import { TimeZoneNote } from '../../lib/time-zone-note.tsx';
import { useDocumentTitle } from '../../lib/use-document-title.ts';
import { useRecordForm } from '../../lib/use-record-form.ts';
import { Banner } from '../../ui/banner.tsx';
import { Card } from '../../ui/card.tsx';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { MoreMenu } from '../../ui/menu.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { RecordSkeleton } from '../../ui/skeleton.tsx';
import { useMe, useProfile } from '../company/company.api.ts';
import { AvatarUpload } from './avatar-upload.tsx';
import { CalendarFeedCard } from './calendar-feed-card.tsx';
import { DeleteStaffMemberDialog, formatLeaveCompanyLabel } from './delete-staff-member.tsx';
import { InvitationCard, MailNotSentBanner } from './invitation-card.tsx';
import { ONLY_ADMIN_CANNOT_LEAVE_MESSAGE, ONLY_ADMIN_MESSAGE, useIsOnlyAdmin } from './only-admin.ts';
import {
  staffColorsQueryOptions,
  useDeleteStaffMember,
  useStaffAvatarMutations,
  useStaffMember,
  useUpdateStaffMember,
} from './staff.api.ts';
import { StaffAvatar, StaffStatusPill } from './staff-badges.tsx';
import { createStaffForm } from './staff-form.ts';

export function StaffPage({ id }: { id: string }) {
  const query = useStaffMember(id);
  return (
    <QueryView
      query={query}
      isInCard
      skeleton={<RecordSkeleton label="Loading staff member" fields={6} />}
      notFound={
        <EmptyState
          icon={UserX}
          message="Staff member not found"
          isHeading
          hint="They may have been deleted, or the link is incomplete."
          action={<LinkButton to="/staff">All staff</LinkButton>}
        />
      }
    >
      {(member) => <LoadedStaffMember member={member} isMissing={hasErrorCode(query.error, 'NOT_FOUND')} />}
    </QueryView>
  );
}

function LoadedStaffMember({ member, isMissing }: { member: StaffMember; isMissing: boolean }) {
  const remove = useDeleteStaffMember();
  const [isConfirming, setConfirming] = useState(false);
  const isMe = useMe().user.staff_id === member.id;
  const isOnlyAdmin = useIsOnlyAdmin() && isMe;
  const company = useProfile()?.company_name;
  /** True if the member was deleted in another tab or by someone else while this page was open. */
  const isDeleted = isMissing && remove.isIdle;
  useDocumentTitle(member.name);
  return (
    <>
      <PageHeader
        title={member.name}
        note={<TimeZoneNote />}
        aside={isMe ? 'You' : <StaffStatusPill member={member} />}
        actions={
          !isDeleted && (
            <MoreMenu
              items={[
                {
                  label: isMe ? formatLeaveCompanyLabel(company) : 'Delete',
                  icon: isMe ? LogOut : Trash2,
                  tone: 'danger',
                  disabledReason: isOnlyAdmin ? ONLY_ADMIN_CANNOT_LEAVE_MESSAGE : undefined,
                  onSelect: () => setConfirming(true),
                },
              ]}
            />
          )
        }
      />
      {isDeleted && (
        <Banner tone="warn" className="mb-4">
          This staff member has been deleted. Your changes can no longer be saved.
        </Banner>
      )}
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 lg:grid-cols-[17rem_minmax(0,1fr)] lg:gap-5">
        <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-4 lg:gap-5">
          {isDeleted ? <StaffAvatar member={member} className="size-20 text-2xl lg:size-28" /> : <StaffAvatarCard member={member} />}
          {!isDeleted && (member.status === 'active' ? <CalendarFeedCard member={member} /> : <InvitationCard member={member} />)}
        </div>
        <div className="min-w-0">
          <StaffEditor key={member.id} member={member} isDeleted={isDeleted} isMe={isMe} isOnlyAdmin={isOnlyAdmin} />
        </div>
      </div>
      <DeleteStaffMemberDialog member={member} remove={remove} open={isConfirming} onOpenChange={setConfirming} />
    </>
  );
}

function StaffAvatarCard({ member }: { member: StaffMember }) {
  return (
    <Card className="p-4 lg:p-5">
      <AvatarUpload member={member} mutations={useStaffAvatarMutations(member.id)} centered />
    </Card>
  );
}

const EMAIL_HINTS: Partial<Record<StaffMember['status'], string>> = {
  active: 'Contact email only. They change their sign-in email in Settings › Profile.',
  invited: 'Changing this email sends a new invitation and cancels the old link.',
};

const INVITED_WITHOUT_MAIL_HINT = 'Changing this email cancels the old link. Copy a new one and send it yourself.';
const MY_EMAIL_HINT = 'Contact email only. Change your sign-in email in Settings › Profile.';

const getEmailHint = ({ status }: StaffMember, sendsMail: boolean) =>
  status === 'invited' && !sendsMail ? INVITED_WITHOUT_MAIL_HINT : EMAIL_HINTS[status];

/** Until the colors load, the member's current color is the only choice. */
function useStaffColors({ color }: StaffMember): readonly StaffColor[] {
  const { data } = useQuery(staffColorsQueryOptions);
  return useMemo(() => data?.rows ?? (color ? [color] : []), [data, color]);
}

interface StaffEditorProps {
  member: StaffMember;
  isDeleted: boolean;
  isMe: boolean;
  isOnlyAdmin: boolean;
}

function StaffEditor({ member, isDeleted, isMe, isOnlyAdmin }: StaffEditorProps) {
  const { user, sends_mail: sendsMail } = useMe();
  const update = useUpdateStaffMember();
  const symbol = getCurrencySymbol(useProfile()?.currency);
  const colors = useStaffColors(member).map(({ id, name, hex_code: color }) => ({ value: id, label: name, color }));
  const { phone, hourly_rate } = member;
  const definition = useMemo(() => createStaffForm({ phone, hourly_rate }), [phone, hourly_rate]);
  const [isConfirming, setConfirming] = useState(false);
  const navigate = useNavigate();
  const editor = useRecordForm({
    definition,
    record: member,
    person: user.id,
    save: async (values, version) => (await update.mutateAsync({ id: member.id, version, ...values })).member,
    onSaved: ({ role }) => {
      if (isMe && !hasCapability(role, 'staff.manage')) void navigate({ to: '/dashboard', replace: true, ignoreBlocker: true });
    },
    onFailed: (error) => {
      if (hasErrorCode(error, 'EMAIL_TAKEN'))
        editor.form.setError(
          'email',
          { type: 'server', message: `Failed to update staff member: ${error.message}` },
          { shouldFocus: true },
        );
    },
  });
  const confirmAndSubmit = (event?: SyntheticEvent) => {
    event?.preventDefault();
    const losesAccess = isMe && hasCapability(member.role, 'staff.manage') && !hasCapability(editor.form.getValues('role'), 'staff.manage');
    if (losesAccess) setConfirming(true);
    else editor.submit(event);
  };
  const submit = () => {
    setConfirming(false);
    editor.submit();
  };
  return (
    <>
      {member.status === 'invited' && update.data?.mail === 'kept' && <MailNotSentBanner className="mb-4" />}
      <RecordForm
        editor={{ ...editor, submit: confirmAndSubmit }}
        recordLabel="this staff member"
        isDeleted={isDeleted}
        choices={{ color_id: colors }}
      >
        <FormFields
          editor={editor}
          extras={{
            email: { hint: isMe ? MY_EMAIL_HINT : getEmailHint(member, sendsMail) },
            role: isOnlyAdmin ? { hint: ONLY_ADMIN_MESSAGE, disabled: true } : undefined,
            hourly_rate: { leading: symbol, trailing: '/hr' },
            color_id: { choices: colors },
          }}
        />
      </RecordForm>
      <ConfirmDialog
        open={isConfirming}
        onOpenChange={setConfirming}
        title="Change your own role?"
        description="You'll lose access to staff and company settings."
        confirmLabel="Change role"
        onConfirm={submit}
      />
    </>
  );
}
