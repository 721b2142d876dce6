import { Readable } from 'node:stream';
import { Search } from '@callout/contract/fields';
import { InvoiceFilters } from '@callout/contract/invoices';
import { CSV_START, csvLine } from '@callout/domain/documents/csv';
import type { InvoiceKind, ShownInvoiceStatus } from '@callout/domain/invoices/invoice';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type pg from 'pg';
import { listRecords } from '../../platform/db/keyset-list.ts';
import { readAs, type Tenant } from '../../platform/db/tenant-scope.ts';
import { invalidInput } from '../../platform/errors/failures.ts';
import type { Platform } from '../../platform/http/platform.ts';
import { requireTenant } from '../../platform/http/request-actor.ts';
import { type InvoiceListFilter, invoiceFilter, invoiceList } from './invoice-list.sql.ts';
import { asShown, readToday } from './list-invoices.ts';

const ExportedFilters = InvoiceFilters.extend({ search: Search.optional() });

/** The invoices of the list's filter as a file for the bookkeeper, in the order of their numbers. */
export function invoiceCsvRoute(app: FastifyInstance, platform: Platform): void {
  const pool = platform.pools.app;
  app.get('/api/invoices.csv', async (request, reply) => {
    const tenant = await requireTenant(request, platform, 'payments.manage');
    const asked = filtersIn(request);
    const today = await readAs(pool, tenant, readToday);
    const pages = readPages(pool, tenant, invoiceFilter(asked, today));
    // Before the answer starts: what fails now is answered as an error, not as a file that breaks off.
    const first = await pages.next();
    return reply
      .type('text/csv; charset=utf-8')
      .headers({
        'content-disposition': `attachment; filename="invoices-${today}.csv"`,
        'cache-control': 'private, no-store',
        'x-content-type-options': 'nosniff',
      })
      .send(Readable.from(linesOf(first.value ?? [], pages)));
  });
}

function filtersIn({ query }: FastifyRequest) {
  const { success, data, error } = ExportedFilters.safeParse(query);
  if (!success) throw invalidInput(Object.fromEntries(error.issues.map(({ path, message }) => [path.join('.'), message])));
  return data;
}

/** A page in memory at a time, and no connection while the client reads. By number, which never changes: each invoice comes once. */
async function* readPages(pool: pg.Pool, tenant: Tenant, filter: InvoiceListFilter) {
  let cursor: string | undefined;
  do {
    const input = { ...filter, sort: 'invoice_number', order: 'asc', cursor } as const;
    const { rows, next_cursor } = await readAs(pool, tenant, (scope) => listRecords(scope, invoiceList, input));
    yield asShown(tenant, rows);
    cursor = next_cursor ?? undefined;
  } while (cursor !== undefined);
}

type Page = ReturnType<typeof asShown<Parameters<typeof asShown>[1][number]>>;

async function* linesOf(first: Page, others: AsyncIterable<Page>): AsyncGenerator<string> {
  yield `${CSV_START}${csvLine(Object.keys(COLUMNS))}${textOf(first)}`;
  for await (const page of others) yield textOf(page);
}

const KINDS: Record<InvoiceKind, string> = { invoice: 'Invoice', credit_note: 'Credit note' };
const STATUSES: Record<ShownInvoiceStatus, string> = {
  due: 'Due',
  overdue: 'Overdue',
  paid: 'Paid',
  replaced: 'Replaced',
  canceled: 'Canceled',
};

type Cell = (invoice: Page[number]) => string;

/**
 * The columns add up to the totals of the list. A credit note takes back: its amounts are negative, so that it and its invoice add up to
 * nothing. An invoice that was replaced keeps its number but has no amounts: those of the corrected one count.
 */
const amount =
  (name: 'subtotal' | 'tax_amount' | 'total_amount' | 'paid_amount' | 'balance'): Cell =>
  ({ kind, state, [name]: value }) => {
    if (state === 'replaced') return '';
    return kind === 'credit_note' && Number(value) !== 0 ? `-${value}` : value;
  };

const statusOf: Cell = ({ kind, shown_status, replaced_by }) => {
  if (kind === 'credit_note') return '';
  return shown_status === 'replaced' && replaced_by ? `Replaced by ${replaced_by.invoice_number}` : STATUSES[shown_status];
};

const COLUMNS: Readonly<Record<string, Cell>> = {
  Number: ({ invoice_number }) => invoice_number,
  Kind: ({ kind }) => KINDS[kind],
  Issued: ({ issued_on }) => issued_on,
  Due: ({ due_on }) => due_on ?? '',
  Job: ({ job_number }) => job_number,
  Title: ({ title }) => title,
  Customer: ({ customer_name }) => customer_name,
  Subtotal: amount('subtotal'),
  GST: amount('tax_amount'),
  Total: amount('total_amount'),
  Paid: amount('paid_amount'),
  Balance: amount('balance'),
  Status: statusOf,
  Currency: ({ currency }) => currency ?? '',
};

const textOf = (page: Page) => page.map((invoice) => csvLine(Object.values(COLUMNS).map((cell) => cell(invoice)))).join('');
