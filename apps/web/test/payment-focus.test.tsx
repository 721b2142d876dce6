import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { announceSessionEnd } from '../src/lib/session-end.ts';
import { PAYMENT } from './billing-fixtures.ts';
import { getValue, typeInto, waitForToasts } from './open-page.tsx';
import { chooseMenuItem, findInvoice, INVOICED_BILLING, openPaymentPage, PARTLY_PAID_BILLING, SEND_INVOICE_CALL } from './open-payment.ts';

const answerDialog = async (name: string) => {
  const question = within(await screen.findByRole('alertdialog'));
  const button = question.getByRole('button', { name });
  act(() => button.focus());
  await act(async () => fireEvent.click(button));
};
const chooseFromMenu = async (name: string, item: string) => {
  await findInvoice();
  act(() => screen.getByRole('button', { name }).focus());
  await chooseMenuItem(name, item);
};
const getFocusedText = () => document.activeElement?.textContent;

it('moves focus to Invoices after an invoice is issued', async () => {
  const { server } = openPaymentPage(
    {},
    {
      [SEND_INVOICE_CALL]: () => {
        server.billing = { ...server.billing, ...INVOICED_BILLING, mails: [] };
        return { billing: server.billing, mail: null };
      },
    },
  );
  await chooseFromMenu('More actions', 'Issue without email');
  await answerDialog('Issue invoice');
  await waitForToasts('INV-2026-0187 issued');
  await waitFor(() => expect(getFocusedText()).toBe('Invoices'));
});

it('moves focus to Invoices when sending the corrected invoice removes its notice', async () => {
  const { server } = openPaymentPage(
    { ...INVOICED_BILLING, differs: true },
    {
      [SEND_INVOICE_CALL]: () => {
        server.billing = { ...server.billing, differs: false };
        return { billing: server.billing, mail: 'queued' };
      },
    },
  );
  await findInvoice();
  const button = screen.getByRole('button', { name: 'Send corrected invoice' });
  act(() => button.focus());
  await act(async () => fireEvent.click(button));
  await waitFor(() => expect(button.isConnected).toBe(false));
  expect(getFocusedText()).toBe('Invoices');
});

it('moves focus to Payments after the only payment is reversed', async () => {
  const { server } = openPaymentPage(
    { ...INVOICED_BILLING, ...PARTLY_PAID_BILLING },
    {
      [`POST /payments/${PAYMENT.id}/reverse`]: () => {
        server.billing = { ...server.billing, paid_amount: '0.00', payments: [{ ...PAYMENT, is_reversed: true }] };
        return server.billing;
      },
    },
  );
  await chooseFromMenu('More actions for the payment of 50.00', 'Reverse payment');
  await answerDialog('Reverse payment');
  await waitForToasts('Payment reversed');
  await waitFor(() => expect(getFocusedText()).toBe('Payments'));
});

it('restores a typed reversal note after the session expired', async () => {
  const openReversal = async () => {
    openPaymentPage({ ...INVOICED_BILLING, ...PARTLY_PAID_BILLING });
    await chooseFromMenu('More actions for the payment of 50.00', 'Reverse payment');
    await screen.findByRole('alertdialog');
  };
  await openReversal();
  typeInto(/^Note/, 'Wrong job');
  await act(async () => announceSessionEnd('expired'));
  cleanup();
  await openReversal();
  await waitFor(() => expect(getValue(/^Note/)).toBe('Wrong job'));
});
