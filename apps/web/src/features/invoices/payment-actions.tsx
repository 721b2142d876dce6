import type { Billing } from '@callout/contract/invoices';
import { formatMoney } from '@callout/domain/money/money-text';
import { Link } from '@tanstack/react-router';
import { Check, ExternalLink, Link2, Mail, QrCode } from 'lucide-react';
import type { ReactNode } from 'react';
import { messageLink } from '../../lib/contact-urls.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { classes } from '../../ui/classes.ts';
import { AnchorButton } from '../../ui/link-button.tsx';
import { toast } from '../../ui/toast.ts';
import { useMe, useProfile } from '../company/company.api.ts';
import { ConfirmEmailBanner } from '../company/confirm-email-banner.tsx';
import { useRecordDeposit } from './invoices-billing.api.ts';
import { asksForDeposit, isDepositPaid, isFinished, isNothingToBill, isSettled, linkToPay, mayBePaid, nextStep } from './payment-state.ts';
import { type PaymentCommands, useRepeatableIds } from './use-payment-commands.ts';

interface ActionsProps {
  billing: Billing;
  commands: PaymentCommands;
  onRecord: () => void;
}

/** In order of use: send it, hand over the link, take the money. */
export function PaymentActions({ billing, commands, onRecord }: ActionsProps) {
  const mayPay = mayBePaid(billing);
  return (
    <section aria-label="Actions" className="print:hidden">
      <Card className="divide-y">
        <div className="space-y-2 p-4">
          {maySend(billing) && <SendButton billing={billing} commands={commands} wide />}
          <InvoiceLinks billing={billing} />
          <SendHint billing={billing} />
        </div>
        {mayPay && (
          <div className="space-y-2 p-4">
            <div className="flex flex-wrap items-center justify-between gap-2">
              <p className="text-base text-ink-2">Paid by cash or bank transfer?</p>
              <PayButton billing={billing} commands={commands} />
            </div>
            <RecordPayment billing={billing} onRecord={onRecord} />
          </div>
        )}
      </Card>
    </section>
  );
}

/** A phone: what is done most often is docked above the menu, within the thumb's reach. With large letters its buttons have no icons. */
export function PhoneActions({ billing, commands, onRecord }: ActionsProps) {
  const mayPay = mayBePaid(billing);
  return (
    <section aria-label="Actions" className="space-y-3 print:hidden">
      <SendHint billing={billing} />
      {mayPay && <RecordPayment billing={billing} onRecord={onRecord} />}
      {(maySend(billing) || mayPay) && (
        <div
          data-docked="bottom"
          className="fixed inset-x-0 bottom-[calc(var(--menu-bar-height)+env(safe-area-inset-bottom))] @container z-30 mb-0! flex h-17 items-center gap-2 border-t bg-surface px-4 *:min-h-12 *:flex-auto *:px-2 print:hidden"
        >
          {maySend(billing) && <SendButton billing={billing} commands={commands} />}
          {mayPay && <PayButton billing={billing} commands={commands} />}
        </div>
      )}
    </section>
  );
}

/** Above the bill: the customer may be standing there, phone in hand. */
export function PhoneLinks({ billing, onQr }: { billing: Billing; onQr: () => void }) {
  return (
    <InvoiceLinks billing={billing}>
      {linkToPay(billing) && (
        <Button onClick={onQr} className={LINK_BUTTON}>
          <QrCode aria-hidden="true" />
          QR code
        </Button>
      )}
    </InvoiceLinks>
  );
}

const LARGE_LETTERS_HIDE = '@max-[18rem]:hidden';

/** The invoice of a canceled job can be canceled, not sent. */
const maySend = ({ job }: Billing) => job.status !== 'canceled';

function SendButton({ billing, commands, wide = false }: Pick<ActionsProps, 'billing' | 'commands'> & { wide?: boolean }) {
  return (
    <Button
      tone={nextStep(billing) === 'send' ? 'primary' : 'secondary'}
      wide={wide}
      busy={commands.isSending}
      disabled={isNothingToBill(billing)}
      onClick={commands.sendMail}
    >
      <Mail aria-hidden="true" className={LARGE_LETTERS_HIDE} />
      {commands.isSending ? 'Sending…' : 'Send Payment Email'}
    </Button>
  );
}

