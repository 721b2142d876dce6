import type { Billing } from '@callout/contract/invoices';
import { formatMoney } from '@callout/domain/money/money-format';
import { Link } from '@tanstack/react-router';
import { Check, ExternalLink, FileCheck, HandCoins, Link2, Mail, QrCode } from 'lucide-react';
import type { ReactNode } from 'react';
import { buildPrefilledMailtoUrl } from '../../lib/contact-urls.ts';
import { OnlineButton } from '../../lib/online-button.tsx';
import { MAIL_NOT_SET_UP_MESSAGE } from '../../lib/unsent-mail.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { classNames } from '../../ui/class-names.ts';
import { AnchorButton } from '../../ui/link-button.tsx';
import { toast } from '../../ui/toast.ts';
import { useCan, useMe, useProfile } from '../company/company.api.ts';
import { ConfirmEmailBanner } from '../company/confirm-email-banner.tsx';
import { useRecordDeposit } from './invoices-billing.api.ts';
import {
  canBePaid,
  getNextStep,
  getPaymentLink,
  hasNothingToBill,
  isCredited,
  isDepositPaid,
  isDepositRequested,
  isHandOverPending,
  isJobFinished,
  isSettled,
} from './payment-state.ts';
import { type PaymentCommands, useIdempotencyKeys } from './use-payment-commands.ts';

interface PaymentActionsProps {
  billing: Billing;
  commands: PaymentCommands;
  onIssue: () => void;
  onRecordPayment: () => void;
}

/** Lists the actions in order of use: send the invoice, share its link, record the payment. */
export function PaymentActions({ billing, commands, onIssue, onRecordPayment }: PaymentActionsProps) {
  const canPay = canBePaid(billing);
  return (
    <section aria-label="Actions" className="print:hidden">
      <Card className="divide-y">
        <div className="space-y-2 p-4">
          <DeliveryButtons billing={billing} commands={commands} onIssue={onIssue} fullWidth />
          <InvoiceLinks billing={billing} />
          <SendInvoiceHint billing={billing} />
        </div>
        {canPay && (
          <div className="space-y-2 p-4">
            <div className="flex flex-wrap items-center justify-between gap-2">
              <p className="text-base text-ink-2">Paid by cash or bank transfer?</p>
              <MarkPaidButton billing={billing} commands={commands} />
            </div>
            <RecordPaymentHint billing={billing} onRecordPayment={onRecordPayment} />
          </div>
        )}
      </Card>
    </section>
  );
}

/** Docks the main actions above the navigation bar, within thumb's reach. At large text sizes, the buttons lose their icons. */
export function PhonePaymentActions({ billing, commands, onIssue, onRecordPayment }: PaymentActionsProps) {
  const canPay = canBePaid(billing);
  const hasDelivery = useDeliveryActions(billing).length > 0;
  return (
    <section aria-label="Actions" className="space-y-3 print:hidden">
      <SendInvoiceHint billing={billing} />
      {canPay && <RecordPaymentHint billing={billing} onRecordPayment={onRecordPayment} />}
      {(hasDelivery || canPay) && (
        <div
          data-docked="bottom"
          className="fixed inset-x-0 bottom-[calc(var(--menu-bar-height)+env(safe-area-inset-bottom))] @container z-30 mb-0! flex h-17 items-center gap-2 border-t bg-surface px-4 *:min-h-12 *:flex-auto *:px-2 print:hidden"
        >
          <DeliveryButtons billing={billing} commands={commands} onIssue={onIssue} />
          {canPay && <MarkPaidButton billing={billing} commands={commands} />}
        </div>
      )}
    </section>
  );
}

/** Shows the invoice links and the QR code above the bill, because the customer may be waiting to scan the code. */
export function PhoneInvoiceLinks({ billing, onQr }: { billing: Billing; onQr: () => void }) {
  return (
    <InvoiceLinks billing={billing}>
      {getPaymentLink(billing) && (
        <Button onClick={onQr} className={LINK_BUTTON_CLASSES}>
          <QrCode aria-hidden="true" />
          QR code
        </Button>
      )}
    </InvoiceLinks>
  );
}

