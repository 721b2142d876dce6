import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { insertCustomers } from '../../../test/factories/customer-rows.ts';
import { type InvoiceSeed, insertInvoices } from '../../../test/factories/invoice-rows.ts';
import { testListPlans } from '../../../test/list-plans.ts';
import type { TestApp } from '../../../test/test-app.ts';
import { buildInvoiceFilter, invoiceList, listDebtors, readInvoiceSummary, readOpenBalances } from './invoice-list.sql.ts';

const INVOICE_COUNT = 5000;
const TODAY = '2026-11-16';
const CUSTOMER_ID = '7b0f2c66-0f0c-4c37-9c5e-3b1f6a1d2e4f';
const OLDEST_UNPAID_FIRST = { sort: 'late_after', order: 'asc' } as const;

const addDays = (date: string, days: number) => new Date(Date.parse(date) + days * 86_400_000).toISOString().slice(0, 10);

/** Inserts ten years of invoices. One in 40 is unpaid, and a few are replaced. */
async function insertYearsOfInvoices(test: TestApp, companyId: string): Promise<void> {
  const customers = Array.from({ length: 1000 }, (_, n) => ({ id: n === 0 ? CUSTOMER_ID : randomUUID(), name: `Customer ${n}` }));
  await insertCustomers(test, companyId, customers);
  const buildSeed = (index: number): InvoiceSeed => {
    const customer = customers[(index * 7) % 1000];
    const issued_on = addDays('2016-12-01', Math.floor((index * 3630) / INVOICE_COUNT));
    const total_amount = String(1 + ((index * 7919) % 100_000));
    return {
      title: `Tap ${index}`,
      customer_id: index % 10 === 9 ? null : (customer?.id ?? null),
      customer_name: customer?.name ?? '',
      issued_on,
      late_after: addDays(issued_on, 7),
      total_amount,
      paid_amount: index % 40 === 20 ? '0' : total_amount,
      state: index % 97 === 96 ? 'replaced' : 'open',
      ...(index % 200 === 20 && { sent_on: null }),
    };
  };
  await insertInvoices(test, companyId, [
    ...Array.from({ length: INVOICE_COUNT }, (_, index) => buildSeed(index)),
    { title: 'Xylophone', issued_on: '2016-11-30', paid_amount: '115.00' },
  ]);
  await test.owner.query('vacuum analyze');
}

testListPlans({
  list: invoiceList,
  insertRows: insertYearsOfInvoices,
  rareFilters: [
    { ...OLDEST_UNPAID_FIRST, ...buildInvoiceFilter({ age: 'current' }, TODAY) },
    { ...OLDEST_UNPAID_FIRST, ...buildInvoiceFilter({ age: 'days_30' }, TODAY) },
    { ...OLDEST_UNPAID_FIRST, ...buildInvoiceFilter({ filter: 'overdue', age: 'days_60' }, TODAY) },
  ],
  sortedFilters: [
    { ...OLDEST_UNPAID_FIRST, ...buildInvoiceFilter({ filter: 'unpaid' }, TODAY) },
    { ...OLDEST_UNPAID_FIRST, ...buildInvoiceFilter({ filter: 'overdue' }, TODAY) },
    { ...OLDEST_UNPAID_FIRST, ...buildInvoiceFilter({ filter: 'paid' }, TODAY) },
    { ...OLDEST_UNPAID_FIRST, ...buildInvoiceFilter({ filter: 'unsent' }, TODAY) },
    { ...OLDEST_UNPAID_FIRST, ...buildInvoiceFilter({ from: '2020-03-02', to: '2020-03-08' }, TODAY) },
    { ...OLDEST_UNPAID_FIRST, ...buildInvoiceFilter({ customer_id: CUSTOMER_ID }, TODAY) },
  ],
  rareWord: 'xylophone',
  commonPrefix: 'customer',
  commonWord: 'tomer',
  otherStatements: {
    async 'summing all invoices or one month reads only the days and what is not settled, from indexes'(capturePlan) {
      for (const query of [{}, { filter: 'paid' } as const, { filter: 'overdue' } as const, { from: '2020-03-01', to: '2020-03-31' }]) {
        const plan = await capturePlan((scope) => readInvoiceSummary(scope, query, TODAY));
        expect(plan).toContain('Index Only Scan using unsettled_invoices');
        expect(plan).not.toMatch(/Seq Scan on invoices/);
      }
    },
    async 'summing one customer or a rare word reads no other rows'(capturePlan) {
      const plan = await capturePlan((scope) => readInvoiceSummary(scope, { customer_id: CUSTOMER_ID }, TODAY));
      expect(plan).toContain('invoices_of_customer');
      expect(await capturePlan((scope) => readInvoiceSummary(scope, { search: 'xylophone' }, TODAY))).toContain('invoices_by_text');
    },
    async 'summing open balances reads only what is not settled, from an index'(capturePlan) {
      const plan = await capturePlan((scope) => readOpenBalances(scope, TODAY));
      expect(plan).toContain('Index Only Scan using unsettled_invoices');
      expect(plan).not.toContain('Seq Scan');
    },
    async 'listing debtors reads only unpaid invoices'(capturePlan) {
      const plan = await capturePlan((scope) => listDebtors(scope, TODAY));
      expect(plan).toContain('unpaid_invoices');
      expect(plan).not.toContain('Seq Scan on invoices');
    },
  },
});
