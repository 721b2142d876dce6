import type { Billing, Invoice, InvoiceMail, Payment } from '@callout/contract/invoices';
import type { PaymentMethod } from '@callout/domain/invoices/invoice';
import { isPositive } from '@callout/domain/money/money';
import { formatMoney } from '@callout/domain/money/money-text';
import { formatCivilDate } from '@callout/domain/time/date-format';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Download, Ellipsis, FileCheck } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { ActivityCard, MailEvent, OpenedEvent } from '../../lib/activity.tsx';
import { hasCode } from '../../lib/error-messages.ts';
import { QueryView } from '../../lib/query-view.tsx';
import { useDocumentTitle } from '../../lib/use-document-title.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button, IconButton } from '../../ui/button.tsx';
import { ConfirmDialog, Sheet } from '../../ui/dialog.tsx';
import { FACT_LINK } from '../../ui/fact.tsx';
import { AnchorButton } from '../../ui/link-button.tsx';
import { Menu } from '../../ui/menu.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { SkeletonRecord } from '../../ui/skeleton.tsx';
import { DESK_UP, useMediaQuery } from '../../ui/use-browser-state.ts';
import { useLazyModule } from '../../ui/use-lazy-module.ts';
import { JobNotFound, JobStatusPill } from '../jobs/job-labels.tsx';
import { invoicePdfUrl } from './invoice-labels.tsx';
import { billingOptions, jobInvoicePdfUrl, useRetryInvoiceMail } from './invoices-billing.api.ts';
import { amountAsked, MissingPaymentMethods, PayOnTheSpot, QrWithLink } from './pay-on-the-spot.tsx';
import { PaymentActions, PhoneActions, PhoneLinks } from './payment-actions.tsx';
import { PaymentBill } from './payment-bill.tsx';
import { PaymentList } from './payment-list.tsx';
import { PaymentNotices } from './payment-notices.tsx';
import { isEarly, isNothingToBill, linkToPay } from './payment-state.ts';
import { SentInvoices } from './sent-invoices.tsx';
import { useInvoiceDay } from './use-invoice-day.ts';
import { type PaymentCommands, usePaymentCommands } from './use-payment-commands.ts';

interface PaymentPageProps {
  id: string;
  /** Leads back to the job, once it is paid. */
  onPaid: () => void;
}

/** A job's bill, and everything that turns it into money. */
export function PaymentPage({ id, onPaid }: PaymentPageProps) {
  const query = useQuery(billingOptions(id));
  useDocumentTitle('Payment');
  useInvoiceDay();
  return (
    <QueryView query={query} inCard skeleton={<SkeletonRecord label="Loading..." fields={6} />} notFound={<JobNotFound />}>
      {(billing) => <LoadedBilling billing={billing} isMissing={hasCode(query.error, 'NOT_FOUND')} onPaid={onPaid} />}
    </QueryView>
  );
}

type OpenDialog =
  | { readonly kind: 'record' | 'qr' | 'issue' | 'send' }
  | { readonly kind: 'reverse'; readonly payment: Payment }
  | { readonly kind: 'credit'; readonly invoice: Invoice }
  | null;

function LoadedBilling({ billing, isMissing, onPaid }: { billing: Billing; isMissing: boolean; onPaid: () => void }) {
  const isDesk = useMediaQuery(DESK_UP);
  const given = usePaymentCommands(billing, onPaid);
  const [dialog, setDialog] = useState<OpenDialog>(null);
  const mustAsk = isEarly(billing) && Boolean(billing.job.customer?.email);
  const commands = mustAsk ? { ...given, sendMail: () => setDialog({ kind: 'send' }) } : given;
  const onRecord = () => setDialog({ kind: 'record' });
  const onCredit = (invoice: Invoice) => setDialog({ kind: 'credit', invoice });
  const actions = isDesk ? (
    <PaymentActions billing={billing} commands={commands} onRecord={onRecord} />
  ) : (
    <PhoneActions billing={billing} commands={commands} onRecord={onRecord} />
  );
  if (isMissing) return <Deleted billing={billing} />;
  return (
    <>
      <BillingHeader billing={billing} actions={<MoreActions billing={billing} onIssue={() => setDialog({ kind: 'issue' })} />} />
      <PaymentNotices billing={billing} commands={commands} onCredit={onCredit} />
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 print:block lg:grid-cols-[minmax(0,1fr)_22rem] xl:grid-cols-[minmax(0,1fr)_24rem]">
        <div className="space-y-4">
          {!isDesk && <PhoneLinks billing={billing} onQr={() => setDialog({ kind: 'qr' })} />}
          <PaymentBill billing={billing} />
          {!isDesk && actions}
          {!isDesk && <MissingPaymentMethods billing={billing} />}
          <PaymentList billing={billing} onReverse={(payment) => setDialog({ kind: 'reverse', payment })} />
          <SentInvoices billing={billing} onCredit={onCredit} />
        </div>
        <div className="space-y-4 print:hidden">
          {isDesk && actions}
          {isDesk && <PayOnTheSpot billing={billing} />}
          <InvoiceActivity billing={billing} />
        </div>
      </div>
      <Dialogs billing={billing} commands={given} dialog={dialog} onClose={() => setDialog(null)} onPaid={onPaid} />
    </>
  );
}

