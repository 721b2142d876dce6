import { QuoteMailInput } from '@callout/contract/quote-input';
import type { Quote } from '@callout/contract/quotes';
import { hasItems } from '@callout/domain/quotes/quote';
import { Link } from '@tanstack/react-router';
import { useEffect, useId, useState } from 'react';
import { hasCode } from '../../lib/error-messages.ts';
import { newId } from '../../lib/new-id.ts';
import { useLastingForm } from '../../lib/use-lasting-draft.ts';
import { useServerForm } from '../../lib/use-server-form.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog, Sheet } from '../../ui/dialog.tsx';
import { TextAreaField, TextField } from '../../ui/text-field.tsx';
import { useMe, useProfile } from '../company/company.api.ts';
import { ConfirmEmailBanner } from '../company/confirm-email-banner.tsx';
import { NoItems } from './no-items.tsx';
import { useSendQuote } from './quotes.api.ts';

const MailText = QuoteMailInput.omit({ mail_id: true });

interface SendQuoteDialogProps {
  quote: Quote;
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** The next opening starts a new mail. */
  onEnd: () => void;
}

/** Mails the customer the link. What was typed stays through failures, and whatever becomes of the customer; closing it asks. */
export function SendQuoteDialog({ quote, open, onOpenChange, onEnd }: SendQuoteDialogProps) {
  const company = useProfile()?.company_name ?? null;
  const me = useMe();
  const send = useSendQuote();
  const { customer_id: customerId } = quote;
  /** Made once per customer: sent again after a lost answer, it is one mail. */
  const [mail, setMail] = useState(() => ({ id: newId(), customerId }));
  if (mail.customerId !== customerId) setMail({ id: newId(), customerId });
  const [isAsking, setAsking] = useState(false);
  const formId = useId();
  const end = () => {
    onLeaving(true);
    onOpenChange(false);
    onEnd();
  };
  const { subject, body } = defaultMail(quote, company);
  const { form, submit, saving, isDirty, onLeaving, isLeftBehind } = useServerForm({
    schema: MailText,
    defaultValues: { subject, body },
    save: (text) => send.mutateAsync({ id: quote.id, mail_id: mail.id, ...text }),
    saved: end,
    failed: (error) => {
      // Nothing more can be sent with this mail, or about this quote.
      if (hasCode(error, 'QUOTE_CLOSED') || hasCode(error, 'ID_TAKEN')) end();
    },
  });
  const { errors } = form.formState;
  useEffect(() => {
    // Until something is typed, the text follows the quote and its customer.
    if (!isDirty()) form.reset({ subject, body });
  }, [form, isDirty, subject, body]);
  const close = () => (isDirty() ? setAsking(true) : onOpenChange(false));
  const restoreId = (id: string) => setMail({ id, customerId });
  useLastingForm(form, { person: me.user.id, part: 'send', newId: [mail.id, restoreId], isLeftBehind });
  const email = quote.customer?.email ?? '';
  return (
    <Sheet
      open={open}
      onOpenChange={(next) => (next ? onOpenChange(true) : close())}
      title="Send Quote"
      size="medium"
      actions={
        <>
          <Button disabled={saving} onClick={close}>
            Cancel
          </Button>
          <Button type="submit" form={formId} tone="primary" busy={saving} disabled={email === '' || !hasItems(quote.sections)}>
            {saving ? 'Sending...' : 'Send'}
          </Button>
        </>
      }
    >
      <form id={formId} noValidate onSubmit={submit} className="space-y-4">
        {!me.sends_mail && (
          <Banner tone="warn">
            Mail isn't set up on this server. The message will wait in the administrator's outbox. You can copy the link and send it
            yourself.
          </Banner>
        )}
        <ConfirmEmailBanner before="send quotes" />
        {!hasItems(quote.sections) && <NoItems quote={quote} sentence="There is nothing to send: add at least one item first." />}
        {email === '' ? <NoEmail quote={quote} /> : <TextField label="To" value={email} readOnly />}
        <TextField {...form.register('subject')} label="Subject" maxLength={200} error={errors.subject?.message} />
        <TextAreaField
          {...form.register('body')}
          label="Message"
          rows={12}
          maxLength={5000}
          hint="We add a button to view the quote below your message."
          error={errors.body?.message}
        />
      </form>
      <ConfirmDialog
        open={isAsking}
        onOpenChange={setAsking}
        title="Discard this email?"
        description="It hasn't been sent."
        confirmLabel="Discard"
        cancelLabel="Keep editing"
        onConfirm={end}
      />
    </Sheet>
  );
}

function NoEmail({ quote: { customer } }: { quote: Quote }) {
  return (
    <Banner
      tone="danger"
      actions={
        customer && (
          <Link
            to="/customers/$id"
            params={{ id: customer.id }}
            search={{ edit: 'true' }}
            className="-my-2.5 inline-block py-2.5 font-medium underline"
          >
            Add an email
          </Link>
        )
      }
    >
      Customer email not found
    </Banner>
  );
}

const MAX_SUBJECT = 200;

/** A text that can be sent as it is. */
function defaultMail({ quote_number: number, title, customer, sections }: Quote, company: string | null) {
  const choose = sections.length > 1 && sections.some(({ always_required }) => !always_required) ? ', choose the options you want' : '';
  const paragraphs = [
    customer ? `Hello ${customer.name},` : 'Hello,',
    company ? `Thank you for considering ${company}.` : 'Thank you for considering us.',
    `Here is our quote for “${title}”. You can read it online${choose} and accept it there.`,
    'If you have any questions, please get in touch.',
    ['Kind regards', company].filter(Boolean).join(',\n'),
  ];
  return { subject: `Quote ${number}${company ? ` from ${company}` : ''}`.slice(0, MAX_SUBJECT), body: paragraphs.join('\n\n') };
}
