import { QuoteMailInput } from '@callout/contract/quote-input';
import type { Quote } from '@callout/contract/quotes';
import { hasQuoteItems } from '@callout/domain/quotes/quote';
import { Link } from '@tanstack/react-router';
import { useEffect, useId, useState } from 'react';
import { createId } from '../../lib/create-id.ts';
import { hasErrorCode } from '../../lib/error-messages.ts';
import { OnlineButton } from '../../lib/online-button.tsx';
import { MAIL_NOT_SET_UP_MESSAGE } from '../../lib/unsent-mail.ts';
import { usePersistentFormDraft } from '../../lib/use-persistent-draft.ts';
import { useServerForm } from '../../lib/use-server-form.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog, Sheet } from '../../ui/dialog.tsx';
import { TextAreaField, TextField } from '../../ui/text-field.tsx';
import { useMe, useProfile } from '../company/company.api.ts';
import { ConfirmEmailBanner } from '../company/confirm-email-banner.tsx';
import { NoItemsBanner } from './no-items-banner.tsx';
import { useCopyQuoteLink } from './quote-actions.tsx';
import { useSendQuote } from './quotes.api.ts';

const MailFields = QuoteMailInput.omit({ mail_id: true });

interface SendQuoteDialogProps {
  quote: Quote;
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** Called after the email is sent or discarded, so that reopening the dialog starts a new email. */
  onFinished: () => void;
}

/** Emails the quote, or offers its link on a server that can't send email. */
export function SendQuoteDialog(props: SendQuoteDialogProps) {
  return useMe().sends_mail ? <QuoteMailDialog {...props} /> : <QuoteLinkDialog {...props} />;
}

function QuoteLinkDialog({ quote, open, onOpenChange }: SendQuoteDialogProps) {
  const link = useCopyQuoteLink(quote);
  const copyLinkAndClose = async () => {
    if (await link.copy()) onOpenChange(false);
  };
  return (
    <Sheet
      open={open}
      onOpenChange={onOpenChange}
      title="Send Quote"
      actions={
        <>
          <Button onClick={() => onOpenChange(false)}>Cancel</Button>
          <Button tone="primary" busy={link.isMarking} disabled={!hasQuoteItems(quote.sections)} onClick={() => void copyLinkAndClose()}>
            Copy Link
          </Button>
        </>
      }
    >
      <div className="space-y-4">
        <Banner tone="warn">{`${MAIL_NOT_SET_UP_MESSAGE} Copy the link and send it to your customer yourself.`}</Banner>
        {!hasQuoteItems(quote.sections) && <NothingToSendBanner quote={quote} />}
      </div>
    </Sheet>
  );
}

const NothingToSendBanner = ({ quote }: { quote: Quote }) => (
  <NoItemsBanner quote={quote} message="There is nothing to send: add at least one item first." />
);

/** Emails the customer a link to the quote. The text survives failures and a change of customer; closing asks before discarding it. */
function QuoteMailDialog({ quote, open, onOpenChange, onFinished }: SendQuoteDialogProps) {
  const company = useProfile()?.company_name ?? null;
  const me = useMe();
  const send = useSendQuote();
  const { customer_id: customerId } = quote;
  /** The id is created once per customer, so that a retry after a lost response doesn't send a second email. */
  const [mail, setMail] = useState(() => ({ id: createId(), customerId }));
  if (mail.customerId !== customerId) setMail({ id: createId(), customerId });
  const [isDiscardDialogOpen, setDiscardDialogOpen] = useState(false);
  const formId = useId();
  const finish = () => {
    onLeaving(true);
    onOpenChange(false);
    onFinished();
  };
  const { subject, body } = buildDefaultMail(quote, company);
  const { form, submit, saving, isDirty, onLeaving, isAbandoned } = useServerForm({
    schema: MailFields,
    defaultValues: { subject, body },
    save: (text) => send.mutateAsync({ id: quote.id, mail_id: mail.id, ...text }),
    onSaved: finish,
    onFailed: (error) => {
      // Retrying can't succeed, because the quote is closed or this email was already sent.
      if (hasErrorCode(error, 'QUOTE_CLOSED') || hasErrorCode(error, 'ID_TAKEN')) finish();
    },
  });
  const { errors } = form.formState;
  useEffect(() => {
    // Until the user edits the text, it follows changes to the quote and its customer.
    if (!isDirty()) form.reset({ subject, body });
  }, [form, isDirty, subject, body]);
  const close = () => (isDirty() ? setDiscardDialogOpen(true) : onOpenChange(false));
  const restoreId = (id: string) => setMail({ id, customerId });
  usePersistentFormDraft(form, { person: me.user.id, part: 'send', newRecordId: [mail.id, restoreId], isAbandoned });
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
          <OnlineButton type="submit" form={formId} tone="primary" busy={saving} disabled={email === '' || !hasQuoteItems(quote.sections)}>
            {saving ? 'Sending...' : 'Send'}
          </OnlineButton>
        </>
      }
    >
      <form id={formId} noValidate onSubmit={submit} className="space-y-4">
        <ConfirmEmailBanner blockedAction="send quotes" />
        {!hasQuoteItems(quote.sections) && <NothingToSendBanner quote={quote} />}
        {email === '' ? <MissingEmailBanner quote={quote} /> : <TextField label="To" value={email} readOnly />}
        <TextField {...form.register('subject')} label="Subject" maxLength={200} error={errors.subject?.message} />
        <TextAreaField
          {...form.register('body')}
          label="Message"
          rows={12}
          maxLength={5000}
          hint="A button to view the quote is added below your message."
          error={errors.body?.message}
        />
      </form>
      <ConfirmDialog
        open={isDiscardDialogOpen}
        onOpenChange={setDiscardDialogOpen}
        title="Discard this email?"
        description="It hasn't been sent."
        confirmLabel="Discard"
        cancelLabel="Keep editing"
        onConfirm={finish}
      />
    </Sheet>
  );
}

function MissingEmailBanner({ quote: { customer } }: { quote: Quote }) {
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

const MAX_SUBJECT_LENGTH = 200;

function buildDefaultMail({ quote_number: number, title, customer, sections }: Quote, company: string | null) {
  const choose = sections.length > 1 && sections.some(({ always_required }) => !always_required) ? ', choose the options you want' : '';
  const paragraphs = [
    customer ? `Hi ${customer.name},` : 'Hi,',
    company ? `Thank you for considering ${company}.` : 'Thank you for considering us.',
    `Here is our quote for “${title}”. You can read it online${choose} and accept it there.`,
    'If you have any questions, please get in touch.',
    ['Kind regards', company].filter(Boolean).join(',\n'),
  ];
  return { subject: `Quote ${number}${company ? ` from ${company}` : ''}`.slice(0, MAX_SUBJECT_LENGTH), body: paragraphs.join('\n\n') };
}
