import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { insertCustomers } from '../../../test/factories/customer-rows.ts';
import { type InvoiceSeed, insertInvoices } from '../../../test/factories/invoice-rows.ts';
import { testListPlans } from '../../../test/list-plans.ts';
import type { TestApp } from '../../../test/test-app.ts';
import { invoiceFilter, invoiceList, readDebtors, readSummary } from './invoice-list.sql.ts';

const INVOICES = 8000;
const TODAY = '2026-11-16';
const CUSTOMER = '7b0f2c66-0f0c-4c37-9c5e-3b1f6a1d2e4f';
const OLDEST_UNPAID_FIRST = { sort: 'late_after', order: 'asc' } as const;

const day = (date: string, days: number) => new Date(Date.parse(date) + days * 86_400_000).toISOString().slice(0, 10);

/** Ten years of them, of which one in 40 is unpaid, and a few were replaced or canceled. */
async function insertYearsOfInvoices(test: TestApp, companyId: string): Promise<void> {
  const customers = Array.from({ length: 1000 }, (_, index) => ({ id: index === 0 ? CUSTOMER : randomUUID(), name: `Customer ${index}` }));
  await insertCustomers(test, companyId, customers);
  const invoice = (index: number): InvoiceSeed => {
    const customer = customers[(index * 7) % 1000];
    const issued_on = day('2016-12-01', Math.floor((index * 3630) / INVOICES));
    const total_amount = String(1 + ((index * 7919) % 100_000));
    return {
      title: `Tap ${index}`,
      customer_id: index % 10 === 9 ? null : (customer?.id ?? null),
      customer_name: customer?.name ?? '',
      issued_on,
      late_after: day(issued_on, 7),
      total_amount,
      paid_amount: index % 40 === 20 ? '0' : total_amount,
      state: index % 97 === 96 ? 'replaced' : 'open',
    };
  };
  await insertInvoices(test, companyId, [
    ...Array.from({ length: INVOICES }, (_, index) => invoice(index)),
    { title: 'Xylophone', issued_on: '2016-11-30', paid_amount: '115.00' },
  ]);
  await test.owner.query('vacuum analyze');
}

testListPlans({
  list: invoiceList,
  insertRows: insertYearsOfInvoices,
  rareFilters: [
    { ...OLDEST_UNPAID_FIRST, ...invoiceFilter({ age: 'current' }, TODAY) },
    { ...OLDEST_UNPAID_FIRST, ...invoiceFilter({ age: 'days_30' }, TODAY) },
    { ...OLDEST_UNPAID_FIRST, ...invoiceFilter({ filter: 'overdue', age: 'days_60' }, TODAY) },
  ],
  sortedFilters: [
    { ...OLDEST_UNPAID_FIRST, ...invoiceFilter({ filter: 'unpaid' }, TODAY) },
    { ...OLDEST_UNPAID_FIRST, ...invoiceFilter({ filter: 'overdue' }, TODAY) },
    { ...OLDEST_UNPAID_FIRST, ...invoiceFilter({ filter: 'paid' }, TODAY) },
    { ...OLDEST_UNPAID_FIRST, ...invoiceFilter({ from: '2020-03-02', to: '2020-03-08' }, TODAY) },
    { ...OLDEST_UNPAID_FIRST, ...invoiceFilter({ customer_id: CUSTOMER }, TODAY) },
  ],
  rareWord: 'xylophone',
  commonStart: 'customer',
  others: {
    async 'the sums of all, and of a month, never read the documents'(planOf) {
      for (const asked of [{}, { filter: 'overdue' } as const, { from: '2020-03-01', to: '2020-03-31' }]) {
        const plan = await planOf((scope) => readSummary(scope, asked, TODAY));
        expect(plan).toMatch(/Index Only Scan using (invoices_by_day|unpaid_invoices)/);
        expect(plan).not.toContain('Seq Scan');
      }
    },
    async 'the sums of one customer or a rare word read no other rows'(planOf) {
      expect(await planOf((scope) => readSummary(scope, { customer_id: CUSTOMER }, TODAY))).toContain('invoices_of_customer');
      expect(await planOf((scope) => readSummary(scope, { search: 'xylophone' }, TODAY))).toContain('invoices_by_text');
    },
    async 'who owes us reads only what is unpaid'(planOf) {
      const plan = await planOf((scope) => readDebtors(scope, TODAY));
      expect(plan).toContain('unpaid_invoices');
      expect(plan).not.toContain('Seq Scan on invoices');
    },
  },
});
