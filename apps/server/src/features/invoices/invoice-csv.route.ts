import { SearchTerm } from '@callout/contract/fields';
import { InvoiceFilters, type InvoiceRow } from '@callout/contract/invoices';
import type { InvoiceDisplayStatus, InvoiceKind } from '@callout/domain/invoices/invoice';
import type { FastifyInstance } from 'fastify';
import { listRecords } from '../../platform/db/keyset-list.ts';
import type { TenantScope } from '../../platform/db/tenant-scope.ts';
import { type PreparedExport, registerCsvExport } from '../../platform/http/csv-export.ts';
import type { Platform } from '../../platform/http/platform.ts';
import { readReceivedFees } from '../jobs/job-payments.sql.ts';
import { buildInvoiceFilter, type InvoiceQuery, invoiceList } from './invoice-list.sql.ts';
import { readCompanyToday, withDisplayStatus } from './list-invoices.ts';

/** Registers a CSV export of the invoices that match the list's filters, sorted by number. */
export function registerInvoiceCsvRoute(app: FastifyInstance, platform: Platform): void {
  registerCsvExport(app, platform, {
    path: '/api/invoices.csv',
    needs: 'payments.manage',
    input: InvoiceFilters.extend({ search: SearchTerm.optional() }),
    prepare: prepareInvoiceExport,
    columns: COLUMNS,
  });
}

async function prepareInvoiceExport(scope: TenantScope, query: InvoiceQuery): Promise<PreparedExport<ExportedInvoice>> {
  const today = await readCompanyToday(scope);
  const filter = buildInvoiceFilter(query, today);
  return {
    fileName: `invoices-${today}.csv`,
    async readPage(page) {
      const { rows, next_cursor } = await listRecords(scope, invoiceList, { ...filter, ...page, sort: 'invoice_number', order: 'asc' });
      const fees = await readReceivedFees(scope, [...new Set(rows.map(({ job_id }) => job_id))]);
      const exported = withDisplayStatus(scope, rows).map((row) => ({
        ...row,
        paid_fee: isOpenInvoice(row) ? (fees.get(row.job_id) ?? '0.00') : '0.00',
      }));
      return { rows: exported, next_cursor };
    },
  };
}

/** Payments belong to the job, and only its open invoice shows what was paid. */
const isOpenInvoice = ({ kind, state }: Pick<InvoiceRow, 'kind' | 'state'>) => kind === 'invoice' && state === 'open';

interface ExportedInvoice extends Omit<InvoiceRow, 'is_mail_failed' | 'job_status' | 'matched'> {
  /** The PayPal fees received on top of `paid_amount`. */
  readonly paid_fee: string;
  readonly cancels: string | null;
}

const KIND_LABELS: Record<InvoiceKind, string> = { invoice: 'Invoice', credit_note: 'Credit note' };
const STATUS_LABELS: Record<InvoiceDisplayStatus, string> = {
  unsent: 'Not sent',
  due: 'Due',
  overdue: 'Overdue',
  paid: 'Paid',
  replaced: 'Replaced',
  canceled: 'Canceled',
};

type CellFormatter = (invoice: ExportedInvoice) => string;

/** Formats amounts so that each column adds up to the list's totals: credit notes are negative, and replaced invoices are blank. */
const createAmountFormatter =
  (name: 'subtotal' | 'tax_amount' | 'total_amount' | 'paid_amount' | 'paid_fee' | 'balance'): CellFormatter =>
  ({ kind, state, [name]: value }) => {
    if (state === 'replaced') return '';
    return kind === 'credit_note' && Number(value) !== 0 ? `-${value}` : value;
  };

const formatStatus: CellFormatter = ({ kind, shown_status, replaced_by }) => {
  if (kind === 'credit_note') return '';
  return shown_status === 'replaced' && replaced_by ? `Replaced by ${replaced_by.invoice_number}` : STATUS_LABELS[shown_status];
};

const COLUMNS: Readonly<Record<string, CellFormatter>> = {
  Number: ({ invoice_number }) => invoice_number,
  Kind: ({ kind }) => KIND_LABELS[kind],
  Issued: ({ issued_on }) => issued_on,
  Due: ({ due_on }) => due_on ?? '',
  Job: ({ job_number }) => job_number,
  Title: ({ title }) => title,
  Customer: ({ customer_name }) => customer_name,
  Subtotal: createAmountFormatter('subtotal'),
  GST: createAmountFormatter('tax_amount'),
  Total: createAmountFormatter('total_amount'),
  Paid: createAmountFormatter('paid_amount'),
  Balance: createAmountFormatter('balance'),
  Status: formatStatus,
  Currency: ({ currency }) => currency ?? '',
  // New columns come last, so that the columns before them keep their places in spreadsheets that people have built on the export.
  'PayPal Fee': createAmountFormatter('paid_fee'),
  Cancels: ({ cancels }) => cancels ?? '',
  'Replaced by': ({ replaced_by }) => replaced_by?.invoice_number ?? '',
};
