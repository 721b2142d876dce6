import { describe, expect, it } from 'vitest';
import { JOB_STATUSES } from '../jobs/job.ts';
import { daysLate, dueDate, invoiceNumber, lateAfter, shownInvoiceStatus, statusByPayments } from './invoice.ts';
import { debtAge } from './invoice-list.ts';

describe('an invoice number', () => {
  it('names its kind and year, and has room for more than 9,999', () => {
    expect(invoiceNumber('invoice', 2026, 187)).toBe('INV-2026-0187');
    expect(invoiceNumber('credit_note', 2026, 3)).toBe('CN-2026-0003');
    expect(invoiceNumber('invoice', 2026, 12_345)).toBe('INV-2026-12345');
  });

  it.each([0, -1, 1.5, Number.NaN])('is never %s', (number) => {
    expect(() => invoiceNumber('invoice', 2026, number)).toThrow(RangeError);
  });
});

describe('the due date', () => {
  it.each([
    ['is the booking date without payment terms', null, '2026-11-02', '2026-11-02', '2026-11-16'],
    ['is immediate without either', null, null, null, '2026-11-16'],
    ['follows the terms when there are some', 20, '2026-11-02', '2026-12-06', '2026-12-06'],
    ['is the day of the invoice for terms of 0 days', 0, '2026-11-02', '2026-11-16', '2026-11-16'],
  ])('%s', (_name, termsDays, bookedOn, due, late) => {
    const terms = { issuedOn: '2026-11-16', termsDays, bookedOn };
    expect([dueDate(terms), lateAfter(terms)]).toEqual([due, late]);
  });
});

describe('the age of a debt', () => {
  it.each([
    ['2026-11-16', '2026-11-16', 0, 'current'],
    ['2026-11-20', '2026-11-16', -4, 'current'],
    ['2026-11-15', '2026-11-16', 1, 'days_30'],
    ['2026-10-17', '2026-11-16', 30, 'days_30'],
    ['2026-10-16', '2026-11-16', 31, 'days_60'],
    ['2026-09-17', '2026-11-16', 60, 'days_60'],
    ['2026-09-16', '2026-11-16', 61, 'days_90'],
    ['2026-08-18', '2026-11-16', 90, 'days_90'],
    ['2026-08-17', '2026-11-16', 91, 'older'],
    // Over the changes of clocks and a leap day.
    ['2024-02-28', '2024-03-01', 2, 'days_30'],
  ])('due by %s, on %s, is %s days late: %s', (late, today, days, age) => {
    expect([daysLate(late, today), debtAge(days)]).toEqual([days, age]);
  });
});

describe('the status of an invoice', () => {
  it.each([
    [{ state: 'open', balance: '0.01', late_after: '2026-11-16' }, 'due'],
    [{ state: 'open', balance: '0.01', late_after: '2026-11-15' }, 'overdue'],
    [{ state: 'open', balance: '0.00', late_after: '2026-11-15' }, 'paid'],
    [{ state: 'replaced', balance: '0.00', late_after: '2026-11-15' }, 'replaced'],
    [{ state: 'credited', balance: '0.00', late_after: '2026-11-15' }, 'canceled'],
  ] as const)('of %j is %s', (invoice, status) => {
    expect(shownInvoiceStatus(invoice, '2026-11-16')).toBe(status);
  });
});

describe('the status of a job by its payments', () => {
  it.each(JOB_STATUSES)('%s with all paid', (status) => {
    const settled = statusByPayments({ status, due: '115.00', paid: '115.00', isInvoiced: false });
    expect(settled).toBe(status === 'complete' || status === 'invoiced' ? 'paid' : status);
  });

  it.each(JOB_STATUSES)('%s with a cent missing', (status) => {
    const paidJob = { status, due: '115.00', paid: '114.99' };
    expect(statusByPayments({ ...paidJob, isInvoiced: true })).toBe(status === 'paid' ? 'invoiced' : status);
    expect(statusByPayments({ ...paidJob, isInvoiced: false })).toBe(status === 'paid' ? 'complete' : status);
  });

  it('is left to people when nothing is due', () => {
    expect(statusByPayments({ status: 'complete', due: '0.00', paid: '0.00', isInvoiced: false })).toBe('complete');
    expect(statusByPayments({ status: 'paid', due: '0.00', paid: '0.00', isInvoiced: false })).toBe('paid');
  });

  it('is paid when more was paid', () => {
    expect(statusByPayments({ status: 'complete', due: '9.00', paid: '10.00', isInvoiced: false })).toBe('paid');
  });
});
