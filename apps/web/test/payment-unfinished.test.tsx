import type { Billing } from '@callout/contract/invoices';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { press, typeInto, waitForToasts } from './open-page.tsx';
import { chooseFrom, findBill, INVOICED, NOTHING_TO_BILL, openPayment, PAID, SEND } from './open-payment.ts';
import { BILLING, INVOICE } from './people.ts';

const BOOKED: Partial<Billing> = { job: { ...BILLING.job, status: 'booked' } };
const CREDITED: Partial<Billing> = { invoices: [{ ...INVOICE, state: 'credited', shown_status: 'canceled' }] };

function openSending(change: Partial<Billing>) {
  const sent: unknown[] = [];
  const { server } = openPayment(change, {
    [SEND]: (input) => {
      sent.push(input);
      server.billing = { ...server.billing, ...INVOICED };
      return { billing: server.billing, mail: null };
    },
  });
  return sent;
}

describe('an invoice for a job that is not complete', () => {
  const WARNING = /^This job is not complete yet\. The invoice for \$115\.00 can't be changed after it is sent\.$/;

  it('is sent after a question', async () => {
    const sent = openSending(BOOKED);
    await findBill();
    await press('Send Payment Email');
    const question = within(await screen.findByRole('alertdialog', { name: 'Send invoice?' }));
    question.getByText(WARNING);
    expect(sent).toEqual([]);
    await act(async () => fireEvent.click(question.getByRole('button', { name: 'Send invoice' })));
    await waitForToasts('INV-2026-0187 issued');
    expect(sent).toEqual([expect.objectContaining({ by_hand: false })]);
  });

  it('is issued after the same warning', async () => {
    openSending(BOOKED);
    await findBill();
    await chooseFrom('More actions', 'Issue without email');
    const question = within(await screen.findByRole('alertdialog', { name: 'Issue without email?' }));
    expect(question.getByText(/^This job is not complete yet\. The invoice for \$115\.00 gets its number and date/)).toBeDefined();
  });

  it('is sent again without a question: its figures are kept already', async () => {
    const sent = openSending({ ...INVOICED, ...BOOKED });
    await findBill();
    await press('Send Payment Email');
    await waitFor(() => expect(sent).toHaveLength(1));
    expect(screen.queryByRole('alertdialog')).toBeNull();
  });
});

describe('the steps of a job that is not complete', () => {
  const steps = async () =>
    within(await screen.findByRole('list', { name: 'Progress' }))
      .getAllByRole('listitem')
      .map(({ textContent }) => textContent);

  it('tick nothing when it costs nothing', async () => {
    openPayment({ ...NOTHING_TO_BILL, ...BOOKED });
    expect(await steps()).toEqual(['Complete the job', 'No invoice sent', 'Paid']);
  });

  it('tick the payment when all of it is paid', async () => {
    openPayment({ ...PAID, invoice: null, invoices: [], mails: [], document: BILLING.document, ...BOOKED });
    expect(await steps()).toEqual(['Complete the job', 'No invoice sent', 'Paid $115.00 of $115.00 (done)']);
  });
});

describe('what the link shows', () => {
  it('before anything was issued: a draft, and how it becomes an invoice', async () => {
    openPayment();
    const sentence =
      'Your customer sees a draft until you send the invoice. To send the link yourself, choose “Issue without email” in More actions.';
    expect(await screen.findByText(sentence)).toBeDefined();
  });

  it('after a credit note: the canceled invoice, which nobody is mailed', async () => {
    openPayment(CREDITED);
    await screen.findByText('The link still shows the canceled INV-2026-0187 until a new invoice is sent.');
    expect(screen.queryByRole('link', { name: 'Open in mail app' })).toBeNull();
  });

  it('of an open invoice needs no explanation', async () => {
    openPayment(INVOICED);
    await findBill();
    expect(screen.queryByText(/sees a draft|still shows/)).toBeNull();
    screen.getByRole('link', { name: 'Open in mail app' });
  });
});

describe('a payment through PayPal', () => {
  it('is recorded without its fee, and says so', async () => {
    openPayment(INVOICED);
    await press('Record payment…');
    await screen.findByRole('dialog');
    expect(screen.queryByText(/without the PayPal Fee/)).toBeNull();
    typeInto('Method', 'paypal');
    await screen.findByText('Enter the amount without the PayPal Fee ($3.74).');
  });

  it('without a fee has nothing to say', async () => {
    openPayment({ ...INVOICED, request: { ...BILLING.request, fee: '0.00', total: '115.00' } });
    await press('Record payment…');
    await screen.findByRole('dialog');
    typeInto('Method', 'paypal');
    await screen.findByText('$115.00 is due.');
    expect(screen.queryByText(/without the PayPal Fee/)).toBeNull();
  });
});
