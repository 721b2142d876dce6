import type { StaffMember } from '@callout/contract/staff';
import { getCurrencySymbol } from '@callout/domain/money/currency';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Mail } from 'lucide-react';
import { useState } from 'react';
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
import { staffListQueryOptions, useInviteStaffMember, useStaffMember } from './staff.api.ts';
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
  const [takenEmail, setTakenEmail] = useState<string>();
  const { data: staff } = useQuery({ ...staffListQueryOptions, enabled: takenEmail !== undefined });
  const existingMember = staff?.rows.find(({ email }) => email.toLowerCase() === takenEmail);
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
      setTakenEmail(editor.form.getValues('email').trim().toLowerCase());
      editor.form.setError('email', { type: 'server', message: error.message }, { shouldFocus: true });
    },
  });
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
            {existingMember && <EmailInUseBanner existingMember={existingMember} />}
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

function EmailInUseBanner({ existingMember: { id, name, email } }: { existingMember: StaffMember }) {
  return (
    <Banner
      tone="warn"
      className="mt-4"
      actions={
        <LinkButton to="/staff/$id" params={{ id }}>
          Open {name}
        </LinkButton>
      }
    >
      {name} already uses {email}.
    </Banner>
  );
}

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

const INVITATION_STEPS = [
  'Enter their details and choose a role.',
  'They get a link that can be used once and expires in 7 days.',
  "They set a password and they're in. Until then, they're listed as Invited.",
];

function InvitationProcess() {
  return (
    <section aria-labelledby="invitation-process" className="mb-4 flex gap-3 rounded-card bg-info-soft p-4 text-info-ink lg:px-5">
      <Mail aria-hidden="true" className="mt-0.5 size-5 shrink-0" />
      <div>
        <h2 id="invitation-process" className="text-base font-semibold">
          Staff Invitation Process
        </h2>
        <ol className="mt-1 list-inside list-decimal space-y-0.5 text-base">
          {INVITATION_STEPS.map((step) => (
            <li key={step}>{step}</li>
          ))}
        </ol>
      </div>
    </section>
  );
}
