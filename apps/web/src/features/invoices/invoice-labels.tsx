import type { Invoice } from '@callout/contract/invoices';
import { pluralize } from '@callout/domain/text/count-format';
import { type PillTone, StatusPill } from '../../ui/status-pill.tsx';

const STATUS_PILLS: Readonly<Record<Invoice['shown_status'], { text: string; tone: PillTone }>> = {
  unsent: { text: 'Not sent', tone: 'warn' },
  due: { text: 'Due', tone: 'info' },
  overdue: { text: 'Overdue', tone: 'danger' },
  paid: { text: 'Paid', tone: 'ok' },
  replaced: { text: 'Replaced', tone: 'neutral' },
  canceled: { text: 'Canceled', tone: 'neutral' },
};

export const InvoiceStatusPill = ({ invoice: { kind, shown_status } }: { invoice: Pick<Invoice, 'kind' | 'shown_status'> }) =>
  kind === 'credit_note' ? <StatusPill text="Credit note" /> : <StatusPill {...STATUS_PILLS[shown_status]} />;

/** Returns true for an open invoice that was neither emailed nor handed over. */
export const isInvoiceUnsent = ({ kind, state, sent_at }: Pick<Invoice, 'kind' | 'state' | 'sent_at'>) =>
  kind === 'invoice' && state === 'open' && sent_at === null;

/** Says that an invoice was paid before its customer got it. While it is unpaid, its status already says that it isn't sent. */
export const NotSentNote = ({ invoice }: { invoice: Pick<Invoice, 'kind' | 'state' | 'sent_at' | 'shown_status'> }) =>
  isInvoiceUnsent(invoice) && invoice.shown_status !== 'unsent' ? <span className="block text-sm text-warn-ink">Not sent yet</span> : null;

/** Formats '1 invoice, not sent yet' or '1 of 3 invoices not sent yet'. Returns null if all were sent. */
export function formatUnsentCount(count: number, unsent: number): string | null {
  if (unsent === 0) return null;
  return unsent === count ? `${pluralize(count, 'invoice')}, not sent yet` : `${unsent} of ${pluralize(count, 'invoice')} not sent yet`;
}

export const formatDayCount = (count: number) => pluralize(count, 'day');

/** Formats what superseded an invoice, such as 'Canceled by CN-2026-0003, replaced by INV-2026-0188'. Returns null if nothing did. */
export function formatSuccessor({ credited_by, replaced_by }: Pick<Invoice, 'credited_by' | 'replaced_by'>): string | null {
  if (credited_by && replaced_by) return `Canceled by ${credited_by.invoice_number}, replaced by ${replaced_by.invoice_number}`;
  if (credited_by) return `Canceled by ${credited_by.invoice_number}`;
  return replaced_by && `Replaced by ${replaced_by.invoice_number}`;
}

/** Builds the URL of the invoice's PDF, exactly as it was sent to the customer. */
export const buildInvoicePdfUrl = ({ id }: Pick<Invoice, 'id'>) => `/api/invoices/${id}/pdf`;