const HIDDEN_WITH_LARGE_TEXT = '@max-[18rem]:hidden';

/** Returns false for a canceled job, because its invoice can only be canceled, not sent. */
const canSend = ({ job }: Billing) => job.status !== 'canceled';

type DeliveryAction = 'send' | 'issue' | 'hand-over';

/** Returns how the invoice can get to the customer now, the main action first. A server without email only issues invoices. */
function useDeliveryActions(billing: Billing): readonly DeliveryAction[] {
  const { sends_mail: sendsMail } = useMe();
  if (!canSend(billing)) return [];
  const handOver: readonly DeliveryAction[] = isHandOverPending(billing) ? ['hand-over'] : [];
  if (sendsMail) return ['send', ...handOver];
  return !billing.invoice || billing.differs ? ['issue'] : handOver;
}

type DeliveryButtonProps = Pick<PaymentActionsProps, 'billing' | 'commands' | 'onIssue'> & { fullWidth?: boolean };

function DeliveryButtons({ billing, commands, onIssue, fullWidth = false }: DeliveryButtonProps) {
  const { invoice } = billing;
  const actions = useDeliveryActions(billing);
  const isNext = getNextStep(billing) === 'send';
  return actions.map((action, index) => {
    const common = { fullWidth, tone: isNext && index === 0 ? ('primary' as const) : ('secondary' as const) };
    if (action === 'hand-over')
      return (
        <OnlineButton key={action} {...common} busy={commands.isHandingOver} onClick={() => invoice && commands.handOver(invoice)}>
          <HandCoins aria-hidden="true" className={HIDDEN_WITH_LARGE_TEXT} />
          {commands.isHandingOver ? 'Saving…' : 'Mark as handed over'}
        </OnlineButton>
      );
    const isMail = action === 'send';
    const Icon = isMail ? Mail : FileCheck;
    const label = isMail ? 'Send Payment Email' : invoice ? 'Issue Corrected Invoice' : 'Issue Invoice';
    return (
      <OnlineButton
        key={action}
        {...common}
        busy={commands.isSending}
        disabled={hasNothingToBill(billing)}
        onClick={isMail ? commands.sendMail : onIssue}
      >
        <Icon aria-hidden="true" className={HIDDEN_WITH_LARGE_TEXT} />
        {commands.isSending ? (isMail ? 'Sending…' : 'Saving…') : label}
      </OnlineButton>
    );
  });
}

/** Records the requested amount in one click: the deposit or everything outstanding. */
function MarkPaidButton({ billing, commands }: Pick<PaymentActionsProps, 'billing' | 'commands'>) {
  const { job, document, request, payments } = billing;
  const deposit = useRecordDeposit();
  const keys = useIdempotencyKeys();
  const isDeposit = isDepositRequested(billing);
  const recordDeposit = () =>
    deposit.mutate({ id: keys.getKey(`deposit ${payments.length}`), job_id: job.id, amount: request.amount, note: null });
  const isBusy = commands.isMarkingPaid || deposit.isPending;
  const label = isDeposit ? `Record deposit ${formatMoney(request.amount, document.currency)}` : 'Mark as Paid';
  return (
    <OnlineButton
      tone={getNextStep(billing) === 'pay' ? 'primary' : 'secondary'}
      busy={isBusy}
      onClick={isDeposit ? recordDeposit : commands.markAsPaid}
    >
      <Check aria-hidden="true" className={classNames(HIDDEN_WITH_LARGE_TEXT, isDeposit && 'max-sm:hidden')} />
      {isBusy ? 'Saving…' : label}
    </OnlineButton>
  );
}