/** One click takes what is asked for now: all of it, or the deposit that was requested with the quote. */
function PayButton({ billing, commands }: Pick<ActionsProps, 'billing' | 'commands'>) {
  const { job, document, request, payments } = billing;
  const deposit = useRecordDeposit();
  const ids = useRepeatableIds();
  const isDeposit = asksForDeposit(billing);
  const recordDeposit = () =>
    deposit.mutate({ id: ids.idFor(`deposit ${payments.length}`), job_id: job.id, amount: request.amount, note: null });
  const isBusy = commands.isMarking || deposit.isPending;
  const label = isDeposit ? `Record deposit ${formatMoney(request.amount, document.currency)}` : 'Mark as Paid';
  return (
    <Button
      tone={nextStep(billing) === 'pay' ? 'primary' : 'secondary'}
      busy={isBusy}
      onClick={isDeposit ? recordDeposit : commands.markAsPaid}
    >
      <Check aria-hidden="true" className={classes(LARGE_LETTERS_HIDE, isDeposit && 'max-sm:hidden')} />
      {isBusy ? 'Saving…' : label}
    </Button>
  );
}

function RecordPayment({ billing, onRecord }: Pick<ActionsProps, 'billing' | 'onRecord'>) {
  const { document, request } = billing;
  const isDeposit = asksForDeposit(billing);
  const money = (amount: string) => formatMoney(amount, document.currency);
  if (isSettled(billing)) return <p className="text-sm text-ink-2">Nothing is due: this only marks the job as paid.</p>;
  return (
    <p className="text-sm text-ink-2">
      {`Records ${money(isDeposit ? request.amount : request.outstanding)} by bank transfer, today. `}
      {isDeposit && `For all of ${money(request.outstanding)}, or another day or method: `}
      {!isDeposit && !isFinished(billing) && 'The job is not complete yet, so it counts as a deposit. '}
      <button type="button" onClick={onRecord} className={TEXT_BUTTON}>
        Record payment…
      </button>
    </p>
  );
}

const TEXT_BUTTON = '-my-3 inline-block py-3 font-medium text-accent-ink hover:underline lg:-my-1 lg:py-1';
const LINK_BUTTON =
  'max-lg:min-w-24 max-lg:flex-1 max-lg:flex-col max-lg:gap-1 max-lg:px-1 max-lg:py-2 max-lg:text-sm max-lg:whitespace-normal';

/** What the customer gets to see, and how to hand it to them. */
function InvoiceLinks({ billing, children }: { billing: Billing; children?: ReactNode }) {
  const { public_path: path } = billing;
  const shown = linkSentence(billing);
  return (
    <>
      <div className="flex flex-wrap gap-2 print:hidden">
        <Button onClick={() => void copyInvoiceLink(path)} className={`${LINK_BUTTON} lg:flex-1`}>
          <Link2 aria-hidden="true" />
          Copy Invoice Link
        </Button>
        <AnchorButton href={path} target="_blank" rel="noopener" className={LINK_BUTTON}>
          <ExternalLink aria-hidden="true" />
          Preview
        </AnchorButton>
        {children}
      </div>
      {shown !== null && <p className="text-sm text-ink-2 print:hidden">{shown}</p>}
    </>
  );
}

/** What is behind the link while there is no open invoice; null when it is what everybody expects. */
function linkSentence(billing: Billing): string | null {
  const { invoices, invoice } = billing;
  if (!maySend(billing)) return invoices.length === 0 ? 'The link shows no invoice while the job is canceled.' : null;
  if (invoice) return null;
  const canceled = invoices.find(({ kind }) => kind === 'invoice');
  if (canceled) return `The link still shows the canceled ${canceled.invoice_number} until a new invoice is sent.`;
  if (isNothingToBill(billing)) return 'Your customer sees a draft until you send the invoice.';
  if (isDepositPaid(billing))
    return 'The page says that the deposit is paid. It asks for the rest when the job is complete or you send the invoice.';
  return 'Your customer sees a draft until you send the invoice. To send the link yourself, choose “Issue without email” in More actions.';
}

