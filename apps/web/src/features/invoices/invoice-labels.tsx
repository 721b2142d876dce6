import type { Invoice } from '@callout/contract/invoices';
import { countText } from '@callout/domain/text/count-text';
import { type PillTone, StatusPill } from '../../ui/status-pill.tsx';

const PILLS: Readonly<Record<Invoice['shown_status'], { text: string; tone: PillTone }>> = {
  due: { text: 'Due', tone: 'info' },
  overdue: { text: 'Overdue', tone: 'danger' },
  paid: { text: 'Paid', tone: 'ok' },
  replaced: { text: 'Replaced', tone: 'neutral' },
  canceled: { text: 'Canceled', tone: 'neutral' },
};

export const InvoiceStatusPill = ({ invoice: { kind, shown_status } }: { invoice: Pick<Invoice, 'kind' | 'shown_status'> }) =>
  kind === 'credit_note' ? <StatusPill text="Credit note" /> : <StatusPill {...PILLS[shown_status]} />;

/** '1 day', '36 days' */
export const daysText = (count: number) => countText(count, 'day');

/** What became of an invoice: 'Replaced by INV-2026-0188'. Null while it is the latest. */
export function successorText({ replaced_by: next }: Pick<Invoice, 'replaced_by'>): string | null {
  return next && `${next.kind === 'credit_note' ? 'Canceled' : 'Replaced'} by ${next.invoice_number}`;
}

/** A file for the browser to download, as it was sent. */
export const invoicePdfUrl = ({ id }: Pick<Invoice, 'id'>) => `/api/invoices/${id}/pdf`;
