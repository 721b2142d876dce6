import { expect, it } from 'vitest';
import { generateCustomers } from './customers.ts';
import { generateInvoices } from './invoices.ts';
import { generateJobs } from './jobs.ts';

const customers = generateCustomers(1, 200);
const jobs = generateJobs(1, 1000, customers);

it('generates the same invoices for the same seed and different ones for another seed', () => {
  expect(generateInvoices(1, jobs, customers)).toEqual(generateInvoices(1, jobs, customers));
  expect(generateInvoices(1, jobs, customers)).not.toEqual(generateInvoices(2, jobs, customers));
});

it('generates an invoice for every second job with unique ids, numbers and tokens, and leaves one in twenty unpaid', () => {
  const invoices = generateInvoices(1, jobs, customers);
  expect(new Set(invoices.map(({ row }) => row.job_id)).size).toBe(jobs.length / 2);
  for (const key of ['id', 'invoice_number'] as const) expect(new Set(invoices.map(({ row }) => row[key])).size).toBe(jobs.length / 2);
  expect(new Set(invoices.map(({ token }) => token)).size).toBe(jobs.length / 2);
  expect(invoices.filter(({ isPaid }) => !isPaid)).toHaveLength(25);
  for (const { row } of invoices) expect(Number(row.total_amount)).toBeGreaterThan(0);
});
