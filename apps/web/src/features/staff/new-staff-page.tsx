import { InvitationForm } from '@callout/contract/staff';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { hasCode } from '../../lib/error-messages.ts';
import { newId } from '../../lib/new-id.ts';
import { reportFailure } from '../../lib/report-failure.ts';
import { useDraft } from '../../lib/use-draft.ts';
import { useServerForm } from '../../lib/use-server-form.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { toast } from '../../ui/toast.ts';
import { UnsavedChanges } from '../../ui/unsaved-changes.tsx';
import { useMe } from '../company/company.api.ts';
import { ConfirmEmailBanner } from './confirm-email-banner.tsx';
import { invitationFailure } from './invitation-failure.ts';
import { InvitationProcess } from './invitation-process.tsx';
import { MailKept } from './mail-kept.tsx';
import { useInviteStaffMember } from './staff.api.ts';
import { StaffFormFields } from './staff-form-fields.tsx';

const LABELS = { name: 'Full Name', email: 'Email Address', phone: 'Phone Number', hourly_rate: 'Hourly Rate', role: 'Role' };
const EMPTY: InvitationForm = { name: '', email: '', phone: '', hourly_rate: '', role: 'staff' };

/** `onAnother`: starts afresh with an empty form. */
export function NewStaffPage({ onAnother }: { onAnother: () => void }) {
  const navigate = useNavigate();
  const invite = useInviteStaffMember();
  /** Made once per form: sending again after a lost answer is the same member, not a second one. */
  const [id] = useState(newId);
  /** Then the sentence and its button stand beside what was pressed: on a phone the top of the form is out of sight. */
  const [unconfirmed, setUnconfirmed] = useState(false);
  const { form, submit, saving, isDirty } = useServerForm({
    schema: InvitationForm,
    defaultValues: EMPTY,
    save: (member) => invite.mutateAsync({ id, ...member }),
    saved: ({ mail }) => {
      if (mail === 'kept') return undefined;
      toast.success('Staff member invited successfully! They will receive an email to set up their account.');
      return navigate({ to: '/staff', replace: true });
    },
    failed: (error, atFields) => {
      if (hasCode(error, 'EMAIL_UNCONFIRMED')) setUnconfirmed(true);
      if (hasCode(error, 'EMAIL_TAKEN')) form.setError('email', { type: 'server', message: error.message }, { shouldFocus: true });
      if (!atFields) reportFailure(error, `Failed to add staff member: ${invitationFailure(error)}`);
    },
  });
  useDraft(form, useMe().user.id);
  if (invite.data?.mail === 'kept') {
    const { member } = invite.data;
    return (
      <div className="mx-auto max-w-3xl">
        <PageHeader title={`${member.name} was added`} />
        <MailKept name={member.name} className="mb-4" />
        <div className="flex flex-wrap gap-2">
          <LinkButton to="/staff" tone="primary">
            All staff
          </LinkButton>
          <Button onClick={onAnother}>Add another</Button>
        </div>
      </div>
    );
  }
  return (
    <div className="mx-auto max-w-3xl">
      <PageHeader title="Add Staff Member" />
      <InvitationProcess />
      {!unconfirmed && <ConfirmEmailBanner className="mb-4" />}
      <form noValidate onSubmit={submit}>
        <Card className="grid items-start gap-4 p-4 sm:grid-cols-2 lg:gap-5 lg:p-5">
          <StaffFormFields labels={LABELS} register={form.register} errors={form.formState.errors} />
        </Card>
        {unconfirmed && <ConfirmEmailBanner className="mt-4" />}
        <div className="mt-4 flex flex-col-reverse gap-2 sm:flex-row sm:justify-end">
          <LinkButton to="/staff">Cancel</LinkButton>
          <Button type="submit" tone="primary" busy={saving}>
            {saving ? 'Sending…' : 'Send Invitation'}
          </Button>
        </div>
      </form>
      <UnsavedChanges isDirty={isDirty} />
    </div>
  );
}
