import type { Billing } from '@callout/contract/invoices';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import { BILLING, INVOICE, PAYMENT } from './billing-fixtures.ts';
import { ADMIN_USER, JOB, JOB_PAGE_RESPONSES } from './fixtures.ts';
import { failWith, getToasts, getValue, openPage, pressButton, typeInto, waitForToasts } from './open-page.tsx';
import {
  chooseMenuItem,
  findInvoice,
  INVOICED_BILLING,
  openPaymentPage,
  PAID_BILLING,
  PARTLY_PAID_BILLING,
  PAYMENT_PATH,
} from './open-payment.ts';

const RECORD_PAYMENT_CALL = 'POST /payments';
const setViewportWidth = (width: number) => window.happyDOM.setViewport({ width });
afterEach(() => setViewportWidth(1024));

const getButton = (name: string | RegExp) => screen.getByRole<HTMLButtonElement>('button', { name });
const isPrimaryButton = (name: string) => getButton(name).className.includes('bg-accent ');

/** Opens the payment page of a sent invoice. The mock server records each payment and applies `change` to the billing. */
function mockPayments(change: (input: Record<string, unknown>) => Partial<Billing>) {
  const taken: Record<string, unknown>[] = [];
  const opened = openPaymentPage(INVOICED_BILLING, {
    [RECORD_PAYMENT_CALL]: (input) => {
      taken.push(input as Record<string, unknown>);
      opened.server.billing = { ...opened.server.billing, ...change(input as Record<string, unknown>) };
      return opened.server.billing;
    },
  });
  return { ...opened, taken };
}

describe('Mark as Paid', () => {
  it('records the full amount due with one click and returns to the job', async () => {
    const { taken, path } = mockPayments(() => PAID_BILLING);
    await screen.findByText(/^Records \$115.00 by bank transfer, today\./);
    await pressButton('Mark as Paid');
    await waitForToasts('Job marked as paid');
    await screen.findByRole('heading', { level: 1, name: 'Roof repair' });
    expect(path()).toBe(`/jobs/${JOB.id}`);
    expect(taken).toEqual([{ id: expect.any(String), job_id: JOB.id, amount: null, note: null, outstanding: '115.00' }]);
    await screen.findAllByText('Paid');
  });

  it('returns to the job page without adding a second history entry', async () => {
    const { router, path } = openPage(`/jobs/${JOB.id}`, {
      'GET /me': () => ADMIN_USER,
      [`GET /jobs/${JOB.id}`]: () => ({ ...JOB, status: 'invoiced' }),
      [`GET /jobs/${JOB.id}/billing`]: () => ({ ...BILLING, ...INVOICED_BILLING }),
      [RECORD_PAYMENT_CALL]: () => ({ ...BILLING, ...PAID_BILLING }),
      ...JOB_PAGE_RESPONSES,
    });
    const payment = await screen.findByRole('link', { name: 'Payment' });
    await act(async () => fireEvent.click(payment));
    const { length } = router.history;
    await pressButton('Mark as Paid');
    await waitFor(() => expect(path()).toBe(`/jobs/${JOB.id}`));
    expect(router.history.length).toBe(length);
  });

  it('shows an error and stays on the page when the request fails', async () => {
    const { path } = openPaymentPage(INVOICED_BILLING, {
      [RECORD_PAYMENT_CALL]: () => failWith('UNAVAILABLE', 'The database is restarting.'),
    });
    await pressButton('Mark as Paid');
    await waitForToasts('Failed to mark job as paid: The database is restarting.');
    expect(path()).toBe(PAYMENT_PATH);
  });

  it('shows the new amount and a message when the amount due has changed', async () => {
    const { server, path } = openPaymentPage(INVOICED_BILLING, {
      [RECORD_PAYMENT_CALL]: () => {
        server.billing = { ...server.billing, ...PARTLY_PAID_BILLING };
        return failWith('INVOICE_CHANGED', 'The amount due has changed. Please check it before you record the payment.');
      },
    });
    await pressButton('Mark as Paid');
    await waitForToasts('The amount due has changed. Please check it before you record the payment.');
    await screen.findByText(/^Records \$65.00 by bank transfer, today\./);
    expect(path()).toBe(PAYMENT_PATH);
  });

  it('reuses the payment id after a connection error', async () => {
    const ids: unknown[] = [];
    openPaymentPage(INVOICED_BILLING, {
      [RECORD_PAYMENT_CALL]: (input) => {
        ids.push((input as { id: string }).id);
        throw new TypeError('Failed to fetch');
      },
    });
    for (const count of [1, 2]) {
      await pressButton('Mark as Paid');
      await waitFor(() => expect(ids).toHaveLength(count));
      await waitFor(() => expect(getToasts()[0]).toMatch(/^Failed to mark job as paid: .*connection/i));
    }
    expect(ids[1]).toBe(ids[0]);
  });

  it('records a deposit and stays on the page when the job is incomplete', async () => {
    const job = { ...BILLING.job, status: 'booked' as const };
    const { server, path } = openPaymentPage({ job }, { [RECORD_PAYMENT_CALL]: () => server.billing });
    await screen.findByText(/The job is not complete yet, so this is recorded as a deposit\./);
    await pressButton('Mark as Paid');
    await waitForToasts('Payment recorded');
    expect(path()).toBe(PAYMENT_PATH);
  });

  it('is hidden once the job is paid', async () => {
    openPaymentPage(PAID_BILLING);
    await screen.findByText('Paid, Apr 4, 2026');
    for (const name of ['Mark as Paid', 'Record payment…']) expect(screen.queryByRole('button', { name })).toBeNull();
    expect(isPrimaryButton('Send Payment Email')).toBe(false);
  });

  it('is in the bottom bar on a phone, beside Send Payment Email', async () => {
    setViewportWidth(390);
    openPaymentPage();
    await findInvoice();
    const bar = document.querySelector<HTMLElement>('[data-docked="bottom"]');
    expect([...(bar?.querySelectorAll('button') ?? [])].map(({ textContent }) => textContent)).toEqual([
      'Send Payment Email',
      'Mark as Paid',
    ]);
  });
});

