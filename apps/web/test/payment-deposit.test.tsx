import type { Billing } from '@callout/contract/invoices';
import { screen, waitFor, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { press, refuse, waitForToasts } from './open-page.tsx';
import { findBill, openPayment, PARTLY_PAID, PAYMENT_PATH } from './open-payment.ts';
import { BILLING, JOB } from './people.ts';

const RECORD = 'POST /payments';

/** A quote was accepted that asks for 40.00 first. */
const DEPOSIT_ASKED: Partial<Billing> = {
  job: { ...BILLING.job, status: 'booked' },
  deposit_amount: '40.00',
  request: { what: 'deposit', outstanding: '115.00', overpaid: '0.00', amount: '40.00', fee: '1.53', total: '41.53' },
};

it('a requested deposit is recorded with one click, and only the deposit', async () => {
  const taken: unknown[] = [];
  const { server, path } = openPayment(DEPOSIT_ASKED, {
    [RECORD]: (input) => {
      taken.push(input);
      server.billing = { ...server.billing, ...PARTLY_PAID };
      return server.billing;
    },
  });
  await screen.findByText(/^Records \$40.00 by bank transfer, today\. For all of \$115.00, or another day or method:/);
  expect(screen.queryByRole('button', { name: 'Mark as Paid' })).toBeNull();
  const button = screen.getByRole('button', { name: 'Record deposit $40.00' });
  await press('Record deposit $40.00');
  await waitForToasts('Payment recorded');
  expect(taken).toEqual([{ id: expect.any(String), job_id: JOB.id, amount: '40.00', note: null }]);
  await waitFor(() => expect(screen.getByRole('button', { name: 'Mark as Paid' })).toBe(button));
  expect(path()).toBe(PAYMENT_PATH);
});

it('after a deposit the rest is not due until the work is done, and can be recorded', async () => {
  openPayment({
    ...DEPOSIT_ASKED,
    paid_amount: '40.00',
    payment_link: null,
    request: { what: 'deposit_paid', outstanding: '75.00', overpaid: '0.00', amount: '0.00', fee: '0.00', total: '0.00' },
  });
  const bill = await findBill();
  expect(within(bill).getAllByText('Remaining')).toHaveLength(2);
  expect(within(bill).getByText('Not due until the work is done')).toBeDefined();
  expect(within(bill).queryByText(BILLING.document.due)).toBeNull();
  expect(screen.getByText('The deposit of $40.00 is paid.')).toBeDefined();
  expect(
    screen.getByText('The page says that the deposit is paid. It asks for the rest when the job is complete or you send the invoice.'),
  ).toBeDefined();
  expect(screen.queryByText('Pay on the spot')).toBeNull();
  await press('Record payment…');
  expect(await screen.findByDisplayValue('75.00')).toBeDefined();
});

it('a deposit whose answer was lost is the same one when it is sent again', async () => {
  const ids: string[] = [];
  openPayment(DEPOSIT_ASKED, {
    [RECORD]: (input) => {
      ids.push((input as { id: string }).id);
      return refuse('UNAVAILABLE', 'The database is restarting.');
    },
  });
  await findBill();
  for (const count of [1, 2]) {
    await press('Record deposit $40.00');
    await waitFor(() => expect(ids).toHaveLength(count));
    await waitForToasts('Failed to record deposit: The database is restarting.');
  }
  expect(ids[1]).toBe(ids[0]);
});
