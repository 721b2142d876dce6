import type { Billing } from '@callout/contract/invoices';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import { openPage, press, refuse, toastTexts, typeInto, valueOf, waitForToasts } from './open-page.tsx';
import { chooseFrom, findBill, INVOICED, openPayment, PAID, PARTLY_PAID, PAYMENT_PATH } from './open-payment.ts';
import { BILLING, INVOICE, JOB, JOB_PARTS, OWNER, PAYMENT } from './people.ts';

const RECORD = 'POST /payments';
const setWidth = (width: number) => window.happyDOM.setViewport({ width });
afterEach(() => setWidth(1024));

const button = (name: string | RegExp) => screen.getByRole<HTMLButtonElement>('button', { name });
const isFilled = (name: string) => button(name).className.includes('bg-accent ');

/** The server takes a payment and answers with what is left. */
function payments(change: (input: Record<string, unknown>) => Partial<Billing>) {
  const taken: Record<string, unknown>[] = [];
  const opened = openPayment(INVOICED, {
    [RECORD]: (input) => {
      taken.push(input as Record<string, unknown>);
      opened.server.billing = { ...opened.server.billing, ...change(input as Record<string, unknown>) };
      return opened.server.billing;
    },
  });
  return { ...opened, taken };
}

describe('Mark as Paid', () => {
  it('records all that is due with one click and leads back to the paid job', async () => {
    const { taken, path } = payments(() => PAID);
    await screen.findByText(/^Records \$115.00 by bank transfer, today\./);
    await press('Mark as Paid');
    await waitForToasts('Job marked as paid');
    await screen.findByRole('heading', { level: 1, name: 'Roof repair' });
    expect(path()).toBe(`/jobs/${JOB.id}`);
    expect(taken).toEqual([{ id: expect.any(String), job_id: JOB.id, amount: null, note: null, outstanding: '115.00' }]);
    await screen.findAllByText('Paid');
  });

  it('goes back to the job page it was opened from, without a second entry of it', async () => {
    const { router, path } = openPage(`/jobs/${JOB.id}`, {
      'GET /me': () => OWNER,
      [`GET /jobs/${JOB.id}`]: () => ({ ...JOB, status: 'invoiced' }),
      [`GET /jobs/${JOB.id}/billing`]: () => ({ ...BILLING, ...INVOICED }),
      [RECORD]: () => ({ ...BILLING, ...PAID }),
      ...JOB_PARTS,
    });
    const payment = await screen.findByRole('link', { name: 'Payment' });
    await act(async () => fireEvent.click(payment));
    const { length } = router.history;
    await press('Mark as Paid');
    await waitFor(() => expect(path()).toBe(`/jobs/${JOB.id}`));
    expect(router.history.length).toBe(length);
  });

  it('says when it fails, and stays', async () => {
    const { path } = openPayment(INVOICED, { [RECORD]: () => refuse('UNAVAILABLE', 'The database is restarting.') });
    await press('Mark as Paid');
    await waitForToasts('Failed to mark job as paid: The database is restarting.');
    expect(path()).toBe(PAYMENT_PATH);
  });

  it('of an amount that has changed shows the new one, and says so', async () => {
    const { server, path } = openPayment(INVOICED, {
      [RECORD]: () => {
        server.billing = { ...server.billing, ...PARTLY_PAID };
        return refuse('INVOICE_CHANGED', 'The amount due has changed. Please check it before you record the payment.');
      },
    });
    await press('Mark as Paid');
    await waitForToasts('The amount due has changed. Please check it before you record the payment.');
    await screen.findByText(/^Records \$65.00 by bank transfer, today\./);
    expect(path()).toBe(PAYMENT_PATH);
  });

  it('without a connection says so, and the next press is the same payment', async () => {
    const ids: unknown[] = [];
    openPayment(INVOICED, {
      [RECORD]: (input) => {
        ids.push((input as { id: string }).id);
        throw new TypeError('Failed to fetch');
      },
    });
    for (const count of [1, 2]) {
      await press('Mark as Paid');
      await waitFor(() => expect(ids).toHaveLength(count));
      await waitFor(() => expect(toastTexts()[0]).toMatch(/^Failed to mark job as paid: .*connection/i));
    }
    expect(ids[1]).toBe(ids[0]);
  });

  it('of a job that is not complete records a deposit, and stays', async () => {
    const job = { ...BILLING.job, status: 'booked' as const };
    const { server, path } = openPayment({ job }, { [RECORD]: () => server.billing });
    await screen.findByText(/The job is not complete yet, so it counts as a deposit\./);
    await press('Mark as Paid');
    await waitForToasts('Payment recorded');
    expect(path()).toBe(PAYMENT_PATH);
  });

  it('is not offered once it is paid', async () => {
    openPayment(PAID);
    await screen.findByText('Paid, Apr 4, 2026');
    for (const name of ['Mark as Paid', 'Record payment…']) expect(screen.queryByRole('button', { name })).toBeNull();
    expect(isFilled('Send Payment Email')).toBe(false);
  });

  it('is within reach on a phone, beside Send Payment Email', async () => {
    setWidth(390);
    openPayment();
    await findBill();
    const bar = document.querySelector<HTMLElement>('[data-docked="bottom"]');
    expect([...(bar?.querySelectorAll('button') ?? [])].map(({ textContent }) => textContent)).toEqual([
      'Send Payment Email',
      'Mark as Paid',
    ]);
  });
});

