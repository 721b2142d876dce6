import type { Billing, Invoice, InvoiceMail } from '@callout/contract/invoices';
import { isPositive } from '@callout/domain/money/money';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Download, Ellipsis, FileCheck } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { ActivityCard, MailEvent, OpenedEvent } from '../../lib/activity.tsx';
import { hasCode } from '../../lib/error-messages.ts';
import { QueryView } from '../../lib/query-view.tsx';
import { useDocumentTitle } from '../../lib/use-document-title.ts';
import { Banner } from '../../ui/banner.tsx';
import { IconButton } from '../../ui/button.tsx';
import { FACT_LINK } from '../../ui/fact.tsx';
import { AnchorButton } from '../../ui/link-button.tsx';
import { Menu } from '../../ui/menu.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { SkeletonRecord } from '../../ui/skeleton.tsx';
import { DESK_UP, useMediaQuery } from '../../ui/use-browser-state.ts';
import { JobNotFound, JobStatusPill } from '../jobs/job-labels.tsx';
import { invoicePdfUrl } from './invoice-labels.tsx';
import { billingOptions, jobInvoicePdfUrl, useRetryInvoiceMail } from './invoices-billing.api.ts';
import { MissingPaymentMethods, PayOnTheSpot } from './pay-on-the-spot.tsx';
import { PaymentActions, PhoneActions, PhoneLinks } from './payment-actions.tsx';
import { PaymentBill } from './payment-bill.tsx';
import { type PaymentDialog, PaymentDialogs } from './payment-dialogs.tsx';
import { PaymentList } from './payment-list.tsx';
import { PaymentNotices } from './payment-notices.tsx';
import { isEarly, isNothingToBill } from './payment-state.ts';
import { SentInvoices } from './sent-invoices.tsx';
import { useInvoiceDay } from './use-invoice-day.ts';
import { usePaymentCommands } from './use-payment-commands.ts';

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

function LoadedBilling({ billing, isMissing, onPaid }: { billing: Billing; isMissing: boolean; onPaid: () => void }) {
  const isDesk = useMediaQuery(DESK_UP);
  const given = usePaymentCommands(billing, onPaid);
  const [dialog, setDialog] = useState<PaymentDialog | null>(null);
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
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 print:block lg:grid-cols-[minmax(0,1fr)_17rem] xl:grid-cols-[minmax(0,1fr)_24rem]">
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
      <PaymentDialogs billing={billing} commands={given} dialog={dialog} onClose={() => setDialog(null)} onPaid={onPaid} />
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
