import type { Billing, Invoice, InvoiceMail } from '@callout/contract/invoices';
import { isPositiveAmount } from '@callout/domain/money/money';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Banknote, Download, FileCheck, HandCoins } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { ActivityCard, ActivityEvent, DocumentOpenedEvent, MailDeliveryEvent } from '../../lib/activity-card.tsx';
import { hasErrorCode } from '../../lib/error-messages.ts';
import { useNeedsConnection } from '../../lib/online-button.tsx';
import { QueryView } from '../../lib/query-view.tsx';
import { TimeZoneNote } from '../../lib/time-zone-note.tsx';
import { useDocumentTitle } from '../../lib/use-document-title.ts';
import { Banner } from '../../ui/banner.tsx';
import { AnchorButton } from '../../ui/link-button.tsx';
import { MoreMenu } from '../../ui/menu.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { RecordSkeleton } from '../../ui/skeleton.tsx';
import { SUMMARY_LINK_CLASSES } from '../../ui/summary-field.tsx';
import { DESKTOP_UP, useMediaQuery } from '../../ui/use-browser-state.ts';
import { useMe } from '../company/company.api.ts';
import { JobNotFound, JobStatusPill } from '../jobs/job-labels.tsx';
import { InPersonPaymentCard, MissingPaymentMethodsHint } from './in-person-payment.tsx';
import { buildInvoicePdfUrl } from './invoice-labels.tsx';
import { billingQueryOptions, buildJobInvoicePdfUrl, useRetryInvoiceMail } from './invoices-billing.api.ts';
import { PaymentActions, PhoneInvoiceLinks, PhonePaymentActions } from './payment-actions.tsx';
import { PaymentBill } from './payment-bill.tsx';
import { type PaymentDialog, PaymentDialogs } from './payment-dialogs.tsx';
import { PaymentList } from './payment-list.tsx';
import { PaymentNotices } from './payment-notices.tsx';
import { canBePaid, hasNothingToBill, isInvoicingEarly, isSettled } from './payment-state.ts';
import { SentInvoices } from './sent-invoices.tsx';
import { useInvoiceToday } from './use-invoice-today.ts';
import { usePaymentCommands } from './use-payment-commands.ts';

interface PaymentPageProps {
  id: string;
  onPaid: () => void;
}

export function PaymentPage({ id, onPaid }: PaymentPageProps) {
  const query = useQuery(billingQueryOptions(id));
  useDocumentTitle('Payment');
  useInvoiceToday();
  return (
    <QueryView query={query} isInCard skeleton={<RecordSkeleton label="Loading..." fields={6} />} notFound={<JobNotFound />}>
      {(billing) => <LoadedBilling billing={billing} isMissing={hasErrorCode(query.error, 'NOT_FOUND')} onPaid={onPaid} />}
    </QueryView>
  );
}

function LoadedBilling({ billing, isMissing, onPaid }: { billing: Billing; isMissing: boolean; onPaid: () => void }) {
  const isDesktop = useMediaQuery(DESKTOP_UP);
  const baseCommands = usePaymentCommands(billing, onPaid);
  const [dialog, setDialog] = useState<PaymentDialog | null>(null);
  const shouldConfirmSend = isInvoicingEarly(billing) && Boolean(billing.job.customer?.email);
  const commands = shouldConfirmSend ? { ...baseCommands, sendMail: () => setDialog({ kind: 'send' }) } : baseCommands;
  const onRecordPayment = () => setDialog({ kind: 'record' });
  const onIssue = () => setDialog({ kind: 'issue' });
  const onCredit = (invoice: Invoice) => setDialog({ kind: 'credit', invoice });
  const actions = isDesktop ? (
    <PaymentActions billing={billing} commands={commands} onIssue={onIssue} onRecordPayment={onRecordPayment} />
  ) : (
    <PhonePaymentActions billing={billing} commands={commands} onIssue={onIssue} onRecordPayment={onRecordPayment} />
  );
  if (isMissing) return <DeletedJobBilling billing={billing} />;
  return (
    <>
      <BillingHeader billing={billing} actions={<BillingActions billing={billing} onIssue={onIssue} onRecordPayment={onRecordPayment} />} />
      <PaymentNotices billing={billing} commands={commands} onIssue={onIssue} onCredit={onCredit} />
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 print:block lg:grid-cols-[minmax(0,1fr)_17rem] xl:grid-cols-[minmax(0,1fr)_24rem]">
        <div className="space-y-4">
          {!isDesktop && <PhoneInvoiceLinks billing={billing} onQr={() => setDialog({ kind: 'qr' })} />}
          <PaymentBill billing={billing} />
          {!isDesktop && actions}
          {!isDesktop && <MissingPaymentMethodsHint billing={billing} />}
          <PaymentList billing={billing} onReverse={(payment) => setDialog({ kind: 'reverse', payment })} />
          <SentInvoices billing={billing} onCredit={onCredit} />
        </div>
        <div className="space-y-4 print:hidden">
          {isDesktop && actions}
          {isDesktop && <InPersonPaymentCard billing={billing} />}
          <InvoiceActivity billing={billing} />
        </div>
      </div>
      <PaymentDialogs billing={billing} commands={baseCommands} dialog={dialog} onClose={() => setDialog(null)} onPaid={onPaid} />
    </>
  );
}