describe('Record payment', () => {
  it('prefills the amount due and stays on the page after a partial payment', async () => {
    const { taken, path } = mockPayments(() => PARTLY_PAID_BILLING);
    await pressButton('Record payment…');
    await screen.findByRole('dialog', { name: 'Record payment' });
    expect([getValue('Amount'), getValue('Date'), getValue('Method'), getValue(/^Note/)]).toEqual([
      '115.00',
      '2026-04-05',
      'bank_transfer',
      '',
    ]);
    screen.getByText('$115.00 is due.');
    typeInto('Amount', '50');
    await screen.findByText('Leaves $65.00 of $115.00.');
    typeInto('Method', 'cash');
    typeInto(/^Note/, 'At the door');
    await pressButton('Record payment');
    await waitForToasts('Payment recorded');
    expect(taken).toEqual([
      {
        id: expect.any(String),
        job_id: JOB.id,
        amount: '50',
        paid_on: '2026-04-05',
        method: 'cash',
        note: 'At the door',
        is_excess_confirmed: false,
      },
    ]);
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(path()).toBe(PAYMENT_PATH);
    await pressButton('Record payment…');
    await waitFor(() => expect(getValue('Amount')).toBe('65.00'));
  });

  it('returns to the job after a full payment', async () => {
    const { path } = mockPayments(() => PAID_BILLING);
    await pressButton('Record payment…');
    await screen.findByRole('dialog');
    await pressButton('Record payment');
    await waitForToasts('Job marked as paid');
    await waitFor(() => expect(path()).toBe(`/jobs/${JOB.id}`));
  });

  it('explains that a payment before the invoice date is a deposit', async () => {
    openPaymentPage(INVOICED_BILLING);
    await pressButton('Record payment…');
    await screen.findByRole('dialog');
    typeInto('Date', '2026-04-02');
    await screen.findByText('Before the invoice date (Apr 3, 2026), so this is recorded as a deposit.');
    typeInto('Date', '2026-04-03');
    await waitFor(() => expect(screen.queryByText(/^Before the invoice/)).toBeNull());
  });

  it('shows server errors at their fields and keeps the typed values', async () => {
    openPaymentPage(INVOICED_BILLING, {
      [RECORD_PAYMENT_CALL]: () =>
        failWith('INVALID_INPUT', 'Wrong', {
          fields: { amount: "Amount can't be more than the $115.00 due", paid_on: "The date can't be in the future" },
        }),
    });
    await pressButton('Record payment…');
    await screen.findByRole('dialog');
    typeInto('Amount', '500');
    typeInto('Date', '2026-04-02');
    await pressButton('Record payment');
    await screen.findByText("Amount can't be more than the $115.00 due");
    screen.getByText("The date can't be in the future");
    expect(screen.queryByText(/so this is recorded as a deposit/)).toBeNull();
    expect(getValue('Amount')).toBe('500');
    expect(getToasts()).toEqual([]);
  });

  it.each([
    ['This is $1.00 more than the $115.00 due.', INVOICED_BILLING, 'Record payment…', '116', '115.00'],
    ['Nothing is due.', PAID_BILLING, null, '115', '0.00'],
    ['Nothing is due.', { job: { ...BILLING.job, status: 'canceled' as const }, payment_link: null }, null, '115', '0.00'],
  ])('asks for confirmation of more than is due: %s', async (hint, billing, button, amount, outstanding) => {
    const sent: unknown[] = [];
    const { server } = openPaymentPage(billing, {
      [RECORD_PAYMENT_CALL]: (input) => {
        sent.push(input);
        if (sent.length === 1) return failWith('INVALID_INPUT', 'Wrong', { fields: { amount: "Amount can't be more than what is due" } });
        return { ...server.billing, request: { ...BILLING.request, overpaid: '1.00' } };
      },
    });
    await screen.findByRole('region', { name: 'Invoice' });
    if (button === null) await chooseMenuItem('More actions', 'Record payment');
    else await pressButton(button);
    await screen.findByRole('dialog');
    expect(getValue('Amount')).toBe(button === null ? '' : '115.00');
    typeInto('Amount', amount);
    const checkbox = await screen.findByRole('checkbox', { name: /^Record it anyway/ });
    screen.getByText(hint);
    await pressButton('Record payment');
    await screen.findByText("Amount can't be more than what is due");
    fireEvent.click(checkbox);
    await pressButton('Record payment');
    await waitForToasts('Payment recorded');
    expect(sent[1]).toMatchObject({ amount, is_excess_confirmed: true, outstanding });
  });

  it('rejects an amount of 0 before sending', async () => {
    openPaymentPage(INVOICED_BILLING);
    await pressButton('Record payment…');
    await screen.findByRole('dialog');
    typeInto('Amount', '0');
    await pressButton('Record payment');
    expect(await screen.findByText('Amount must be more than 0, with up to 2 decimal places')).toBeDefined();
  });

  it('requires an amount and a date instead of assuming the full amount today', async () => {
    const { taken } = mockPayments(() => PAID_BILLING);
    await pressButton('Record payment…');
    await screen.findByRole('dialog');
    typeInto('Amount', '');
    typeInto('Date', '');
    await pressButton('Record payment');
    expect(await screen.findByText('Amount is required')).toBeDefined();
    expect(screen.getByText('Please enter a date')).toBeDefined();
    expect(taken).toEqual([]);
  });

  it('prefills the requested deposit', async () => {
    const request = { ...BILLING.request, what: 'deposit' as const, amount: '40.00' };
    openPaymentPage({ job: { ...BILLING.job, status: 'booked' }, deposit_amount: '40.00', request });
    await pressButton('Record payment…');
    await screen.findByRole('dialog');
    expect(getValue('Amount')).toBe('40.00');
    screen.getByText('Leaves $75.00 of $115.00.');
  });

  it('keeps the dialog open with the typed values when the request fails', async () => {
    openPaymentPage(INVOICED_BILLING, { [RECORD_PAYMENT_CALL]: () => failWith('UNAVAILABLE', 'The database is restarting.') });
    await pressButton('Record payment…');
    await screen.findByRole('dialog');
    typeInto('Amount', '20');
    await pressButton('Record payment');
    await waitForToasts('Failed to record payment: The database is restarting.');
    expect(getValue('Amount')).toBe('20');
  });

  it('keeps typed values and updates untouched ones when a colleague records a payment', async () => {
    const { server, queryClient } = openPaymentPage(INVOICED_BILLING);
    await pressButton('Record payment…');
    await screen.findByRole('dialog');
    typeInto(/^Note/, 'At the door');
    server.billing = { ...server.billing, ...PARTLY_PAID_BILLING };
    await act(() => queryClient.invalidateQueries({ queryKey: ['invoices'] }));
    await waitFor(() => expect(getValue('Amount')).toBe('65.00'));
    expect(getValue(/^Note/)).toBe('At the door');
    typeInto('Amount', '20');
    server.billing = {
      ...server.billing,
      paid_amount: '60.00',
      request: { ...server.billing.request, outstanding: '55.00', amount: '55.00' },
    };
    await act(() => queryClient.invalidateQueries({ queryKey: ['invoices'] }));
    await screen.findByText('Leaves $35.00 of $55.00.');
    expect([getValue('Amount'), getValue(/^Note/)]).toEqual(['20', 'At the door']);
  });

  it('reuses the payment id after a lost response, even if the amount due changed', async () => {
    const ids: unknown[] = [];
    const { server } = openPaymentPage(INVOICED_BILLING, {
      [RECORD_PAYMENT_CALL]: (input) => {
        ids.push((input as { id: string }).id);
        server.billing = { ...server.billing, ...PARTLY_PAID_BILLING };
        throw new TypeError('Failed to fetch');
      },
    });
    await pressButton('Record payment…');
    await screen.findByRole('dialog');
    typeInto('Amount', '20');
    await pressButton('Record payment');
    await screen.findByText('Leaves $45.00 of $65.00.');
    expect(getValue('Amount')).toBe('20');
    await pressButton('Record payment');
    await waitFor(() => expect(ids).toHaveLength(2));
    expect(ids[1]).toBe(ids[0]);
  });

  it('treats a payment with a lost response as recorded once the payment is listed, and the next payment as new', async () => {
    const ids: string[] = [];
    const { server } = openPaymentPage(INVOICED_BILLING, {
      [RECORD_PAYMENT_CALL]: (input) => {
        const { id } = input as { id: string };
        ids.push(id);
        server.billing = { ...server.billing, ...PARTLY_PAID_BILLING, payments: [{ ...PAYMENT, id }] };
        throw new TypeError('Failed to fetch');
      },
    });
    await pressButton('Record payment…');
    await screen.findByRole('dialog');
    typeInto('Amount', '50');
    await pressButton('Record payment');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    await waitFor(() => expect(getToasts()).toContain('Payment recorded'));
    await pressButton('Record payment…');
    await waitFor(() => expect(getValue('Amount')).toBe('65.00'));
    await pressButton('Record payment');
    await waitFor(() => expect(ids).toHaveLength(2));
    expect(ids[1]).not.toBe(ids[0]);
  });
});

