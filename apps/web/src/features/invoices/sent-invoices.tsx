import type { Billing, Invoice } from '@callout/contract/invoices';
import { formatMoney } from '@callout/domain/money/money-format';
import { formatCivilDate } from '@callout/domain/time/date-format';
import { Ban, Download } from 'lucide-react';
import { useNeedsConnection } from '../../lib/online-button.tsx';
import { FIGURE_CLASSES } from '../../lib/priced-lines.tsx';
import { Banner } from '../../ui/banner.tsx';
import { getIconButtonClasses } from '../../ui/button-classes.ts';
import { Card } from '../../ui/card.tsx';
import { MoreMenu } from '../../ui/menu.tsx';
import { buildInvoicePdfUrl, formatDayCount, formatSuccessor, InvoiceStatusPill, NotSentNote } from './invoice-labels.tsx';

interface SentInvoicesProps {
  billing: Billing;
  onCredit: (invoice: Invoice) => void;
}

export function SentInvoices({ billing: { invoices }, onCredit }: SentInvoicesProps) {
  if (invoices.length === 0) return null;
  return (
    <section aria-labelledby="sent-invoices" className="print:hidden">
      <Card>
        <h2 id="sent-invoices" tabIndex={-1} className="px-4 pt-4 pb-2 text-lg font-semibold lg:px-5">
          Invoices
        </h2>
        <ul aria-label="Invoices" className="divide-y border-t">
          {invoices.map((invoice) => (
            <SentInvoiceRow key={invoice.id} invoice={invoice} onCredit={onCredit} />
          ))}
        </ul>
      </Card>
    </section>
  );
}

function SentInvoiceRow({ invoice, onCredit }: { invoice: Invoice; onCredit: SentInvoicesProps['onCredit'] }) {
  const { invoice_number: number, issued_on, total_amount, currency, kind, state, shown_status, days_late, is_intact } = invoice;
  const disabledReason = useNeedsConnection();
  const menuLabel = `More actions for ${number}`;
  return (
    <li className="flex flex-wrap items-start gap-x-2 py-2.5 pr-2 pl-4 text-base lg:pl-5">
      <div className="min-w-0 flex-1 basis-28 py-1.5">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <span className="font-medium tabular-nums">{number}</span>
          <InvoiceStatusPill invoice={invoice} />
          {shown_status === 'overdue' && <span className="text-sm text-danger-ink">{`${formatDayCount(days_late)} late`}</span>}
        </p>
        <p className="text-sm text-ink-3 tabular-nums">{formatCivilDate(issued_on)}</p>
        <p className="text-sm text-ink-2 tabular-nums">{formatDocumentRelation(invoice)}</p>
        <NotSentNote invoice={invoice} />
        {!is_intact && (
          <Banner tone="danger" className="mt-2">
            This copy may have been altered since it was sent.
          </Banner>
        )}
      </div>
      <p className={`${FIGURE_CLASSES} ml-auto py-1.5 font-medium`}>
        {formatMoney(kind === 'credit_note' ? `-${total_amount}` : total_amount, currency)}
      </p>
      <a
        href={buildInvoicePdfUrl(invoice)}
        download={`${number}.pdf`}
        title="Download PDF"
        aria-label={`Download PDF of ${number}`}
        className={getIconButtonClasses()}
      >
        <Download aria-hidden="true" />
      </a>
      <div className="size-11 shrink-0 lg:size-9">
        {kind === 'invoice' && state === 'open' && (
          <MoreMenu
            label={menuLabel}
            items={[{ label: 'Cancel with a credit note', icon: Ban, tone: 'danger', onSelect: () => onCredit(invoice), disabledReason }]}
          />
        )}
      </div>
    </li>
  );
}

/** Returns 'Replaced by …', 'Canceled by …', 'Replaces …' or 'Cancels …', or null for an invoice without related documents. */
function formatDocumentRelation(invoice: Invoice): string | null {
  const { kind, replaces } = invoice;
  return formatSuccessor(invoice) ?? (replaces && `${kind === 'credit_note' ? 'Cancels' : 'Replaces'} ${replaces.invoice_number}`);
}
