import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { announceSessionEnd } from '../src/lib/session-end.ts';
import { typeInto, valueOf, waitForToasts } from './open-page.tsx';
import { chooseFrom, findBill, INVOICED, openPayment, PARTLY_PAID, SEND } from './open-payment.ts';
import { PAYMENT } from './people.ts';

const answer = async (name: string) => {
  const question = within(await screen.findByRole('alertdialog'));
  const button = question.getByRole('button', { name });
  act(() => button.focus());
  await act(async () => fireEvent.click(button));
};
const openMenu = async (name: string, item: string) => {
  await findBill();
  act(() => screen.getByRole('button', { name }).focus());
  await chooseFrom(name, item);
};
const focused = () => document.activeElement?.textContent;

it('after an invoice was issued the focus is on what was sent', async () => {
  const { server } = openPayment(
    {},
    {
      [SEND]: () => {
        server.billing = { ...server.billing, ...INVOICED, mails: [] };
        return { billing: server.billing, mail: null };
      },
    },
  );
  await openMenu('More actions', 'Issue without email');
  await answer('Issue invoice');
  await waitForToasts('INV-2026-0187 issued');
  await waitFor(() => expect(focused()).toBe('Invoices sent'));
});

it('after a corrected invoice was sent from its notice, which goes, the focus is on what was sent', async () => {
  const { server } = openPayment(
    { ...INVOICED, differs: true },
    {
      [SEND]: () => {
        server.billing = { ...server.billing, differs: false };
        return { billing: server.billing, mail: 'queued' };
      },
    },
  );
  await findBill();
  const button = screen.getByRole('button', { name: 'Send corrected invoice' });
  act(() => button.focus());
  await act(async () => fireEvent.click(button));
  await waitFor(() => expect(button.isConnected).toBe(false));
  expect(focused()).toBe('Invoices sent');
});

it('after the only payment was reversed the focus is on the payments', async () => {
  const { server } = openPayment(
    { ...INVOICED, ...PARTLY_PAID },
    {
      [`POST /payments/${PAYMENT.id}/reverse`]: () => {
        server.billing = { ...server.billing, paid_amount: '0.00', payments: [{ ...PAYMENT, is_reversed: true }] };
        return server.billing;
      },
    },
  );
  await openMenu('More actions for the payment of 50.00', 'Reverse payment');
  await answer('Reverse payment');
  await waitForToasts('Payment reversed');
  await waitFor(() => expect(focused()).toBe('Payments'));
});

it('a reason that was typed when the session ended is there again', async () => {
  const reverse = async () => {
    openPayment({ ...INVOICED, ...PARTLY_PAID });
    await openMenu('More actions for the payment of 50.00', 'Reverse payment');
    await screen.findByRole('alertdialog');
  };
  await reverse();
  typeInto(/^Note/, 'Wrong job');
  await act(async () => announceSessionEnd('expired'));
  cleanup();
  await reverse();
  await waitFor(() => expect(valueOf(/^Note/)).toBe('Wrong job'));
});
