import type { PublicInvoice } from '@callout/contract/public-invoices';
import { type ReactNode, useEffect, useState } from 'react';
import { DocumentPage } from '../../../public-pages/document-page.tsx';
import { NoticeBanner, type PageNotice } from '../../../public-pages/notice-banner.tsx';
import { LoadingPage, MissingPage, PageEnd } from '../../../public-pages/page-states.tsx';
import { useRecordedOpening } from '../../../public-pages/use-recorded-opening.ts';
import { Button } from '../../../ui/button.tsx';
import { recordOpening } from './invoices-public.api.ts';
import { firstMethod, isToPay, type PaymentMethod } from './payment-choice.ts';
import { InvoiceDetails, InvoicePayments } from './public-invoice-details.tsx';
import { AmountCard, companyNameOf, InvoiceHeader, InvoiceParties } from './public-invoice-head.tsx';
import { InvoicePaymentMethods } from './public-invoice-payment.tsx';
import { usePublicInvoice } from './use-public-invoice.ts';

/** What a customer sees at the link of an invoice: no shell, no sign-in. */
export function PublicInvoicePage({ token }: { token: string }) {
  const { view, notice, reload } = usePublicInvoice(token);
  useRecordedOpening(recordOpening, token, view.state === 'shown');
  switch (view.state) {
    case 'loading':
      return <LoadingPage text="Loading invoice..." />;
    case 'missing':
      return <MissingInvoice />;
    case 'failed':
      return (
        <MissingInvoice>
          <p className="mt-3 text-base text-ink-2">{view.reason}</p>
          <Button tone="primary" className="mt-5" onClick={reload}>
            Try again
          </Button>
        </MissingInvoice>
      );
    case 'shown':
      return <ShownInvoice token={token} invoice={view.invoice} notice={notice} />;
  }
}

interface ShownInvoiceProps {
  token: string;
  invoice: PublicInvoice;
  notice: PageNotice | null;
}

/** Every figure is the document's or the request's: nothing is added up here. */
function ShownInvoice({ token, invoice, notice }: ShownInvoiceProps) {
  const { document: bill } = invoice;
  const [chosen, setChosen] = useState<PaymentMethod | null>(null);
  const method = chosen ?? firstMethod(invoice);
  const title = `Invoice #${bill.job_number} · ${companyNameOf(bill)}`;
  useEffect(() => {
    document.title = title;
  }, [title]);
  return (
    <>
      <DocumentPage
        top={notice && <NoticeBanner key={notice.text} notice={notice} />}
        header={
          <div className="lg:grid lg:grid-cols-[minmax(0,1fr)_22rem] lg:items-end lg:gap-6 print:block">
            <InvoiceHeader token={token} invoice={invoice} />
            <AmountCard invoice={invoice} method={method} />
          </div>
        }
        description={null}
        aside={
          <>
            <InvoicePayments invoice={invoice} />
            {isToPay(invoice) && <InvoicePaymentMethods invoice={invoice} method={method} onChoose={setChosen} />}
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
      <PageEnd text={null} />
    </>
  );
}

function MissingInvoice({ children }: { children?: ReactNode }) {
  return (
    <MissingPage title="Invoice Not Found" text="The invoice you're looking for doesn't exist or is not accessible.">
      {children}
    </MissingPage>
  );
}