const publicUrl = (path: string) => new URL(path, window.location.origin).href;

const COPY = { subject: 'copy-invoice-link' };

async function copyInvoiceLink(path: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(publicUrl(path));
    toast.success('Invoice link copied to clipboard', COPY);
  } catch {
    toast.error('Your browser blocked copying. Open Preview and copy the link from there.', COPY);
  }
}

/** One sentence on what the email will do, or why it can't be sent. */
function SendHint({ billing }: { billing: Billing }) {
  const [me, profile] = [useMe(), useProfile()];
  const { job, document } = billing;
  if (!maySend(billing)) return null;
  if (isNothingToBill(billing)) {
    return (
      <p className="text-sm text-ink-2">
        {'There is nothing to invoice: add items or a fixed amount first. '}
        <Link to="/jobs/$id" params={{ id: job.id }} className={TEXT_BUTTON}>
          Open the job
        </Link>
      </p>
    );
  }
  const email = job.customer?.email ?? '';
  if (email === '') return <NoEmail billing={billing} />;
  const { subject, body } = ownMail(billing, profile?.company_name ?? null);
  // Behind the link would be an invoice that was canceled.
  const isCredited = !billing.invoice && billing.invoices.length > 0;
  const mail = isCredited ? null : messageLink(email, subject, body);
  return (
    <>
      {!me.sends_mail && (
        <Banner tone="warn">
          Mail isn't set up on this server. The message will wait in the administrator's outbox. You can copy the link and send it yourself.
        </Banner>
      )}
      <ConfirmEmailBanner before="send invoices" />
      <p className="text-sm text-ink-2 [overflow-wrap:anywhere]">
        {`${sendSentence(billing, email, document.currency)} `}
        {mail && (
          <a href={mail} className={TEXT_BUTTON}>
            Open in mail app
          </a>
        )}
      </p>
    </>
  );
}

function sendSentence(billing: Billing, email: string, currency: string | null): string {
  const { job, invoice, differs, current } = billing;
  if (invoice && differs) {
    return `Sends a corrected invoice of ${formatMoney(current.exact.total, currency)} to ${email}. It replaces ${invoice.invoice_number}.`;
  }
  if (invoice) return `Sends ${invoice.invoice_number} to ${email} again, with the link and the PDF.`;
  const what = `Sends the invoice link and the PDF to ${email}`;
  return job.status === 'complete' ? `${what} and marks the job as invoiced.` : `${what}.`;
}

function NoEmail({ billing: { job } }: { billing: Billing }) {
  return (
    <p className="text-sm text-danger-ink">
      {'Customer email not found. '}
      {job.customer && (
        <Link to="/customers/$id" params={{ id: job.customer.id }} search={{ edit: 'true' }} className={TEXT_BUTTON}>
          Add an email
        </Link>
      )}
    </p>
  );
}

/** A text for the person's own mail program that can be sent as it is. */
function ownMail({ document, request, public_path: path }: Billing, company: string | null) {
  const { job_number: number, title, customer, currency, due } = document;
  const total = formatMoney(request.total, currency);
  const byTransfer = request.fee === '0.00' ? '' : `, or ${formatMoney(request.amount, currency)} by bank transfer`;
  const paragraphs = [
    customer ? `Hello ${customer.name},` : 'Hello,',
    `Here is our invoice for “${title}”:\n${publicUrl(path)}`,
    ...(request.total === '0.00' ? [] : [`To pay: ${total}${byTransfer}. ${due}.`]),
    ['Kind regards', company].filter(Boolean).join(',\n'),
  ];
  return { subject: `Invoice #${number}${company ? ` from ${company}` : ''}`, body: paragraphs.join('\n\n') };
}
