import type { Billing } from '@callout/contract/invoices';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { BILLING, INVOICE } from './billing-fixtures.ts';
import { failWith, pressButton, typeInto, waitForToasts } from './open-page.tsx';
import {
  chooseMenuItem,
  FREE_BILLING,
  findInvoice,
  INVOICED_BILLING,
  openPaymentPage,
  PAID_BILLING,
  SEND_INVOICE_CALL,
} from './open-payment.ts';

const BOOKED_BILLING: Partial<Billing> = { job: { ...BILLING.job, status: 'booked' } };
const CREDITED_BILLING: Partial<Billing> = { invoices: [{ ...INVOICE, state: 'credited', shown_status: 'canceled' }] };

function openAndRecordSends(change: Partial<Billing>) {
  const sent: unknown[] = [];
  const { server } = openPaymentPage(change, {
    [SEND_INVOICE_CALL]: (input) => {
      sent.push(input);
      server.billing = { ...server.billing, ...INVOICED_BILLING };
      return { billing: server.billing, mail: null };
    },
  });
  return sent;
}

describe('invoice for an incomplete job', () => {
  const WARNING = /^This job is not complete yet\. The invoice for \$115\.00 can't be changed after it is sent\.$/;

  it('is sent after a confirmation', async () => {
    const sent = openAndRecordSends(BOOKED_BILLING);
    await findInvoice();
    await pressButton('Send Payment Email');
    const question = within(await screen.findByRole('alertdialog', { name: 'Send invoice?' }));
    question.getByText(WARNING);
    expect(sent).toEqual([]);
    await act(async () => fireEvent.click(question.getByRole('button', { name: 'Send invoice' })));
    await waitForToasts('INV-2026-0187 issued');
    expect(sent).toEqual([expect.objectContaining({ by_hand: false })]);
  });

  it('is issued without email after the same warning', async () => {
    openAndRecordSends(BOOKED_BILLING);
    await findInvoice();
    await chooseMenuItem('More actions', 'Issue without email');
    const question = within(await screen.findByRole('alertdialog', { name: 'Issue without email?' }));
    expect(question.getByText(/^This job is not complete yet\. The invoice for \$115\.00 gets a number and a date/)).toBeDefined();
  });

  it('is sent again without a confirmation, because its amounts are already final', async () => {
    const sent = openAndRecordSends({ ...INVOICED_BILLING, ...BOOKED_BILLING });
    await findInvoice();
    await pressButton('Send Payment Email');
    await waitFor(() => expect(sent).toHaveLength(1));
    expect(screen.queryByRole('alertdialog')).toBeNull();
  });
});

describe('progress steps of an incomplete job', () => {
  const findSteps = async () =>
    within(await screen.findByRole('list', { name: 'Progress' }))
      .getAllByRole('listitem')
      .map(({ textContent }) => textContent);

  it('mark no step as done when the job costs nothing', async () => {
    openPaymentPage({ ...FREE_BILLING, ...BOOKED_BILLING });
    expect(await findSteps()).toEqual(['Complete the job', 'No invoice sent', 'Paid']);
  });

  it('mark the payment step as done when everything is paid', async () => {
    openPaymentPage({ ...PAID_BILLING, invoice: null, invoices: [], mails: [], document: BILLING.document, ...BOOKED_BILLING });
    expect(await findSteps()).toEqual(['Complete the job', 'No invoice sent', 'Paid $115.00 of $115.00 (done)']);
  });
});

describe('explanation of what the public link shows', () => {
  it('mentions the draft, and how to issue it, before an invoice is sent', async () => {
    openPaymentPage();
    const sentence =
      'Your customer sees a draft until you send the invoice. To send the link yourself, choose “Issue without email” in More actions.';
    expect(await screen.findByText(sentence)).toBeDefined();
  });

  it('mentions the canceled invoice after a credit note and hides Open in mail app', async () => {
    openPaymentPage(CREDITED_BILLING);
    await screen.findByText('The link still shows the canceled INV-2026-0187 until a new invoice is sent.');
    expect(screen.queryByRole('link', { name: 'Open in mail app' })).toBeNull();
  });

  it('is not shown for an open invoice', async () => {
    openPaymentPage(INVOICED_BILLING);
    await findInvoice();
    expect(screen.queryByText(/sees a draft|still shows/)).toBeNull();
    screen.getByRole('link', { name: 'Open in mail app' });
  });
});

describe('recording a PayPal payment', () => {
  it('takes the amount with or without the PayPal fee', async () => {
    openPaymentPage(INVOICED_BILLING);
    await pressButton('Record payment…');
    await screen.findByRole('dialog');
    expect(screen.queryByText(/PayPal Fee of/)).toBeNull();
    typeInto('Method', 'paypal');
    await screen.findByText('Enter $118.74 if they paid the PayPal Fee of $3.74, too.');
    typeInto('Amount', '118.74');
    await screen.findByText('The PayPal Fee of $3.74 is recorded separately.');
  });

  it('recognizes the amount with the PayPal fee however many decimals are typed', async () => {
    openPaymentPage({ ...INVOICED_BILLING, request: { ...BILLING.request, fee: '3.50', total: '118.50' } });
    await pressButton('Record payment…');
    await screen.findByRole('dialog');
    typeInto('Method', 'paypal');
    typeInto('Amount', '118.5');
    expect(await screen.findByText('The PayPal Fee of $3.50 is recorded separately.')).toBeDefined();
  });

  const EXCEEDS_MESSAGE = 'This is more than the $115.00 not paid yet. Please confirm it.';

  it('asks for confirmation of a deposit that exceeds the price so far', async () => {
    const sent: unknown[] = [];
    const { server } = openPaymentPage(
      { job: { ...BILLING.job, status: 'booked' } },
      {
        'POST /payments': (input) => {
          sent.push(input);
          if (sent.length === 1) return failWith('INVALID_INPUT', 'Invalid', { fields: { amount: EXCEEDS_MESSAGE } });
          return server.billing;
        },
      },
    );
    await pressButton('Record payment…');
    await screen.findByRole('dialog');
    expect(screen.queryByRole('checkbox')).toBeNull();
    typeInto('Amount', '150');
    const checkbox = await screen.findByRole('checkbox', { name: /^Record it as a deposit for more work/ });
    screen.getByText('It is more than the $115.00 not paid yet.');
    await pressButton('Record payment');
    await screen.findByText(EXCEEDS_MESSAGE);
    expect(screen.getAllByText(/more than the \$115.00 not paid yet/)).toHaveLength(1);
    fireEvent.click(checkbox);
    await pressButton('Record payment');
    await waitForToasts('Payment recorded');
    expect(sent.slice(1)).toEqual([expect.objectContaining({ amount: '150', is_excess_confirmed: true })]);
  });

  it('does not mention the PayPal fee when there is none', async () => {
    openPaymentPage({ ...INVOICED_BILLING, request: { ...BILLING.request, fee: '0.00', total: '115.00' } });
    await pressButton('Record payment…');
    await screen.findByRole('dialog');
    typeInto('Method', 'paypal');
    await screen.findByText('$115.00 is due.');
    expect(screen.queryByText(/without the PayPal Fee/)).toBeNull();
  });
});
