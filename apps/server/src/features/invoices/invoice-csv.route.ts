import { Readable } from 'node:stream';
import { SearchTerm } from '@callout/contract/fields';
import { InvoiceFilters, type InvoiceRow } from '@callout/contract/invoices';
import { CSV_BYTE_ORDER_MARK, formatCsvLine } from '@callout/domain/documents/csv';
import type { InvoiceDisplayStatus, InvoiceKind } from '@callout/domain/invoices/invoice';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type pg from 'pg';
import { listRecords } from '../../platform/db/keyset-list.ts';
import { runTenantQuery, type Tenant } from '../../platform/db/tenant-scope.ts';
import { createInvalidInputFailure } from '../../platform/errors/failures.ts';
import type { Platform } from '../../platform/http/platform.ts';
import { requireTenant } from '../../platform/http/request-session.ts';
import { createConcurrencyLimit } from '../../platform/limits/concurrency-limit.ts';
import { createRateLimitFailure } from '../../platform/limits/rate-limit.ts';
import { readReceivedFees } from '../jobs/job-payments.sql.ts';
import { buildInvoiceFilter, type InvoiceListFilter, invoiceList } from './invoice-list.sql.ts';
import { readCompanyToday, withDisplayStatus } from './list-invoices.ts';

/** An export reads all invoices, so a company with many runs only one or two at a time and leaves the database to others. */
const exportSlots = createConcurrencyLimit({ total: 8, perKey: 2 });
const EXPORT_RETRY_SECONDS = 10;

const ExportFilters = InvoiceFilters.extend({ search: SearchTerm.optional() });

/** Registers a CSV export of the invoices that match the list's filters, sorted by number. */
export function registerInvoiceCsvRoute(app: FastifyInstance, platform: Platform): void {
  const pool = platform.pools.app;
  app.get('/api/invoices.csv', async (request, reply) => {
    const tenant = await requireTenant(request, platform, 'payments.manage');
    const filters = parseExportFilters(request);
    // If the browser has canceled during the sign-in check, 'close' was emitted already and would never release the slot.
    if (reply.raw.destroyed) return reply.hijack();
    const release = exportSlots.tryAcquire(tenant.companyId);
    if (!release) throw createRateLimitFailure(EXPORT_RETRY_SECONDS, 'Other exports are still running. Please try again in a moment.');
    // Also emitted when the browser cancels the download.
    reply.raw.once('close', release);
    const today = await runTenantQuery(pool, tenant, readCompanyToday);
    const pages = streamInvoicePages(pool, tenant, buildInvoiceFilter(filters, today));
    // Read the first page before responding, so that a failure returns an error instead of a truncated file.
    const firstPage = await pages.next();
    return reply
      .type('text/csv; charset=utf-8')
      .headers({
        'content-disposition': `attachment; filename="invoices-${today}.csv"`,
        'cache-control': 'private, no-store',
        'x-content-type-options': 'nosniff',
      })
      .send(Readable.from(streamCsv(firstPage.value ?? [], pages)));
  });
}

function parseExportFilters({ query }: FastifyRequest) {
  const { success, data, error } = ExportFilters.safeParse(query);
  if (!success) throw createInvalidInputFailure(Object.fromEntries(error.issues.map(({ path, message }) => [path.join('.'), message])));
  return data;
}

/** Holds one page in memory, and no connection while the client reads. Invoice numbers never change, so each invoice appears once. */
async function* streamInvoicePages(pool: pg.Pool, tenant: Tenant, filter: InvoiceListFilter) {
  let cursor: string | undefined;
  do {
    const input = { ...filter, sort: 'invoice_number', order: 'asc', cursor } as const;
    const { rows, fees, next_cursor } = await runTenantQuery(pool, tenant, async (scope) => {
      const page = await listRecords(scope, invoiceList, input);
      return {
        ...page,
        fees: await readReceivedFees(
          scope,
          page.rows.map(({ job_id }) => job_id),
        ),
      };
    });
    yield withDisplayStatus(tenant, rows).map((row) => ({
      ...row,
      paid_fee: isOpenInvoice(row) ? (fees.get(row.job_id) ?? '0.00') : '0.00',
    }));
    cursor = next_cursor ?? undefined;
  } while (cursor !== undefined);
}

/** Payments belong to the job, and only its open invoice shows what was paid. */
const isOpenInvoice = ({ kind, state }: Pick<InvoiceRow, 'kind' | 'state'>) => kind === 'invoice' && state === 'open';

type InvoicePage = (ReturnType<typeof withDisplayStatus<Parameters<typeof withDisplayStatus>[1][number]>>[number] & {
  /** The PayPal fees received on top of `paid_amount`. */
  readonly paid_fee: string;
})[];

async function* streamCsv(firstPage: InvoicePage, otherPages: AsyncIterable<InvoicePage>): AsyncGenerator<string> {
  yield `${CSV_BYTE_ORDER_MARK}${formatCsvLine(Object.keys(COLUMNS))}${formatCsvRows(firstPage)}`;
  for await (const page of otherPages) yield formatCsvRows(page);
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

type CellFormatter = (invoice: InvoicePage[number]) => string;

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
  // The last column, so that the columns before it keep their places in spreadsheets that people have built on the export.
  'PayPal Fee': createAmountFormatter('paid_fee'),
};

const formatCsvRows = (page: InvoicePage) =>
  page.map((invoice) => formatCsvLine(Object.values(COLUMNS).map((cell) => cell(invoice)))).join('');
