import { createHash, randomUUID } from 'node:crypto';
import { beforeAll, expect, it } from 'vitest';
import { withOwnerClient } from '../../../test/database.ts';
import { createDatabaseBefore } from '../../../test/database-before.ts';
import { migrate } from '../../platform/db/migrate.ts';
import type { DatabaseConnection } from '../../platform/db/pools.ts';

const MIGRATION = '0045_sent_invoices_and_payment_fees.sql';

let database: DatabaseConnection;

beforeAll(async () => {
  const created = await createDatabaseBefore(MIGRATION);
  database = created.database;
  return created.drop;
});

interface OldInvoice {
  readonly title: string;
  readonly status: string;
  readonly kind?: string;
  readonly state?: string;
  readonly mails: readonly (readonly [kind: string, status: string])[];
  readonly isSent: boolean;
}

const KEPT = ['invoice', 'kept'] as const;

const INVOICES: readonly OldInvoice[] = [
  { title: 'emailed', status: 'invoiced', mails: [['invoice', 'sent']], isSent: true },
  { title: 'kept in the outbox', status: 'complete', mails: [KEPT], isSent: false },
  { title: 'kept twice, of an unfinished job', status: 'booked', mails: [KEPT, KEPT], isSent: false },
  { title: 'kept, and marked as invoiced by hand', status: 'invoiced', mails: [KEPT], isSent: true },
  { title: 'kept, and paid', status: 'paid', mails: [KEPT], isSent: true },
  { title: 'kept, and emailed later', status: 'complete', mails: [KEPT, ['invoice', 'sent']], isSent: true },
  { title: 'kept, with a reminder', status: 'complete', mails: [KEPT, ['reminder', 'sent']], isSent: false },
  { title: 'handed over without an email', status: 'complete', mails: [], isSent: true },
  { title: 'replaced', status: 'complete', state: 'replaced', mails: [KEPT], isSent: true },
  { title: 'a credit note', status: 'complete', kind: 'credit_note', mails: [], isSent: false },
];

it('counts earlier invoices as sent, on the day of issue, unless their emails were only kept', async () => {
  const companyId = randomUUID();
  const record = '{}';
  await withOwnerClient(database, async (owner) => {
    await owner.query(`insert into companies (company_id, company_name) values ($1, 'Firm')`, [companyId]);
    for (const [index, { title, status, kind = 'invoice', state = 'open', mails }] of INVOICES.entries()) {
      const [jobId, invoiceId] = [randomUUID(), randomUUID()];
      await owner.query(
        `insert into jobs (company_id, id, job_number, title, description, status, job_type, title_key, search_text)
          values ($1, $2, $3, $4, '', $5, 'fixed', $4, $4)`,
        [companyId, jobId, `J2605000${index}`, title, status],
      );
      await owner.query(
        `insert into invoices (company_id, id, kind, year, number, invoice_number, job_id, job_number, title, customer_name, customer_key,
            issued_on, late_after, subtotal, tax_amount, total_amount, record, sha256, created_by, created_at, search_text, state)
          values ($1, $2, $3, 2026, $4::integer, ($4::integer)::text, $5, 'J', $6, 'Helen', 'helen', '2026-05-04', '2026-05-11', 100, 15, 115, $7, $8, 'Mia',
            '2026-05-03T20:00Z', 'x', $9)`,
        [companyId, invoiceId, kind, index + 1, jobId, title, record, createHash('sha256').update(record).digest('hex'), state],
      );
      for (const [mailKind, mailStatus] of mails)
        await owner.query(
          `insert into invoice_mails (company_id, id, invoice_id, kind, mail_id, recipient, subject, body, status, queued_at)
            values ($1, gen_random_uuid(), $2, $3, gen_random_uuid(), 'a@example.com', 'S', 'B', $4, now())`,
          [companyId, invoiceId, mailKind, mailStatus],
        );
    }
    expect(await migrate(database)).toContain(MIGRATION);
    const { rows } = await owner.query<{ title: string; sent_at: Date | null; sent_on: string | null }>(
      'select title, sent_at, sent_on::text from invoices order by number',
    );
    const sent = { sent_at: new Date('2026-05-03T20:00Z'), sent_on: '2026-05-04' };
    expect(rows).toEqual(INVOICES.map(({ title, isSent }) => ({ title, ...(isSent ? sent : { sent_at: null, sent_on: null }) })));
  });
});
