import type { StaffMember } from '@callout/contract/staff';
import { currencySymbol } from '@callout/domain/money/currency';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Mail } from 'lucide-react';
import { useState } from 'react';
import { hasCode } from '../../lib/error-messages.ts';
import { FormFields } from '../../lib/form-fields.tsx';
import { newId } from '../../lib/new-id.ts';
import { RecordForm } from '../../lib/record-form.tsx';
import { keepTypedLater } from '../../lib/use-draft.ts';
import { useRecordForm } from '../../lib/use-record-form.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { FormActions } from '../../ui/card.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { useMe, useProfile } from '../company/company.api.ts';
import { ConfirmEmailBanner } from '../company/confirm-email-banner.tsx';
import { InvitationLink, MailNotSent } from './invitation-card.tsx';
import { staffListQuery, useInviteStaffMember, useStaffMember } from './staff.api.ts';
import { invitationForm } from './staff-form.ts';

/** `onAnother` opens a new, empty form. */
export function NewStaffPage({ onAnother }: { onAnother: () => void }) {
  const navigate = useNavigate();
  const invite = useInviteStaffMember();
  const person = useMe().user.id;
  const symbol = currencySymbol(useProfile()?.currency);
  /** One per form, so that sending again after a lost answer does not add a second member. */
  const [id, setId] = useState(newId);
  /** Then the banner moves next to the button, since the top of the form is out of sight on a phone. */
  const [unconfirmed, setUnconfirmed] = useState(false);
  const [taken, setTaken] = useState<string>();
  const { data: staff } = useQuery({ ...staffListQuery, enabled: taken !== undefined });
  /** Who has the email already. */
  const colleague = staff?.rows.find(({ email }) => email.toLowerCase() === taken);
  const editor = useRecordForm({
    definition: invitationForm,
    person,
    newId: [id, setId],
    save: async (member) => {
      const { member: added, mail } = await invite.mutateAsync({ id, ...member });
      return { ...added, isMailed: mail !== 'kept' };
    },
    onSaved: ({ id: added, isMailed }, later) => {
      const options = { replace: true, ignoreBlocker: true };
      if (keepTypedLater(person, `/staff/${added}`, later)) return navigate({ to: '/staff/$id', params: { id: added }, ...options });
      return isMailed ? navigate({ to: '/staff', ...options }) : undefined;
    },
    onFailed: (error) => {
      if (hasCode(error, 'EMAIL_UNCONFIRMED')) setUnconfirmed(true);
      if (!hasCode(error, 'EMAIL_TAKEN')) return;
      setTaken(editor.form.getValues('email').trim().toLowerCase());
      editor.form.setError('email', { type: 'server', message: error.message }, { shouldFocus: true });
    },
  });
  if (invite.data?.mail === 'kept') {
    return <AddedMember added={invite.data.member} onAnother={onAnother} />;
  }
  return (
    <div className="mx-auto max-w-3xl">
      <PageHeader title="Add Staff Member" />
      <InvitationProcess />
      {!unconfirmed && <ConfirmEmailBanner before="invite people" className="mb-4" />}
      <RecordForm
        editor={editor}
        what="this staff member"
        actions={
          <>
            {unconfirmed && <ConfirmEmailBanner before="invite people" className="mt-4" />}
            {colleague && <ColleagueBanner colleague={colleague} />}
            <FormActions
              cancel={<LinkButton to="/staff">Cancel</LinkButton>}
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

/** Leads to the person who has the email already. */
function ColleagueBanner({ colleague: { id, name, email } }: { colleague: StaffMember }) {
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
      {name} already has {email}.
    </Banner>
  );
}

/** No mail server is set up, so the next step is to send the link. */
function AddedMember({ added, onAnother }: { added: StaffMember; onAnother: () => void }) {
  // Creating a link changes the member.
  const { data: member = added } = useStaffMember(added.id);
  return (
    <div className="mx-auto max-w-3xl">
      <PageHeader title={`${member.name} was added`} />
      <MailNotSent className="mb-4" />
      <InvitationLink member={member} />
      <div className="mt-4 flex flex-wrap gap-2">
        <LinkButton to="/staff" tone="primary">
          All staff
        </LinkButton>
        <Button onClick={onAnother}>Add another</Button>
      </div>
    </div>
  );
}

const STEPS = [
  'Enter their details and choose a role.',
  'They get an email with a link that can be used once and expires in 7 days.',
  "They set a password and they're in. Until then they show as Invited.",
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
          {STEPS.map((step) => (
            <li key={step}>{step}</li>
          ))}
        </ol>
      </div>
    </section>
  );
}