function BillingHeader({ billing: { job }, actions }: { billing: Billing; actions?: ReactNode }) {
  return (
    <PageHeader
      title="Payment"
      aside={
        <span className="flex flex-wrap items-center gap-x-3 gap-y-1 text-base text-ink-2">
          <JobStatusPill status={job.status} />
          <Link to="/jobs/$id" params={{ id: job.id }} className={FACT_LINK}>
            #{job.job_number}
          </Link>
        </span>
      }
      actions={actions}
    />
  );
}

/** Deleted elsewhere while it is open here: nothing can be sent or paid any more. */
function Deleted({ billing }: { billing: Billing }) {
  return (
    <>
      <BillingHeader billing={billing} />
      <Banner tone="warn" className="mb-4">
        This job has been deleted. This is its last version.
      </Banner>
      <PaymentBill billing={billing} />
    </>
  );
}

/** The PDF of what the customer has, or of the job as it is now; and what is seldom needed. */
function MoreActions({ billing, onIssue }: { billing: Billing; onIssue: () => void }) {
  const { job, invoice, differs } = billing;
  const mayIssue = job.status !== 'canceled' && (!invoice || differs) && !isNothingToBill(billing);
  return (
    <div className="flex gap-2 print:hidden">
      <AnchorButton
        href={invoice ? invoicePdfUrl(invoice) : jobInvoicePdfUrl(job.id)}
        download={`${invoice?.invoice_number ?? `Invoice-${job.job_number}`}.pdf`}
        className="max-sm:px-3.5"
      >
        <Download aria-hidden="true" />
        <span className="max-sm:sr-only">Download PDF</span>
      </AnchorButton>
      {mayIssue && (
        <Menu
          label="More actions"
          trigger={
            <IconButton label="More actions">
              <Ellipsis aria-hidden="true" />
            </IconButton>
          }
          items={[{ label: 'Issue without email', icon: FileCheck, onSelect: onIssue }]}
        />
      )}
    </div>
  );
}

function InvoiceActivity({ billing }: { billing: Billing }) {
  if (billing.mails.length === 0 && !billing.first_opened_at) return null;
  return (
    <ActivityCard>
      <OpenedEvent of={billing} />
      {billing.mails.map((mail) => (
        <InvoiceMailEvent key={mail.id} mail={mail} maySend={maySendAgain(mail, billing)} />
      ))}
    </ActivityCard>
  );
}

/** What was replaced or canceled is not sent again, and nobody is reminded of what is paid. */
const maySendAgain = ({ kind, invoice_number }: InvoiceMail, { invoice, request }: Billing) =>
  invoice_number === invoice?.invoice_number && (kind === 'invoice' || isPositive(request.outstanding));

function InvoiceMailEvent({ mail, maySend }: { mail: InvoiceMail; maySend: boolean }) {
  const retry = useRetryInvoiceMail();
  return (
    <MailEvent mail={mail} retry={maySend ? retry : undefined}>
      <p className="tabular-nums">{mail.invoice_number}</p>
    </MailEvent>
  );
}

interface DialogsProps {
  billing: Billing;
  commands: PaymentCommands;
  dialog: OpenDialog;
  onClose: () => void;
  onPaid: () => void;
}

