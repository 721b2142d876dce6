import { describe, expect, it } from 'vitest';
import { JOB_STATUSES } from '../jobs/job.ts';
import {
  calculateDaysLate,
  calculateDueDate,
  calculateLateAfterDate,
  formatInvoiceNumber,
  formatPaidInvoice,
  formatPaymentMethod,
  formatReplacedInvoice,
  getDisplayDaysLate,
  getEarliestPaymentDate,
  getInvoiceDisplayStatus,
  getJobStatusAfterPayment,
  getReminderDueDate,
  INVOICE_KINDS,
  INVOICE_STATES,
  isLoweredToPaidAmount,
  PAYMENT_METHODS,
} from './invoice.ts';
import { getDebtAge } from './invoice-list.ts';
import { formatRefundNotice } from './refund-notice.ts';

describe('invoice number', () => {
  it('contains a prefix and the year, and can exceed 9,999', () => {
    expect(formatInvoiceNumber('invoice', 2026, 187)).toBe('INV-2026-0187');
    expect(formatInvoiceNumber('credit_note', 2026, 3)).toBe('CN-2026-0003');
    const replaced = { invoice_number: 'INV-2026-0187', credit_note: null };
    expect(formatReplacedInvoice(replaced)).toBe('INV-2026-0187');
    expect(formatReplacedInvoice({ ...replaced, credit_note: 'CN-2026-0003' })).toBe('INV-2026-0187 (canceled by CN-2026-0003)');
    expect(formatInvoiceNumber('invoice', 2026, 12_345)).toBe('INV-2026-12345');
    expect(formatInvoiceNumber('invoice', 2026, 1)).toBe('INV-2026-0001');
  });

  it.each([0, -1, 1.5, Number.NaN])('rejects %s', (number) => {
    expect(() => formatInvoiceNumber('invoice', 2026, number)).toThrow(new RangeError('An invoice number must be a positive integer'));
  });
});

describe('the invoice that a payment is for', () => {
  it('may have been canceled since, and is empty if there was none', () => {
    expect(formatPaidInvoice({ invoice_number: 'INV-2026-0187', is_invoice_canceled: false })).toBe('INV-2026-0187');
    expect(formatPaidInvoice({ invoice_number: 'INV-2026-0187', is_invoice_canceled: true })).toBe('INV-2026-0187, canceled');
    expect(formatPaidInvoice({ invoice_number: null, is_invoice_canceled: true })).toBe('');
  });
});

describe('due date', () => {
  it.each([
    ['is the booking date without payment terms', null, '2026-11-02', '2026-11-02', '2026-11-16'],
    ['is immediate without terms or a booking', null, null, null, '2026-11-16'],
    ['follows the payment terms if there are any', 20, '2026-11-02', '2026-12-06', '2026-12-06'],
    ['is the invoice date for terms of 0 days', 0, '2026-11-02', '2026-11-16', '2026-11-16'],
  ])('%s', (_name, termsDays, bookedOn, due, late) => {
    const terms = { issuedOn: '2026-11-16', termsDays, bookedOn };
    expect([calculateDueDate(terms), calculateLateAfterDate(terms)]).toEqual([due, late]);
  });
});

describe('days late and debt age', () => {
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
    // This period includes a leap day.
    ['2024-02-28', '2024-03-01', 2, 'days_30'],
  ])('of an invoice late after %s, on %s, are %s and %s', (late, today, days, age) => {
    expect([calculateDaysLate(late, today), getDebtAge(days)]).toEqual([days, age]);
  });
});

