import type { Billing } from '@callout/contract/invoices';
import { screen, waitFor, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { BILLING } from './billing-fixtures.ts';
import { JOB } from './fixtures.ts';
import { failWith, pressButton, waitForToasts } from './open-page.tsx';
import { findInvoice, openPaymentPage, PARTLY_PAID_BILLING, PAYMENT_PATH } from './open-payment.ts';

const RECORD_PAYMENT_CALL = 'POST /payments';

/** Billing of a job whose accepted quote requests a deposit of 40.00. */
const DEPOSIT_REQUESTED: Partial<Billing> = {
  job: { ...BILLING.job, status: 'booked' },
  deposit_amount: '40.00',
  request: { what: 'deposit', outstanding: '115.00', overpaid: '0.00', amount: '40.00', fee: '1.53', total: '41.53' },
};

it('records only the requested deposit with one click', async () => {
  const taken: unknown[] = [];
  const { server, path } = openPaymentPage(DEPOSIT_REQUESTED, {
    [RECORD_PAYMENT_CALL]: (input) => {
      taken.push(input);
      server.billing = { ...server.billing, ...PARTLY_PAID_BILLING };
      return server.billing;
    },
  });
  await screen.findByText(/^Records \$40.00 by bank transfer, today\. For the full \$115.00, or another date or method:/);
  expect(screen.queryByRole('button', { name: 'Mark as Paid' })).toBeNull();
  const button = screen.getByRole('button', { name: 'Record deposit $40.00' });
  await pressButton('Record deposit $40.00');
  await waitForToasts('Payment recorded');
  expect(taken).toEqual([{ id: expect.any(String), job_id: JOB.id, amount: '40.00', note: null }]);
  await waitFor(() => expect(screen.getByRole('button', { name: 'Mark as Paid' })).toBe(button));
  expect(path()).toBe(PAYMENT_PATH);
});

it('shows the remaining amount as not due yet once the deposit is paid, but allows recording it', async () => {
  openPaymentPage({
    ...DEPOSIT_REQUESTED,
    paid_amount: '40.00',
    payment_link: null,
    request: { what: 'deposit_paid', outstanding: '75.00', overpaid: '0.00', amount: '0.00', fee: '0.00', total: '0.00' },
  });
  const bill = await findInvoice();
  expect(within(bill).getAllByText('Remaining')).toHaveLength(2);
  expect(within(bill).getByText('Not due until the work is done')).toBeDefined();
  expect(within(bill).queryByText(BILLING.document.due)).toBeNull();
  expect(screen.getByText('The deposit of $40.00 is paid.')).toBeDefined();
  expect(
    screen.getByText('Your customer sees that the deposit is paid. The rest is due when the job is complete or you send the invoice.'),
  ).toBeDefined();
  expect(screen.queryByText('Pay on the spot')).toBeNull();
  await pressButton('Record payment…');
  expect(await screen.findByDisplayValue('75.00')).toBeDefined();
});

it('reuses the payment id when a failed deposit is recorded again', async () => {
  const ids: string[] = [];
  openPaymentPage(DEPOSIT_REQUESTED, {
    [RECORD_PAYMENT_CALL]: (input) => {
      ids.push((input as { id: string }).id);
      return failWith('UNAVAILABLE', 'The database is restarting.');
    },
  });
  await findInvoice();
  for (const count of [1, 2]) {
    await pressButton('Record deposit $40.00');
    await waitFor(() => expect(ids).toHaveLength(count));
    await waitForToasts('Failed to record deposit: The database is restarting.');
  }
  expect(ids[1]).toBe(ids[0]);
});