describe('payment and invoice history', () => {
  const reversal = { ...PAYMENT, id: '018f0000-0000-7000-8000-000000000034', amount: '-50.00', reverses: PAYMENT.id, note: 'Wrong job' };

  it('reverses a payment with a separate entry after confirmation', async () => {
    const sent: unknown[] = [];
    const { server } = openPaymentPage(
      { ...INVOICED_BILLING, ...PARTLY_PAID_BILLING },
      {
        [`POST /payments/${PAYMENT.id}/reverse`]: (input) => {
          sent.push(input);
          server.billing = {
            ...server.billing,
            ...INVOICED_BILLING,
            paid_amount: '0.00',
            payments: [reversal, { ...PAYMENT, is_reversed: true }],
          };
          return server.billing;
        },
      },
    );
    const list = within(await screen.findByRole('region', { name: 'Payments' }));
    expect(list.getByRole('listitem').textContent).toBe('Cash · Apr 4, 2026Recorded by Mia50.00');
    await chooseMenuItem('More actions for the payment of 50.00', 'Reverse payment');
    const question = within(await screen.findByRole('alertdialog', { name: 'Reverse payment?' }));
    question.getByText('This reverses the payment of $50.00 in cash on Apr 4, 2026. Both entries stay in the list.');
    typeInto(/^Note/, 'Wrong job');
    await act(async () => fireEvent.click(question.getByRole('button', { name: 'Reverse payment' })));
    await waitForToasts('Payment reversed');
    expect(sent).toEqual([{ reversal_id: expect.any(String), note: 'Wrong job' }]);
    await waitFor(() => expect(list.getAllByRole('listitem')).toHaveLength(2));
    expect(list.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
      'Reversal, cash · Apr 4, 2026Recorded by MiaWrong job-50.00',
      'Cash, reversed · Apr 4, 2026Recorded by Mia50.00',
    ]);
    expect(list.queryByRole('button')).toBeNull();
  });

  it.each([
    { code: 'FORBIDDEN', message: 'You do not have permission to reverse payments.', dialogs: 1 },
    { code: 'PAYMENT_REVERSED', message: 'This payment has already been reversed.', dialogs: 0 },
  ] as const)(
    'reports a failed reversal ($code) and keeps the dialog open unless a colleague has already reversed it',
    async ({ code, message, dialogs }) => {
      openPaymentPage(
        { ...INVOICED_BILLING, ...PARTLY_PAID_BILLING },
        { [`POST /payments/${PAYMENT.id}/reverse`]: () => failWith(code, message) },
      );
      await findInvoice();
      await chooseMenuItem('More actions for the payment of 50.00', 'Reverse payment');
      const question = within(await screen.findByRole('alertdialog'));
      await act(async () => fireEvent.click(question.getByRole('button', { name: 'Reverse payment' })));
      await waitForToasts(`Failed to reverse payment: ${message}`);
      await waitFor(() => expect(screen.queryAllByRole('alertdialog')).toHaveLength(dialogs));
    },
  );

  it('lists every sent document with its number, date, total, status and PDF', async () => {
    const credit = {
      ...INVOICE,
      id: '018f0000-0000-7000-8000-000000000041',
      kind: 'credit_note' as const,
      invoice_number: 'CN-2026-0003',
      shown_status: 'paid' as const,
      replaces: { id: INVOICE.id, invoice_number: INVOICE.invoice_number },
    };
    const credited = {
      ...INVOICE,
      state: 'credited' as const,
      shown_status: 'canceled' as const,
      credited_by: { id: credit.id, invoice_number: credit.invoice_number },
    };
    openPaymentPage({ invoices: [credit, credited] });
    const list = within(await screen.findByRole('region', { name: 'Invoices' }));
    expect(list.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
      'CN-2026-0003Credit noteApr 3, 2026Cancels INV-2026-0187-$115.00',
      'INV-2026-0187CanceledApr 3, 2026Canceled by CN-2026-0003$115.00',
    ]);
    expect(list.getByRole('link', { name: 'Download PDF of CN-2026-0003' }).getAttribute('href')).toBe(`/api/invoices/${credit.id}/pdf`);
    expect(list.queryByRole('button')).toBeNull();
  });

  it('shows the days late of an overdue invoice and warns about an altered copy', async () => {
    openPaymentPage({ ...INVOICED_BILLING, invoices: [{ ...INVOICE, shown_status: 'overdue', days_late: 2, is_intact: false }] });
    const list = within(await screen.findByRole('region', { name: 'Invoices' }));
    list.getByText('2 days late');
    expect(list.getByRole('alert').textContent).toContain('may have been altered');
  });
});