describe('Record payment', () => {
  it('is filled in, so that Enter does it; a part of it stays on the page', async () => {
    const { taken, path } = payments(() => PARTLY_PAID);
    await press('Record payment…');
    await screen.findByRole('dialog', { name: 'Record payment' });
    expect([valueOf('Amount'), valueOf('Date'), valueOf('Method'), valueOf(/^Note/)]).toEqual([
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
    await press('Record payment');
    await waitForToasts('Payment recorded');
    expect(taken).toEqual([
      { id: expect.any(String), job_id: JOB.id, amount: '50', paid_on: '2026-04-05', method: 'cash', note: 'At the door' },
    ]);
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(path()).toBe(PAYMENT_PATH);
    await press('Record payment…');
    await waitFor(() => expect(valueOf('Amount')).toBe('65.00'));
  });

  it('leads back to the job when it pays all of it', async () => {
    const { path } = payments(() => PAID);
    await press('Record payment…');
    await screen.findByRole('dialog');
    await press('Record payment');
    await waitForToasts('Job marked as paid');
    await waitFor(() => expect(path()).toBe(`/jobs/${JOB.id}`));
  });

  it('before the invoice counts as a deposit', async () => {
    openPayment(INVOICED);
    await press('Record payment…');
    await screen.findByRole('dialog');
    typeInto('Date', '2026-04-02');
    await screen.findByText('Before the invoice date (Apr 3, 2026), so it counts as a deposit.');
    typeInto('Date', '2026-04-03');
    await waitFor(() => expect(screen.queryByText(/^Before the invoice/)).toBeNull());
  });

  it('that is too large, or in the future, says so at its field and keeps what was typed', async () => {
    openPayment(INVOICED, {
      [RECORD]: () =>
        refuse('INVALID_INPUT', 'Wrong', {
          fields: { amount: 'The payment is larger than the $115.00 that is due.', paid_on: "The date can't be in the future" },
        }),
    });
    await press('Record payment…');
    await screen.findByRole('dialog');
    typeInto('Amount', '500');
    await press('Record payment');
    await screen.findByText('The payment is larger than the $115.00 that is due.');
    screen.getByText("The date can't be in the future");
    expect(valueOf('Amount')).toBe('500');
    expect(toastTexts()).toEqual([]);
  });

  it('of 0 is refused before it is sent', async () => {
    openPayment(INVOICED);
    await press('Record payment…');
    await screen.findByRole('dialog');
    typeInto('Amount', '0');
    await press('Record payment');
    expect(await screen.findByText('Amount must be more than 0, with up to 2 decimal places')).toBeDefined();
  });

  it('without an amount or a day is not taken for all that is due, today', async () => {
    const { taken } = payments(() => PAID);
    await press('Record payment…');
    await screen.findByRole('dialog');
    typeInto('Amount', '');
    typeInto('Date', '');
    await press('Record payment');
    expect(await screen.findByText('Amount is required')).toBeDefined();
    expect(screen.getByText('Please enter a date')).toBeDefined();
    expect(taken).toEqual([]);
  });

  it('of the requested deposit is offered first', async () => {
    const request = { ...BILLING.request, what: 'deposit' as const, amount: '40.00' };
    openPayment({ job: { ...BILLING.job, status: 'booked' }, deposit_amount: '40.00', request });
    await press('Record payment…');
    await screen.findByRole('dialog');
    expect(valueOf('Amount')).toBe('40.00');
    screen.getByText('Leaves $75.00 of $115.00.');
  });

  it('that fails keeps the dialog and what was typed', async () => {
    openPayment(INVOICED, { [RECORD]: () => refuse('UNAVAILABLE', 'The database is restarting.') });
    await press('Record payment…');
    await screen.findByRole('dialog');
    typeInto('Amount', '20');
    await press('Record payment');
    await waitForToasts('Failed to record payment: The database is restarting.');
    expect(valueOf('Amount')).toBe('20');
  });

  it('stays as it is typed while somebody else records one; what was not typed follows', async () => {
    const { server, queryClient } = openPayment(INVOICED);
    await press('Record payment…');
    await screen.findByRole('dialog');
    typeInto(/^Note/, 'At the door');
    server.billing = { ...server.billing, ...PARTLY_PAID };
    await act(() => queryClient.invalidateQueries({ queryKey: ['invoices'] }));
    await waitFor(() => expect(valueOf('Amount')).toBe('65.00'));
    expect(valueOf(/^Note/)).toBe('At the door');
    typeInto('Amount', '20');
    server.billing = {
      ...server.billing,
      paid_amount: '60.00',
      request: { ...server.billing.request, outstanding: '55.00', amount: '55.00' },
    };
    await act(() => queryClient.invalidateQueries({ queryKey: ['invoices'] }));
    await screen.findByText('Leaves $35.00 of $55.00.');
    expect([valueOf('Amount'), valueOf(/^Note/)]).toEqual(['20', 'At the door']);
  });

  it('whose answer was lost is the same payment when it is sent again, also after another one', async () => {
    const ids: unknown[] = [];
    const { server } = openPayment(INVOICED, {
      [RECORD]: (input) => {
        ids.push((input as { id: string }).id);
        server.billing = { ...server.billing, ...PARTLY_PAID };
        throw new TypeError('Failed to fetch');
      },
    });
    await press('Record payment…');
    await screen.findByRole('dialog');
    typeInto('Amount', '20');
    await press('Record payment');
    await screen.findByText('Leaves $45.00 of $65.00.');
    expect(valueOf('Amount')).toBe('20');
    await press('Record payment');
    await waitFor(() => expect(ids).toHaveLength(2));
    expect(ids[1]).toBe(ids[0]);
  });

  it('whose answer was lost counts as recorded once it is in the list, and the next one is another', async () => {
    const ids: string[] = [];
    const { server } = openPayment(INVOICED, {
      [RECORD]: (input) => {
        const { id } = input as { id: string };
        ids.push(id);
        server.billing = { ...server.billing, ...PARTLY_PAID, payments: [{ ...PAYMENT, id }] };
        throw new TypeError('Failed to fetch');
      },
    });
    await press('Record payment…');
    await screen.findByRole('dialog');
    typeInto('Amount', '50');
    await press('Record payment');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(toastTexts()).toContain('Payment recorded');
    await press('Record payment…');
    await waitFor(() => expect(valueOf('Amount')).toBe('65.00'));
    await press('Record payment');
    await waitFor(() => expect(ids).toHaveLength(2));
    expect(ids[1]).not.toBe(ids[0]);
  });
});

describe('what was recorded', () => {
  const reversal = { ...PAYMENT, id: '018f0000-0000-7000-8000-000000000034', amount: '-50.00', reverses: PAYMENT.id, note: 'Wrong job' };

  it('a payment is reversed after a question, by a row of its own', async () => {
    const sent: unknown[] = [];
    const { server } = openPayment(
      { ...INVOICED, ...PARTLY_PAID },
      {
        [`POST /payments/${PAYMENT.id}/reverse`]: (input) => {
          sent.push(input);
          server.billing = { ...server.billing, ...INVOICED, paid_amount: '0.00', payments: [reversal, { ...PAYMENT, is_reversed: true }] };
          return server.billing;
        },
      },
    );
    const list = within(await screen.findByRole('region', { name: 'Payments' }));
    expect(list.getByRole('listitem').textContent).toBe('Cash · Apr 4, 2026Recorded by Mia50.00');
    await chooseFrom('More actions for the payment of 50.00', 'Reverse payment');
    const question = within(await screen.findByRole('alertdialog', { name: 'Reverse payment?' }));
    question.getByText('This reverses $50.00 paid in cash on Apr 4, 2026. Both entries stay in the list.');
    typeInto(/^Note/, 'Wrong job');
    await act(async () => fireEvent.click(question.getByRole('button', { name: 'Reverse payment' })));
    await waitForToasts('Payment reversed');
    expect(sent).toEqual([{ reversal_id: expect.any(String), note: 'Wrong job' }]);
    await waitFor(() => expect(list.getAllByRole('listitem')).toHaveLength(2));
    list.getByText('Wrong job');
    list.getByText('-50.00');
    expect(list.queryByRole('button')).toBeNull();
  });

  it('a reversal that fails says so and keeps the question', async () => {
    openPayment(
      { ...INVOICED, ...PARTLY_PAID },
      { [`POST /payments/${PAYMENT.id}/reverse`]: () => refuse('PAYMENT_REVERSED', 'This payment was reversed already.') },
    );
    await findBill();
    await chooseFrom('More actions for the payment of 50.00', 'Reverse payment');
    const question = within(await screen.findByRole('alertdialog'));
    await act(async () => fireEvent.click(question.getByRole('button', { name: 'Reverse payment' })));
    await waitForToasts('Failed to reverse payment: This payment was reversed already.');
    expect(screen.getByRole('alertdialog')).toBeDefined();
  });

  it('everything that was sent has its number, date, total, state and PDF', async () => {
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
      replaced_by: { id: credit.id, invoice_number: credit.invoice_number, kind: credit.kind },
    };
    openPayment({ invoices: [credit, credited] });
    const list = within(await screen.findByRole('region', { name: 'Invoices sent' }));
    expect(list.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
      'CN-2026-0003Credit noteApr 3, 2026Cancels INV-2026-0187-$115.00',
      'INV-2026-0187CanceledApr 3, 2026Canceled by CN-2026-0003$115.00',
    ]);
    expect(list.getByRole('link', { name: 'Download PDF of CN-2026-0003' }).getAttribute('href')).toBe(`/api/invoices/${credit.id}/pdf`);
    expect(list.queryByRole('button')).toBeNull();
  });

  it('an overdue invoice says by how much, and a changed copy warns', async () => {
    openPayment({ ...INVOICED, invoices: [{ ...INVOICE, shown_status: 'overdue', days_late: 2, is_intact: false }] });
    const list = within(await screen.findByRole('region', { name: 'Invoices sent' }));
    list.getByText('2 days late');
    expect(list.getByRole('alert').textContent).toContain('no longer matches its fingerprint');
  });

  it('an invoice is canceled with a credit note after a question', async () => {
    const sent: unknown[] = [];
    const { server } = openPayment(INVOICED, {
      [`POST /invoices/${INVOICE.id}/credit`]: (input) => {
        sent.push(input);
        server.billing = { ...BILLING, invoices: [{ ...INVOICE, state: 'credited', shown_status: 'canceled' }] };
        return server.billing;
      },
    });
    await findBill();
    await chooseFrom('More actions for INV-2026-0187', 'Cancel with a credit note');
    const question = within(await screen.findByRole('alertdialog', { name: 'Cancel INV-2026-0187?' }));
    await act(async () => fireEvent.click(question.getByRole('button', { name: 'Cancel with a credit note' })));
    await waitForToasts('INV-2026-0187 canceled');
    expect(sent).toEqual([{ credit_id: expect.any(String), reason: null }]);
    await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
    screen.getByText('Send the invoice');
  });
});