describe('invoice display status', () => {
  it.each([
    [{ state: 'open', balance: '0.01', issued_on: '2026-11-01', late_after: '2026-11-16', sent_on: '2026-11-01' }, 'due', 0],
    [{ state: 'open', balance: '0.01', issued_on: '2026-11-01', late_after: '2026-11-15', sent_on: '2026-11-01' }, 'overdue', 1],
    [{ state: 'open', balance: '0.01', issued_on: '2026-11-10', late_after: '2026-11-10', sent_on: '2026-11-15' }, 'overdue', 1],
    [{ state: 'open', balance: '0.01', issued_on: '2026-11-10', late_after: '2026-11-10', sent_on: '2026-11-16' }, 'due', 0],
    // With terms of 7 days, handed over a month after the day of issue.
    [{ state: 'open', balance: '0.01', issued_on: '2026-10-16', late_after: '2026-10-23', sent_on: '2026-11-16' }, 'due', -7],
    [{ state: 'open', balance: '0.01', issued_on: '2026-10-01', late_after: '2026-10-08', sent_on: '2026-11-08' }, 'overdue', 1],
    [{ state: 'open', balance: '0.01', issued_on: '2026-11-01', late_after: '2026-11-10', sent_on: null }, 'unsent', 0],
    [{ state: 'open', balance: '0.01', issued_on: '2026-11-01', late_after: '2026-11-20', sent_on: null }, 'unsent', -4],
    [{ state: 'open', balance: '0.00', issued_on: '2026-11-01', late_after: '2026-11-15', sent_on: '2026-11-01' }, 'paid', 0],
    [{ state: 'replaced', balance: '0.00', issued_on: '2026-11-01', late_after: '2026-11-15', sent_on: '2026-11-01' }, 'replaced', 0],
    [{ state: 'credited', balance: '0.00', issued_on: '2026-11-01', late_after: '2026-11-15', sent_on: '2026-11-01' }, 'canceled', 0],
  ] as const)('of %j is %s, with %s days late', (invoice, status, daysLate) => {
    const delivered = { ...invoice, sent_at: invoice.sent_on && `${invoice.sent_on}T00:00:00.000Z` };
    expect(getInvoiceDisplayStatus(delivered, '2026-11-16')).toBe(status);
    expect(getDisplayDaysLate(delivered, '2026-11-16')).toBe(daysLate);
  });

  it('is overdue from the due date if the day of sending is not known', () => {
    const sent = {
      state: 'open',
      balance: '0.01',
      issued_on: '2026-11-01',
      late_after: '2026-11-15',
      sent_at: '2026-11-01T00:00:00.000Z',
      sent_on: null,
    } as const;
    expect([getInvoiceDisplayStatus(sent, '2026-11-16'), getDisplayDaysLate(sent, '2026-11-16')]).toEqual(['overdue', 1]);
  });
});

describe('the date in a reminder', () => {
  it.each([
    ['the printed due date of an invoice sent on the day of issue', '2026-11-08', '2026-11-08', '2026-11-01', '2026-11-08'],
    ['the day sent plus the terms if it was sent later', '2026-11-08', '2026-11-08', '2026-11-20', '2026-11-27'],
    ['the booking date without terms', '2026-11-05', '2026-11-01', '2026-11-01', '2026-11-05'],
    ['the day sent if the booking was before it', '2026-10-20', '2026-11-01', '2026-11-03', '2026-11-03'],
    ['the day sent if the invoice was due immediately', null, '2026-11-01', '2026-11-03', '2026-11-03'],
  ])('is %s', (_name, due_on, late_after, sent_on, expected) => {
    expect(getReminderDueDate({ issued_on: '2026-11-01', due_on, late_after, sent_on })).toBe(expected);
  });
});

