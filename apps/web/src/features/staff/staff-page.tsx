import type { StaffColor, StaffMember } from '@callout/contract/staff';
import { currencySymbol } from '@callout/domain/money/currency';
import { can } from '@callout/domain/roles/roles';
import { useQuery } from '@tanstack/react-query';
import { Ellipsis, LogOut, Trash2, UserX } from 'lucide-react';
import { type SyntheticEvent, useMemo, useState } from 'react';
import { hasCode } from '../../lib/error-messages.ts';
import { FormFields } from '../../lib/form-fields.tsx';
import { QueryView } from '../../lib/query-view.tsx';
import { RecordForm } from '../../lib/record-form.tsx';
import { useDocumentTitle } from '../../lib/use-document-title.ts';
import { useRecordForm } from '../../lib/use-record-form.ts';
import { Banner } from '../../ui/banner.tsx';
import { IconButton } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { Menu } from '../../ui/menu.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { SkeletonRecord } from '../../ui/skeleton.tsx';
import { useMe, useProfile } from '../company/company.api.ts';
import { AvatarUpload } from './avatar-upload.tsx';
import { DeleteStaffMember, leaveLabel } from './delete-staff-member.tsx';
import { FeedCard } from './feed-card.tsx';
import { InvitationCard, MailNotSent } from './invitation-card.tsx';
import { ONLY_ADMIN, useIsOnlyAdmin } from './only-admin.ts';
import { staffColorsQuery, useDeleteStaffMember, useStaffAvatar, useStaffMember, useUpdateStaffMember } from './staff.api.ts';
import { StaffAvatar, StaffStatusPill } from './staff-badges.tsx';
import { staffForm } from './staff-form.ts';

export function StaffPage({ id }: { id: string }) {
  const query = useStaffMember(id);
  return (
    <QueryView
      query={query}
      inCard
      skeleton={<SkeletonRecord label="Loading staff member" fields={6} />}
      notFound={
        <EmptyState
          icon={UserX}
          sentence="Staff member not found"
          alone
          hint="They may have been deleted, or the link is incomplete."
          action={<LinkButton to="/staff">All staff</LinkButton>}
        />
      }
    >
      {(member) => <LoadedMember member={member} isMissing={hasCode(query.error, 'NOT_FOUND')} />}
    </QueryView>
  );
}

function LoadedMember({ member, isMissing }: { member: StaffMember; isMissing: boolean }) {
  const remove = useDeleteStaffMember();
  const [asking, setAsking] = useState(false);
  const isMe = useMe().user.staff_id === member.id;
  const isOnlyAdmin = useIsOnlyAdmin() && isMe;
  const company = useProfile()?.company_name;
  /** Deleted by someone else, not from this page. */
  const gone = isMissing && remove.isIdle;
  useDocumentTitle(member.name);
  return (
    <>
      <PageHeader
        title={member.name}
        aside={isMe ? 'You' : <StaffStatusPill member={member} />}
        actions={
          !gone && (
            <Menu
              label="More actions"
              trigger={
                <IconButton label="More actions">
                  <Ellipsis aria-hidden="true" />
                </IconButton>
              }
              items={[
                {
                  label: isMe ? leaveLabel(company) : 'Delete',
                  icon: isMe ? LogOut : Trash2,
                  tone: 'danger',
                  disabledBecause: isOnlyAdmin ? ONLY_ADMIN : undefined,
                  onSelect: () => setAsking(true),
                },
              ]}
            />
          )
        }
      />
      {gone && (
        <Banner tone="warn" className="mb-4">
          This staff member has been deleted. Your changes can no longer be saved.
        </Banner>
      )}
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 lg:grid-cols-[17rem_minmax(0,1fr)] lg:gap-5">
        <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-4 lg:gap-5">
          {gone ? <StaffAvatar member={member} className="size-20 text-2xl lg:size-28" /> : <StaffPicture member={member} />}
          {!gone && (member.status === 'active' ? <FeedCard member={member} /> : <InvitationCard member={member} />)}
        </div>
        <div className="min-w-0">
          <StaffEditor key={member.id} member={member} gone={gone} isMe={isMe} isOnlyAdmin={isOnlyAdmin} />
        </div>
      </div>
      <DeleteStaffMember member={member} remove={remove} open={asking} onOpenChange={setAsking} />
    </>
  );
}

function StaffPicture({ member }: { member: StaffMember }) {
  return (
    <Card className="p-4 lg:p-5">
      <AvatarUpload member={member} change={useStaffAvatar(member.id)} centered />
    </Card>
  );
}

const EMAIL_HINTS: Partial<Record<StaffMember['status'], string>> = {
  active: 'Contact email only. They change their sign-in email in Settings › Profile.',
  invited: 'Changing the address sends a new invitation and cancels the old link.',
};

const MY_EMAIL_HINT = 'Contact email only. Change your sign-in email in Settings › Profile.';

/** Until the colors are loaded, the member's own is the only choice. */
function useColors({ color }: StaffMember): readonly StaffColor[] {
  const { data } = useQuery(staffColorsQuery);
  return useMemo(() => data?.rows ?? (color ? [color] : []), [data, color]);
}

interface StaffEditorProps {
  member: StaffMember;
  gone: boolean;
  isMe: boolean;
  isOnlyAdmin: boolean;
}

function StaffEditor({ member, gone, isMe, isOnlyAdmin }: StaffEditorProps) {
  const update = useUpdateStaffMember();
  const symbol = currencySymbol(useProfile()?.currency);
  const colors = useColors(member).map(({ id, name, hex_code: color }) => ({ value: id, label: name, color }));
  const { phone, hourly_rate } = member;
  const definition = useMemo(() => staffForm({ phone, hourly_rate }), [phone, hourly_rate]);
  const [asking, setAsking] = useState(false);
  const editor = useRecordForm({
    definition,
    record: member,
    person: useMe().user.id,
    save: async (values, version) => (await update.mutateAsync({ id: member.id, version, ...values })).member,
    onFailed: (error) => {
      if (hasCode(error, 'EMAIL_TAKEN')) editor.form.setError('email', { type: 'server', message: error.message }, { shouldFocus: true });
    },
  });
  const askAndSubmit = (event?: SyntheticEvent) => {
    event?.preventDefault();
    const losesAccess = isMe && can(member.role, 'staff.manage') && !can(editor.form.getValues('role'), 'staff.manage');
    if (losesAccess) setAsking(true);
    else editor.submit(event);
  };
  const submit = () => {
    setAsking(false);
    editor.submit();
  };
  return (
    <>
      {member.status === 'invited' && update.data?.mail === 'kept' && <MailNotSent className="mb-4" />}
      <RecordForm editor={{ ...editor, submit: askAndSubmit }} what="this staff member" gone={gone} choices={{ color_id: colors }}>
        <FormFields
          editor={editor}
          extras={{
            email: { hint: isMe ? MY_EMAIL_HINT : EMAIL_HINTS[member.status] },
            role: isOnlyAdmin ? { hint: ONLY_ADMIN, disabled: true } : undefined,
            hourly_rate: { leading: symbol, trailing: '/hr' },
            color_id: { choices: colors },
          }}
        />
      </RecordForm>
      <ConfirmDialog
        open={asking}
        onOpenChange={setAsking}
        title="Change your own role?"
        description="You'll lose access to staff and company settings."
        confirmLabel="Change role"
        onConfirm={submit}
      />
    </>
  );
}