function RecordPaymentHint({ billing, onRecordPayment }: Pick<PaymentActionsProps, 'billing' | 'onRecordPayment'>) {
  const { document, request } = billing;
  const isDeposit = isDepositRequested(billing);
  const money = (amount: string) => formatMoney(amount, document.currency);
  if (isSettled(billing)) return <p className="text-sm text-ink-2">Nothing is due. This only marks the job as paid.</p>;
  return (
    <p className="text-sm text-ink-2">
      {`Records ${money(isDeposit ? request.amount : request.outstanding)} by bank transfer, today. `}
      {isDeposit && `For the full ${money(request.outstanding)}, or another date or method: `}
      {!isDeposit && !isJobFinished(billing) && 'The job is not complete yet, so this is recorded as a deposit. '}
      <button type="button" onClick={onRecordPayment} className={TEXT_BUTTON_CLASSES}>
        Record payment…
      </button>
    </p>
  );
}

const TEXT_BUTTON_CLASSES = '-my-3 inline-block py-3 font-medium text-accent-ink hover:underline lg:-my-1 lg:py-1';
const LINK_BUTTON_CLASSES =
  'max-lg:min-w-24 max-lg:flex-1 max-lg:flex-col max-lg:gap-1 max-lg:px-1 max-lg:py-2 max-lg:text-sm max-lg:whitespace-normal';

function InvoiceLinks({ billing, children }: { billing: Billing; children?: ReactNode }) {
  const { public_path: path } = billing;
  const { sends_mail: sendsMail } = useMe();
  const linkNote = formatLinkNote(billing, sendsMail);
  return (
    <>
      <div className="flex flex-wrap gap-2 print:hidden">
        <Button onClick={() => void copyInvoiceLink(path)} className={`${LINK_BUTTON_CLASSES} lg:flex-1`}>
          <Link2 aria-hidden="true" />
          Copy Invoice Link
        </Button>
        <AnchorButton href={path} target="_blank" rel="noopener" className={`${LINK_BUTTON_CLASSES} lg:flex-1`}>
          <ExternalLink aria-hidden="true" />
          Preview
        </AnchorButton>
        {children}
      </div>
      {linkNote !== null && <p className="text-sm text-ink-2 print:hidden">{linkNote}</p>}
    </>
  );
}

/** Explains what the customer sees behind the link while no invoice is open. Returns null if no explanation is needed. */
function formatLinkNote(billing: Billing, sendsMail: boolean): string | null {
  const { invoices, invoice } = billing;
  if (!canSend(billing)) return invoices.length === 0 ? 'The link shows no invoice while the job is canceled.' : null;
  if (invoice) return null;
  const canceled = invoices.find(({ kind }) => kind === 'invoice');
  if (canceled)
    return `The link still shows the canceled ${canceled.invoice_number} until a new invoice is ${sendsMail ? 'sent' : 'issued'}.`;
  const issue = `${sendsMail ? 'send' : 'issue'} the invoice`;
  if (hasNothingToBill(billing) || (!sendsMail && !isDepositPaid(billing))) return `Your customer sees a draft until you ${issue}.`;
  if (isDepositPaid(billing))
    return `Your customer sees that the deposit is paid. The rest is due when the job is complete or you ${issue}.`;
  return 'Your customer sees a draft until you send the invoice. To send the link yourself, choose “Issue without email” in More actions.';
}

const toAbsoluteUrl = (path: string) => new URL(path, window.location.origin).href;

const COPY_TOAST_OPTIONS = { subject: 'copy-invoice-link' };

async function copyInvoiceLink(path: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(toAbsoluteUrl(path));
    toast.success('Invoice link copied to clipboard', COPY_TOAST_OPTIONS);
  } catch {
    toast.error('Your browser blocked copying. Open Preview and copy the link from there.', COPY_TOAST_OPTIONS);
  }
}

