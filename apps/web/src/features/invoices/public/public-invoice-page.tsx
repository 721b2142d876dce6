import type { PublicInvoice } from '@callout/contract/public-invoices';
import { type ReactNode, useEffect, useState } from 'react';
import { DocumentPage, DownloadPdfLink } from '../../../public-pages/document-page.tsx';
import { NoticeBanner, type PageNotice } from '../../../public-pages/notice-banner.tsx';
import { LoadingPage, NotFoundPage, PageFooter } from '../../../public-pages/page-states.tsx';
import { useOpenTracking } from '../../../public-pages/use-open-tracking.ts';
import { Button } from '../../../ui/button.tsx';
import { buildPublicPdfUrl, recordInvoiceOpened } from './invoices-public.api.ts';
import { getDefaultMethod, isPaymentDue, type PublicPaymentMethod } from './payment-methods.ts';
import { InvoiceDetails, InvoicePayments } from './public-invoice-details.tsx';
import { AmountCard, getCompanyName, InvoiceHeader, InvoiceParties } from './public-invoice-header.tsx';
import { InvoicePaymentMethods } from './public-invoice-payment.tsx';
import { usePublicInvoice } from './use-public-invoice.ts';

export function PublicInvoicePage({ token }: { token: string }) {
  const { view, notice, reload } = usePublicInvoice(token);
  useOpenTracking(recordInvoiceOpened, token, view.state === 'loaded');
  switch (view.state) {
    case 'loading':
      return <LoadingPage text="Loading invoice..." />;
    case 'missing':
      return <InvoiceNotFound />;
    case 'failed':
      return (
        <InvoiceNotFound>
          <p className="mt-3 text-base text-ink-2">{view.reason}</p>
          <Button tone="primary" className="mt-5" onClick={reload}>
            Try again
          </Button>
        </InvoiceNotFound>
      );
    case 'loaded':
      return <LoadedInvoice token={token} invoice={view.invoice} notice={notice} />;
  }
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
            <DownloadPdfLink url={buildPublicPdfUrl(token)} />
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

function InvoiceNotFound({ children }: { children?: ReactNode }) {
  return (
    <NotFoundPage title="Invoice Not Found" text="The invoice you're looking for doesn't exist or is not accessible.">
      {children}
    </NotFoundPage>
  );
}
