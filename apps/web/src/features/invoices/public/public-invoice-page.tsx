import type { PublicInvoice } from '@callout/contract/public-invoices';
import { useEffect, useState } from 'react';
import { DocumentPage, DownloadPdfLink } from '../../../public-pages/document-page.tsx';
import { NoticeBanner, type PageNotice } from '../../../public-pages/notice-banner.tsx';
import { PageFooter, PublicDocumentView } from '../../../public-pages/page-states.tsx';
import { buildPublicPath, type PublicDocumentKind, usePublicDocument } from '../../../public-pages/public-document.ts';
import { getDefaultMethod, isPaymentDue, type PublicPaymentMethod } from './payment-methods.ts';
import { InvoiceDetails, InvoicePayments } from './public-invoice-details.tsx';
import { AmountCard, getCompanyName, InvoiceHeader, InvoiceParties } from './public-invoice-header.tsx';
import { InvoicePaymentMethods } from './public-invoice-payment.tsx';

const PUBLIC_INVOICE: PublicDocumentKind<PublicInvoice> = {
  path: '/public/invoices',
  isFinal: () => false,
  describeChange: (before, now) => {
    const text = formatInvoiceChange(before, now);
    return text === null ? null : { tone: now.state === 'paid' ? 'ok' : 'info', text };
  },
};

const NOT_FOUND = { title: 'Invoice Not Found', text: "The invoice you're looking for doesn't exist or is not accessible." };

export function PublicInvoicePage({ token }: { token: string }) {
  const page = usePublicDocument(PUBLIC_INVOICE, token);
  return (
    <PublicDocumentView page={page} loadingText="Loading invoice..." notFound={NOT_FOUND}>
      {(invoice) => <LoadedInvoice token={token} invoice={invoice} notice={page.notice} />}
    </PublicDocumentView>
  );
}

function formatInvoiceChange(before: PublicInvoice, now: PublicInvoice): string | null {
  if (before.state !== now.state && now.state === 'paid') return 'This invoice has been paid. Thank you!';
  if (before.state !== now.state && now.state === 'canceled') return 'This invoice has been canceled.';
  if (now.paid_amount !== before.paid_amount) return 'Payments on this invoice have been updated.';
  const toComparable = ({ document, request }: PublicInvoice) => JSON.stringify([document, request]);
  return toComparable(before) === toComparable(now) ? null : 'This invoice has been updated.';
}

interface LoadedInvoiceProps {
  token: string;
  invoice: PublicInvoice;
  notice: PageNotice | null;
}

/** Displays amounts exactly as the server sends them and never calculates any. */
function LoadedInvoice({ token, invoice, notice }: LoadedInvoiceProps) {
  const { document: bill } = invoice;
  const [selectedMethod, setSelectedMethod] = useState<PublicPaymentMethod | null>(null);
  const method = selectedMethod ?? getDefaultMethod(invoice);
  const title = `Invoice #${bill.job_number} · ${getCompanyName(bill)}`;
  useEffect(() => {
    document.title = title;
  }, [title]);
  return (
    <>
      <DocumentPage
        notice={notice && <NoticeBanner key={notice.text} notice={notice} />}
        header={
          <div className="lg:grid lg:grid-cols-[minmax(0,1fr)_22rem] lg:items-end lg:gap-6 print:block">
            <InvoiceHeader invoice={invoice} />
            <AmountCard invoice={invoice} method={method} />
          </div>
        }
        description={null}
        aside={
          <>
            <InvoicePayments invoice={invoice} />
            {isPaymentDue(invoice) && <InvoicePaymentMethods invoice={invoice} method={method} onSelect={setSelectedMethod} />}
            <DownloadPdfLink url={`/api${buildPublicPath(PUBLIC_INVOICE, token)}/pdf`} />
          </>
        }
      >
        <div className="space-y-3">
          <InvoiceParties document={bill} />
          {bill.description !== null && bill.description !== '' && (
            <section aria-label="Description" className="py-1 text-lg [overflow-wrap:anywhere] whitespace-pre-line text-ink-2">
              {bill.description}
            </section>
          )}
          <InvoiceDetails invoice={invoice} />
        </div>
      </DocumentPage>
      <PageFooter text={null} />
    </>
  );
}