describe('job status after a payment', () => {
  it.each(JOB_STATUSES)('of a fully paid %s job is paid only if the job is finished', (status) => {
    const settled = getJobStatusAfterPayment({ status, due: '115.00', paid: '115.00', isInvoiced: false });
    expect(settled).toBe(status === 'complete' || status === 'invoiced' ? 'paid' : status);
  });

  it.each(JOB_STATUSES)('of a %s job with one cent outstanding reverts only if it was paid', (status) => {
    const paidJob = { status, due: '115.00', paid: '114.99' };
    expect(getJobStatusAfterPayment({ ...paidJob, isInvoiced: true })).toBe(status === 'paid' ? 'invoiced' : status);
    expect(getJobStatusAfterPayment({ ...paidJob, isInvoiced: false })).toBe(status === 'paid' ? 'complete' : status);
  });

  it('does not change when nothing is due', () => {
    expect(getJobStatusAfterPayment({ status: 'complete', due: '0.00', paid: '0.00', isInvoiced: false })).toBe('complete');
    expect(getJobStatusAfterPayment({ status: 'paid', due: '0.00', paid: '0.00', isInvoiced: false })).toBe('paid');
  });

  it('is paid when the job is overpaid', () => {
    expect(getJobStatusAfterPayment({ status: 'complete', due: '9.00', paid: '10.00', isInvoiced: false })).toBe('paid');
  });
});

describe('a price lowered to the amount paid', () => {
  it.each([
    ['1000.00', '900.00', '100.00', false],
    ['1000.00', '100.01', '100.00', false],
    ['1000.00', '100.00', '100.00', true],
    ['1000.00', '55.00', '1000.00', true],
    ['1055.00', '1000.00', '1000.00', true],
    ['1000.00', '1055.00', '1000.00', false],
    ['50.00', '80.00', '200.00', false],
    ['80.00', '80.00', '200.00', false],
    ['1000.00', '0.00', '0.00', false],
  ])('is recognized when it goes from %s to %s after payments of %s: %s', (before, after, paid, expected) => {
    expect(isLoweredToPaidAmount({ before, after, paid })).toBe(expected);
  });
});

describe('the earliest payment date', () => {
  it.each([
    ['2026-11-18', null, '2025-11-17'],
    ['2026-11-18', '2026-12-24', '2025-11-17'],
    ['2026-11-18', '2026-03-01', '2025-02-28'],
  ])('of a job created on %s and booked for %s is %s', (createdOn, bookedOn, expected) => {
    expect(getEarliestPaymentDate({ createdOn, bookedOn })).toBe(expected);
  });
});

it.each([
  ['bank_transfer', null, false, 'Bank transfer'],
  ['bank_transfer', null, true, 'Bank transfer, reversed'],
  ['bank_transfer', 'p1', false, 'Reversal, bank transfer'],
  ['paypal', 'p1', false, 'Reversal, PayPal'],
  ['paypal', null, false, 'PayPal'],
] as const)('the method of a %s payment that reverses %s (reversed: %s) is shown as %s', (method, reverses, is_reversed, label) => {
  expect(formatPaymentMethod({ method, reverses, is_reversed })).toBe(label);
});

describe('refund notice', () => {
  const inOrder = { status: 'complete', paid: '115.00', overpaid: '0.00', hasOpenInvoice: true, isInvoiceCanceled: false } as const;

  it.each([
    [{}, ''],
    [{ paid: '0.00', overpaid: '5.00' }, ''],
    [{ overpaid: '5.00' }, '$5.00 more was paid than is due. Refund it and reverse the payment, or bill the difference.'],
    [{ status: 'canceled' }, ''],
    [{ status: 'canceled', hasOpenInvoice: false }, 'This job is canceled, but $115.00 was paid. Refund it and reverse the payment.'],
    [
      { status: 'paid', isInvoiceCanceled: true },
      '$115.00 was paid, but its invoice was canceled. Issue a new one, or refund it and reverse the payment.',
    ],
  ] as const)('for %j is %j', (received, notice) => {
    expect(formatRefundNotice({ ...inOrder, ...received }, 'USD') ?? '').toBe(notice);
  });
});

it('keeps the values that the database and saved requests contain', () => {
  expect(INVOICE_KINDS).toEqual(['invoice', 'credit_note']);
  expect(INVOICE_STATES).toEqual(['open', 'replaced', 'credited']);
  expect(PAYMENT_METHODS).toEqual(['bank_transfer', 'cash', 'card', 'paypal', 'other']);
});
