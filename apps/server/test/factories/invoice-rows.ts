import { createHash, randomUUID } from 'node:crypto';
import { formatInvoiceNumber, type InvoiceKind, type InvoiceState } from '@callout/domain/invoices/invoice';
import { buildSearchText, buildSortKey } from '@callout/domain/search/search-text';
import { buildJobSearchKeys } from '../../src/features/jobs/save-job.sql.ts';
import type { TestApp } from '../test-app.ts';

export interface InvoiceSeed {
  readonly id?: string;
  readonly kind?: InvoiceKind;
  readonly state?: InvoiceState;
  readonly title?: string;
  readonly customer_id?: string | null;
  readonly customer_name?: string;
  readonly issued_on: string;
  readonly late_after?: string;
  /** The day of issue by default; null for an invoice that isn't sent. */
  readonly sent_on?: string | null;
  readonly total_amount?: string;
  readonly paid_amount?: string;
  /** Index in `seeds` of the invoice that this one replaces or credits. */
  readonly replaces?: number;
}

const BATCH_SIZE = 5000;

/** Inserts many invoices and returns their ids. The invoices are numbered in order, and each has its own job. */
export async function insertInvoices({ app }: Pick<TestApp, 'app'>, companyId: string, seeds: readonly InvoiceSeed[]): Promise<string[]> {
  const ids = seeds.map(({ id }) => id ?? randomUUID());
  const record = '{}';
  const sha256 = createHash('sha256').update(record).digest('hex');
  const rows = seeds.map((seed, index) => {
    const { kind = 'invoice', title = `Tap ${index}`, issued_on, total_amount = '115.00', customer_name = 'Helen Faleolo' } = seed;
    const job_number = `T${String(index).padStart(6, '0')}`;
    const invoice_number = formatInvoiceNumber(kind, Number(issued_on.slice(0, 4)), index + 1);
    return {
      company_id: companyId,
      id: ids[index],
      kind,
      year: Number(issued_on.slice(0, 4)),
      number: index + 1,
      invoice_number,
      job_id: randomUUID(),
      job_number,
      title,
      customer_id: seed.customer_id ?? null,
      customer_name,
      customer_key: buildSortKey(customer_name),
      issued_on,
      late_after: seed.late_after ?? issued_on,
      subtotal: total_amount,
      tax_amount: '0',
      total_amount,
      currency: 'NZD',
      replaces: seed.replaces === undefined ? null : (ids[seed.replaces] ?? null),
      record,
      sha256,
      created_by: 'Mia',
      created_at: `${issued_on}T00:00:00.000Z`,
      search_text: buildSearchText([invoice_number, job_number, title, customer_name]),
      state: seed.state ?? 'open',
      paid_amount: seed.paid_amount ?? '0',
      sent_at: seed.sent_on === null ? null : `${seed.sent_on ?? issued_on}T00:00:00.000Z`,
      sent_on: seed.sent_on === undefined ? issued_on : seed.sent_on,
    };
  });
  for (let start = 0; start < rows.length; start += BATCH_SIZE) {
    const batch = rows.slice(start, start + BATCH_SIZE);
    const jobs = batch.map(({ company_id, job_id, job_number, title, customer_id, created_at, paid_amount, total_amount }) => ({
      company_id,
      id: job_id,
      job_number,
      title,
      customer_id,
      created_at,
      updated_at: created_at,
      version: 1,
      description: 'Some work',
      status: 'invoiced',
      job_type: 'fixed',
      fixed_amount: total_amount,
      billed_amount: total_amount,
      paid_amount,
      ...buildJobSearchKeys({ title, description: 'Some work' }, job_number),
    }));
    await insertRows(app, 'jobs', jobs);
    await insertRows(app, 'invoices', batch);
  }
  return ids;
}

async function insertRows(app: TestApp['app'], table: string, rows: readonly object[]): Promise<void> {
  const columns = Object.keys(rows[0] ?? {}).join();
  await app.platform.pools.system.query(
    `insert into ${table} (${columns}) select ${columns} from json_populate_recordset(null::${table}, $1)`,
    [JSON.stringify(rows)],
  );
}
