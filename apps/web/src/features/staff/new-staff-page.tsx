import type { StaffMember } from '@callout/contract/staff';
import { getCurrencySymbol } from '@callout/domain/money/currency';
import { useNavigate } from '@tanstack/react-router';
import { Mail } from 'lucide-react';
import { useState } from 'react';
import { useWatch } from 'react-hook-form';
import { createId } from '../../lib/create-id.ts';
import { hasErrorCode } from '../../lib/error-messages.ts';
import { FormFields } from '../../lib/form-fields.tsx';
import { RecordForm } from '../../lib/record-form.tsx';
import { useRecordForm } from '../../lib/use-record-form.ts';
import { saveDraftForNewRecord } from '../../lib/use-session-draft.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { FormActions } from '../../ui/card.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { useMe, useProfile } from '../company/company.api.ts';
import { ConfirmEmailBanner } from '../company/confirm-email-banner.tsx';
import { InvitationLink, MailNotSentBanner } from './invitation-card.tsx';
import {
  findColleagueWithEmail,
  formatInvitationFailure,
  useInviteStaffMember,
  useResendInvitation,
  useStaffMember,
  useWithdrawInvitation,
} from './staff.api.ts';
import { invitationForm } from './staff-form.ts';

export function NewStaffPage({ onAddAnother }: { onAddAnother: () => void }) {
  const navigate = useNavigate();
  const invite = useInviteStaffMember();
  const person = useMe().user.id;
  const symbol = getCurrencySymbol(useProfile()?.currency);
  /** One id per form, so that a retry after a lost response doesn't add a second member. */
  const [id, setId] = useState(createId);
  /** True if my unconfirmed email blocked the invitation. Moves the banner next to the button, which is in view on phones. */
  const [isUnconfirmed, setUnconfirmed] = useState(false);
  /** The colleague who has the typed email address, as the server last reported. */
  const [colleague, setColleague] = useState<StaffMember>();
  const editor = useRecordForm({
    definition: invitationForm,
    person,
    newRecordId: [id, setId],
    save: async (member) => {
      const { member: added, mail } = await invite.mutateAsync({ id, ...member });
      return { ...added, isMailed: mail !== 'kept' };
    },
    onSaved: ({ id: added, isMailed }, unsavedEdits) => {
      const options = { replace: true, ignoreBlocker: true };
      if (saveDraftForNewRecord(person, `/staff/${added}`, unsavedEdits))
        return navigate({ to: '/staff/$id', params: { id: added }, ...options });
      return isMailed ? navigate({ to: '/staff', ...options }) : undefined;
    },
    onFailed: (error) => {
      if (hasErrorCode(error, 'EMAIL_UNCONFIRMED')) setUnconfirmed(true);
      if (!hasErrorCode(error, 'EMAIL_TAKEN')) return;
      const member = findColleagueWithEmail(error);
      setColleague(member);
      if (!member) editor.form.setError('email', { type: 'server', message: formatInvitationFailure(error) }, { shouldFocus: true });
    },
  });
  const email = useWatch({ control: editor.form.control, name: 'email' });
  const hasColleaguesEmail = email.trim().toLowerCase() === colleague?.email.toLowerCase();
  if (invite.data?.mail === 'kept') {
    return <AddedStaffMember added={invite.data.member} onAddAnother={onAddAnother} />;
  }
  return (
    <div className="mx-auto max-w-3xl">
      <PageHeader title="Add Staff Member" />
      <InvitationProcess />
      {!isUnconfirmed && <ConfirmEmailBanner blockedAction="invite people" className="mb-4" />}
      <RecordForm
        editor={editor}
        recordLabel="this staff member"
        actions={
          <>
            {isUnconfirmed && <ConfirmEmailBanner blockedAction="invite people" className="mt-4" />}
            {colleague && hasColleaguesEmail && (
              <ColleagueEmailBanner colleague={colleague} onWithdrawn={() => editor.form.setFocus('email')} />
            )}
            <FormActions
              cancelLink={<LinkButton to="/staff">Cancel</LinkButton>}
              saving={editor.saving}
              label="Send Invitation"
              savingLabel="Sending…"
            />
          </>
        }
      >
        <FormFields editor={editor} extras={{ hourly_rate: { leading: symbol, trailing: '/hr' } }} />
      </RecordForm>
    </div>
  );
}