const PAID_HOW: Readonly<Record<PaymentMethod, string>> = {
  bank_transfer: 'paid by bank transfer',
  cash: 'paid in cash',
  card: 'paid by card',
  paypal: 'paid with PayPal',
  other: 'paid',
};

/** Their code comes when they first open. They stay afterwards: what was typed into one is there when it is opened again. */
function Dialogs({ billing, commands, dialog, onClose, onPaid }: DialogsProps) {
  const { document } = billing;
  const link = linkToPay(billing);
  const [recordCount, setRecordCount] = useState(0);
  /** What is being closed stays until it is gone, or the focus could not return. */
  const [latest, setLatest] = useState(dialog);
  if (dialog && dialog !== latest) setLatest(dialog);
  const record = useLazyModule(() => import('./record-payment-dialog.tsx'), dialog?.kind === 'record', onClose);
  const isTakingBack = dialog?.kind === 'reverse' || dialog?.kind === 'credit';
  const takeBack = useLazyModule(() => import('./reason-dialog.tsx'), isTakingBack, onClose);
  const onOpenChange = (open: boolean) => open || onClose();
  const onRecorded = (answer: Billing | undefined) => {
    setRecordCount(recordCount + 1);
    if (answer?.job.status === 'paid') onPaid();
  };
  return (
    <>
      {record && (
        <record.RecordPaymentDialog
          key={recordCount}
          billing={billing}
          open={dialog?.kind === 'record'}
          onOpenChange={onOpenChange}
          onRecorded={onRecorded}
        />
      )}
      {takeBack && latest?.kind === 'reverse' && (
        <takeBack.ReasonDialog
          key={latest.payment.id}
          id={latest.payment.id}
          headingId="payments"
          open={dialog?.kind === 'reverse'}
          onOpenChange={onOpenChange}
          title="Reverse payment?"
          description={`This reverses ${formatMoney(latest.payment.amount, document.currency)} ${PAID_HOW[latest.payment.method]} on ${formatCivilDate(latest.payment.paid_on)}. Both entries stay in the list.`}
          label="Note"
          confirmLabel="Reverse payment"
          busy={commands.isReversing}
          onConfirm={(note) => commands.reverse(latest.payment, note)}
        />
      )}
      {takeBack && latest?.kind === 'credit' && (
        <takeBack.ReasonDialog
          key={latest.invoice.id}
          id={latest.invoice.id}
          headingId="sent-invoices"
          open={dialog?.kind === 'credit'}
          onOpenChange={onOpenChange}
          title={`Cancel ${latest.invoice.invoice_number}?`}
          description={`A credit note of ${formatMoney(latest.invoice.total_amount, document.currency)} cancels it. Both are kept, and payments stay with the job.`}
          label="Reason"
          confirmLabel="Cancel with a credit note"
          busy={commands.isCrediting}
          onConfirm={(reason) => commands.credit(latest.invoice, reason)}
        />
      )}
      <ConfirmDialog
        open={dialog?.kind === 'issue'}
        onOpenChange={onOpenChange}
        title="Issue without email?"
        description={`${isEarly(billing) ? `This job is not complete yet. The invoice for ${billing.current.total}` : 'The invoice'} gets its number and date and can't be changed afterwards. No email is sent: print it, or send it yourself.`}
        confirmLabel="Issue invoice"
        tone="primary"
        busy={commands.isSending}
        fallbackFocusId="sent-invoices"
        onConfirm={() => commands.issueByHand(onClose)}
      />
      <ConfirmDialog
        open={dialog?.kind === 'send'}
        onOpenChange={onOpenChange}
        title="Send invoice?"
        description={`This job is not complete yet. The invoice for ${billing.current.total} will be sent and its figures kept.`}
        confirmLabel="Send invoice"
        tone="primary"
        onConfirm={() => {
          commands.sendMail();
          onClose();
        }}
      />
      {link && (
        <Sheet
          open={dialog?.kind === 'qr'}
          onOpenChange={onOpenChange}
          title={`Pay ${amountAsked(billing)}`}
          actions={<Button onClick={onClose}>Done</Button>}
        >
          <QrWithLink link={link} />
        </Sheet>
      )}
    </>
  );
}
