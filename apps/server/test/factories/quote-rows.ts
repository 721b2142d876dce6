import { randomUUID } from 'node:crypto';
import { buildQuoteSearchKeys } from '../../src/features/quotes/quotes.sql.ts';
import type { TestApp } from '../test-app.ts';

export interface QuoteSeed {
  readonly id?: string;
  readonly title: string;
  readonly created_at: string;
  readonly status?: string;
  readonly valid_until?: string | null;
  readonly total_amount?: string;
  readonly customer_id?: string | null;
  readonly sent_at?: string | null;
}

/** Inserts many quotes in a single statement. The quotes have no sections. */
export async function insertQuotes({ app }: Pick<TestApp, 'app'>, companyId: string, seeds: readonly QuoteSeed[]): Promise<void> {
  const rows = seeds.map((seed, index) => {
    const quote_number = `Q${String(index).padStart(6, '0')}`;
    const fields = {
      id: randomUUID(),
      status: 'draft',
      valid_until: null,
      total_amount: '0',
      customer_id: null,
      sent_at: null,
      ...seed,
      description: null,
    };
    const amounts = { tax_rate: 15, subtotal: fields.total_amount, tax_amount: 0, accepted_option_ids: '{}' };
    return {
      company_id: companyId,
      quote_number,
      updated_at: seed.created_at,
      version: 1,
      ...fields,
      ...amounts,
      ...buildQuoteSearchKeys(fields, quote_number),
    };
  });
  const columns = Object.keys(rows[0] ?? {}).join();
  await app.platform.pools.system.query(
    `insert into quotes (${columns}) select ${columns} from json_populate_recordset(null::quotes, $1)`,
    [JSON.stringify(rows)],
  );
}