/** Says who has the email address, with what to do about it. Withdrawing the invitation there lets the form be sent. */
function ColleagueEmailBanner({ colleague, onWithdrawn }: { colleague: StaffMember; onWithdrawn: () => void }) {
  const { data: member = colleague } = useStaffMember(colleague.id);
  const { sends_mail: sendsMail } = useMe();
  const resend = useResendInvitation();
  const withdraw = useWithdrawInvitation();
  const { id, name, status } = member;
  const withdrawAndMoveFocus = () =>
    withdraw.mutate(id, {
      onSuccess: () => {
        // The pressed button disappears. A person who has gone on typing keeps their place.
        if (!document.activeElement?.matches('input, select')) onWithdrawn();
      },
    });
  return (
    <Banner
      tone={status === 'active' || status === 'invited' ? 'danger' : 'info'}
      className="mt-4"
      actions={
        <>
          {status === 'invited' && sendsMail && (
            <Button busy={resend.isPending} disabled={withdraw.isPending} onClick={() => resend.mutate(id)}>
              Resend
            </Button>
          )}
          {status === 'invited' && (
            <Button busy={withdraw.isPending} disabled={resend.isPending} onClick={withdrawAndMoveFocus}>
              Withdraw
            </Button>
          )}
          <LinkButton to="/staff/$id" params={{ id }}>
            Open {name}
          </LinkButton>
        </>
      }
    >
      {COLLEAGUE_EMAIL_TEXTS[status](name)}
      {status === 'invited' && !sendsMail && <InvitationLink member={member} />}
    </Banner>
  );
}

const COLLEAGUE_EMAIL_TEXTS: Record<StaffMember['status'], (name: string) => string> = {
  active: (name) => `Failed to add staff member: ${name} is already on your staff.`,
  invited: (name) => `Failed to add staff member: ${name} has already been invited.`,
  expired: (name) => `${name}'s invitation has expired. You can invite them again.`,
  uninvited: (name) => `${name}'s invitation was withdrawn. You can invite them again.`,
};

/** Offers the invitation link if no mail server is set up, because the inviter must then send the link. */
function AddedStaffMember({ added, onAddAnother }: { added: StaffMember; onAddAnother: () => void }) {
  // Subscribes to the cached member, because creating a link changes the member.
  const { data: member = added } = useStaffMember(added.id);
  return (
    <div className="mx-auto max-w-3xl">
      <PageHeader title={`${member.name} was added`} />
      <MailNotSentBanner className="mb-4" />
      <InvitationLink member={member} />
      <div className="mt-4 flex flex-wrap gap-2">
        <LinkButton to="/staff" tone="primary">
          All staff
        </LinkButton>
        <Button onClick={onAddAnother}>Add another</Button>
      </div>
    </div>
  );
}

function InvitationProcess() {
  const { sends_mail: sendsMail } = useMe();
  const steps = [
    'Enter their details and choose a role.',
    sendsMail
      ? 'They get a link that can be used once and expires in 7 days.'
      : 'Copy the link and send it to them. It can be used once and expires in 7 days.',
    "They set a password and they're in. Until then, they're listed as Invited.",
  ];
  return (
    <section aria-labelledby="invitation-process" className="mb-4 flex gap-3 rounded-card bg-info-soft p-4 text-info-ink lg:px-5">
      <Mail aria-hidden="true" className="mt-0.5 size-5 shrink-0" />
      <div>
        <h2 id="invitation-process" className="text-base font-semibold">
          Staff Invitation Process
        </h2>
        <ol className="mt-1 list-inside list-decimal space-y-0.5 text-base">
          {steps.map((step) => (
            <li key={step}>{step}</li>
          ))}
        </ol>
      </div>
    </section>
  );
}