function BillingHeader({ billing: { job }, actions }: { billing: Billing; actions?: ReactNode }) {
  return (
    <PageHeader
      title="Payment"
      note={<TimeZoneNote />}
      aside={
        <span className="flex flex-wrap items-center gap-x-3 gap-y-1 text-base text-ink-2">
          <JobStatusPill status={job.status} />
          <Link to="/jobs/$id" params={{ id: job.id }} className={SUMMARY_LINK_CLASSES}>
            #{job.job_number}
          </Link>
        </span>
      }
      actions={actions}
    />
  );
}

/** Read-only view of a job that was deleted while this page was open. */
function DeletedJobBilling({ billing }: { billing: Billing }) {
  return (
    <>
      <BillingHeader billing={billing} />
      <Banner tone="warn" className="mb-4">
        This job has been deleted. This is the last saved version.
      </Banner>
      <PaymentBill billing={billing} />
    </>
  );
}

type BillingActionsProps = Record<'onIssue' | 'onRecordPayment', () => void> & { billing: Billing };

/** Offers the PDF of the open invoice, or of the job's current state if no invoice is open. */
function BillingActions({ billing, onIssue, onRecordPayment }: BillingActionsProps) {
  const { job, invoice, differs } = billing;
  const disabledReason = useNeedsConnection();
  const { sends_mail: sendsMail } = useMe();
  // Without email, issuing is the page's main action.
  const canIssue = sendsMail && job.status !== 'canceled' && (!invoice || differs) && !hasNothingToBill(billing);
  // Customers also pay twice, or for a canceled job. While something is due, the page offers this beside Mark as Paid.
  const canRecord = !canBePaid(billing) || isSettled(billing);
  const menuItems = [
    ...(canIssue ? [{ label: 'Issue without email', icon: FileCheck, onSelect: onIssue, disabledReason }] : []),
    ...(canRecord ? [{ label: 'Record payment', icon: Banknote, onSelect: onRecordPayment, disabledReason }] : []),
  ];
  return (
    <div className="flex gap-2 print:hidden">
      <AnchorButton
        href={invoice ? buildInvoicePdfUrl(invoice) : buildJobInvoicePdfUrl(job.id)}
        download={`${invoice?.invoice_number ?? `Invoice-${job.job_number}`}.pdf`}
        className="max-sm:px-3.5"
      >
        <Download aria-hidden="true" />
        <span className="max-sm:sr-only">Download PDF</span>
      </AnchorButton>
      {menuItems.length > 0 && <MoreMenu items={menuItems} />}
    </div>
  );
}

function InvoiceActivity({ billing }: { billing: Billing }) {
  const { invoices, mails, first_opened_at } = billing;
  const handedOver = invoices.filter(({ handed_over_by }) => handed_over_by !== null);
  if (mails.length === 0 && handedOver.length === 0 && !first_opened_at) return null;
  return (
    <ActivityCard>
      <DocumentOpenedEvent record={billing} />
      {handedOver.map(({ id, invoice_number, sent_at, handed_over_by }) => (
        <ActivityEvent key={id} icon={HandCoins} tone="ok" headline="Handed over" {...(sent_at && { occurredAt: sent_at })}>
          <p className="tabular-nums">{invoice_number}</p>
          <p>By {handed_over_by}</p>
        </ActivityEvent>
      ))}
      {mails.map((mail) => (
        <InvoiceMailEvent key={mail.id} mail={mail} canResend={canResendMail(mail, billing)} />
      ))}
    </ActivityCard>
  );
}

/** Returns true for emails about the open invoice. Reminders can be resent only while an amount is outstanding. */
const canResendMail = ({ kind, invoice_number }: InvoiceMail, { invoice, request }: Billing) =>
  invoice_number === invoice?.invoice_number && (kind === 'invoice' || isPositiveAmount(request.outstanding));

function InvoiceMailEvent({ mail, canResend }: { mail: InvoiceMail; canResend: boolean }) {
  const retry = useRetryInvoiceMail();
  return (
    <MailDeliveryEvent mail={mail} retry={canResend ? retry : undefined}>
      <p className="tabular-nums">{mail.invoice_number}</p>
    </MailDeliveryEvent>
  );
}
