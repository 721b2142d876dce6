import { screen, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import { QUOTE } from './fixtures.ts';
import { failWith, getValue, pressButton, typeInto } from './open-page.tsx';
import { EDIT_QUOTE_PATH, getQuoteTotals, openQuoteEditor } from './open-quote-editor.ts';

const DEPOSIT_LABEL = /^Deposit on acceptance/;

async function openDepositEditor(change: Partial<typeof QUOTE> = {}, responses = {}) {
  const page = openQuoteEditor(EDIT_QUOTE_PATH, { 'GET /quotes/{id}': () => ({ ...QUOTE, ...change }), ...responses });
  await screen.findByLabelText(DEPOSIT_LABEL);
  return page;
}

it('saves a deposit percentage and shows its amount in the summary', async () => {
  window.happyDOM.setViewport({ width: 1440 });
  const { server } = await openDepositEditor();
  typeInto(DEPOSIT_LABEL, '30');
  expect(await getQuoteTotals().findByText('30% of the accepted total')).toBeDefined();
  expect(getQuoteTotals().getByText('69.00')).toBeDefined();
  await pressButton('Save Changes');
  await waitFor(() => expect(server.updated).toMatchObject([{ deposit_percentage: '30', deposit_amount: null }]));
  window.happyDOM.setViewport({ width: 1024 });
});

it('switches a deposit from a percentage to an amount and never saves both', async () => {
  const { server } = await openDepositEditor();
  typeInto(DEPOSIT_LABEL, '50');
  typeInto('Deposit type', 'deposit_amount');
  expect(getValue(DEPOSIT_LABEL)).toBe('50');
  await pressButton('Save Changes');
  await waitFor(() => expect(server.updated).toMatchObject([{ deposit_percentage: null, deposit_amount: '50' }]));
});

it('shows a saved deposit amount and removes the deposit when the field is cleared', async () => {
  const { server } = await openDepositEditor({ deposit_amount: '120.00' });
  expect([getValue(DEPOSIT_LABEL), getValue('Deposit type')]).toEqual(['120.00', 'deposit_amount']);
  typeInto(DEPOSIT_LABEL, '');
  await pressButton('Save Changes');
  await waitFor(() => expect(server.updated).toMatchObject([{ deposit_percentage: null, deposit_amount: null }]));
});

it.each([
  ['deposit_percentage', '101', 'Deposit must be more than 0 and at most 100 percent, with up to 2 decimal places'],
  ['deposit_amount', 'lots', /^Deposit must/],
])('rejects an invalid deposit with an error on its field: %s %s', async (kind, typed, message) => {
  const { server } = await openDepositEditor();
  typeInto('Deposit type', kind);
  typeInto(DEPOSIT_LABEL, typed);
  await pressButton('Save Changes');
  expect(await screen.findByText(message)).toBeDefined();
  expect(server.updated).toEqual([]);
});

it('shows the server error on the deposit field when a quote has both a percentage and an amount', async () => {
  const message = 'Please enter the deposit as a percentage or as an amount, not both';
  await openDepositEditor(
    { deposit_percentage: '30', deposit_amount: '50.00' },
    { 'PUT /quotes/{id}': () => failWith('INVALID_INPUT', 'Invalid', { fields: { deposit_amount: message } }) },
  );
  typeInto('Title', 'Another title');
  await pressButton('Save Changes');
  expect(await screen.findByText(message)).toBeDefined();
});