function SendInvoiceHint({ billing }: { billing: Billing }) {
  const [me, profile] = [useMe(), useProfile()];
  const { job, document } = billing;
  if (!canSend(billing)) return null;
  if (hasNothingToBill(billing)) {
    return (
      <p className="text-sm text-ink-2">
        {'There is nothing to invoice: add items or a fixed amount first. '}
        <Link to="/jobs/$id" params={{ id: job.id }} className={TEXT_BUTTON_CLASSES}>
          Open the job
        </Link>
      </p>
    );
  }
  if (!me.sends_mail) return <HandOverHint billing={billing} />;
  const email = job.customer?.email ?? '';
  if (email === '') return <MissingEmailNote billing={billing} />;
  const { subject, body } = buildMailDraft(billing, profile?.company_name ?? null);
  // After a cancellation, the link opens the canceled invoice, so offer no message that contains the link.
  const mailUrl = isCredited(billing) ? null : buildPrefilledMailtoUrl(email, subject, body);
  return (
    <>
      <ConfirmEmailBanner blockedAction="send invoices" />
      <p className="text-sm text-ink-2 [overflow-wrap:anywhere]">
        {`${formatSendPreview(billing, email, document.currency)} `}
        {mailUrl && (
          <a href={mailUrl} className={TEXT_BUTTON_CLASSES}>
            Open in mail app
          </a>
        )}
      </p>
    </>
  );
}

/** Explains how the invoice gets to the customer on a server that sends no email. */
function HandOverHint({ billing }: { billing: Billing }) {
  const profile = useProfile();
  const { invoice, differs, job } = billing;
  if (!invoice || differs) {
    return <Banner tone="warn">{MAIL_NOT_SET_UP_MESSAGE} Issue the invoice, then give your customer its link or its PDF yourself.</Banner>;
  }
  if (invoice.sent_at !== null) return null;
  const { subject, body } = buildMailDraft(billing, profile?.company_name ?? null);
  const mailUrl = job.customer?.email ? buildPrefilledMailtoUrl(job.customer.email, subject, body) : null;
  return (
    <p className="text-sm text-ink-2">
      {`${invoice.invoice_number} is issued, but not sent: email isn't set up on this server. Give your customer the link or the PDF, then mark it as handed over. `}
      {mailUrl && (
        <a href={mailUrl} className={TEXT_BUTTON_CLASSES}>
          Open in mail app
        </a>
      )}
    </p>
  );
}

function formatSendPreview(billing: Billing, email: string, currency: string | null): string {
  const { job, invoice, differs, current } = billing;
  if (invoice && differs) {
    return `Sends a corrected invoice for ${formatMoney(current.exact.amount, currency)} to ${email}. ${invoice.invoice_number} is canceled with a credit note.`;
  }
  if (invoice) {
    const again = invoice.sent_at === null || invoice.handed_over_by !== null ? '' : ' again';
    return `Sends ${invoice.invoice_number} to ${email}${again}, with the link and the PDF.`;
  }
  const summary = `Sends the invoice link and the PDF to ${email}`;
  return job.status === 'complete' ? `${summary} and marks the job as invoiced.` : `${summary}.`;
}

function MissingEmailNote({ billing: { job } }: { billing: Billing }) {
  const canEditJob = useCan('jobs.edit');
  return (
    <p className="text-sm text-danger-ink">
      {'Customer email not found. '}
      {job.customer && (
        <Link to="/customers/$id" params={{ id: job.customer.id }} search={{ edit: 'true' }} className={TEXT_BUTTON_CLASSES}>
          Add an email
        </Link>
      )}
      {!job.customer && canEditJob && (
        <Link to="/jobs/$id/edit" params={{ id: job.id }} className={TEXT_BUTTON_CLASSES}>
          Choose a customer
        </Link>
      )}
    </p>
  );
}

/** Builds a ready-to-send message for the user's own email app. */
function buildMailDraft({ document, request, public_path: path }: Billing, company: string | null) {
  const { job_number: number, title, customer, currency, due } = document;
  const total = formatMoney(request.total, currency);
  const byTransfer = request.fee === '0.00' ? '' : `, or ${formatMoney(request.amount, currency)} by bank transfer`;
  const paragraphs = [
    customer ? `Hi ${customer.name},` : 'Hi,',
    `Here is your invoice for “${title}”:\n${toAbsoluteUrl(path)}`,
    ...(request.total === '0.00' ? [] : [`Amount due: ${total}${byTransfer}. ${due}.`]),
    ['Kind regards', company].filter(Boolean).join(',\n'),
  ];
  return { subject: `Invoice #${number}${company ? ` from ${company}` : ''}`, body: paragraphs.join('\n\n') };
}
