import { randomUUID } from 'node:crypto';
import { insertCustomers } from '../../../test/factories/customer-rows.ts';
import { insertQuotes, type QuoteSeed } from '../../../test/factories/quote-rows.ts';
import { testListPlans } from '../../../test/list-plans.ts';
import type { TestApp } from '../../../test/test-app.ts';
import { quoteList } from './quotes.sql.ts';

const CUSTOMER_ID = '7b0f2c66-0f0c-4c37-9c5e-3b1f6a1d2e4f';
/** The default order of the quote list. */
const NEWEST_FIRST = { sort: 'created_at', order: 'desc' } as const;

async function insertYearsOfQuotes(test: TestApp, companyId: string): Promise<void> {
  const customers = Array.from({ length: 500 }, (_, index) => ({
    id: index === 0 ? CUSTOMER_ID : randomUUID(),
    name: `Customer ${index}`,
  }));
  await insertCustomers(test, companyId, customers);
  const buildQuoteSeed = (index: number): QuoteSeed => ({
    title: `Tap repair ${(index * 7919) % 5000}`,
    status: index % 250 === 0 ? 'sent' : index % 3 === 0 ? 'accepted' : 'rejected',
    valid_until: index % 5 === 4 ? null : new Date(Date.UTC(2026, 0, 1 + (index % 900))).toISOString().slice(0, 10),
    total_amount: String((index * 7919) % 100_000),
    created_at: new Date(Date.UTC(2026, 0, 1, 0, index)).toISOString(),
    customer_id: index % 10 === 9 ? null : (customers[index % 500]?.id ?? null),
  });
  await insertQuotes(test, companyId, [
    ...Array.from({ length: 5000 }, (_, index) => buildQuoteSeed(index)),
    { title: 'Xylophone', created_at: '2026-01-01T00:00:00.000Z' },
  ]);
  await test.owner.query('vacuum analyze');
}

testListPlans({
  list: quoteList,
  insertRows: insertYearsOfQuotes,
  rareFilters: [],
  sortedFilters: [
    { ...NEWEST_FIRST, status: 'sent' },
    { ...NEWEST_FIRST, status: 'sent', valid_on: '2026-01-01' },
    { ...NEWEST_FIRST, status: 'draft', valid_on: '2026-01-01' },
    { ...NEWEST_FIRST, expired_on: '2026-06-01' },
    { ...NEWEST_FIRST, customer_id: CUSTOMER_ID },
  ],
  rareWord: 'xylophone',
  commonPrefix: 'tap',
  commonWord: 'repair',
});
