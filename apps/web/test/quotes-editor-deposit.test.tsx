import { screen, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import { press, refuse, typeInto, valueOf } from './open-page.tsx';
import { EDIT, openEditor, summary } from './open-quote-editor.ts';
import { QUOTE } from './people.ts';

const FIELD = /^Deposit on acceptance/;

async function openDeposit(change: Partial<typeof QUOTE> = {}, more = {}) {
  const page = openEditor(EDIT, { 'GET /quotes/{id}': () => ({ ...QUOTE, ...change }), ...more });
  await screen.findByLabelText(FIELD);
  return page;
}

it('a percentage is sent as one, and the summary says what it comes to', async () => {
  window.happyDOM.setViewport({ width: 1440 });
  const { server } = await openDeposit();
  typeInto(FIELD, '30');
  expect(await summary().findByText('30% of what is accepted')).toBeDefined();
  expect(summary().getByText('69.00')).toBeDefined();
  await press('Save Changes');
  await waitFor(() => expect(server.updated).toMatchObject([{ deposit_percentage: '30', deposit_amount: null }]));
  window.happyDOM.setViewport({ width: 1024 });
});

it('the same number can become an amount, never both', async () => {
  const { server } = await openDeposit();
  typeInto(FIELD, '50');
  typeInto('Deposit type', 'deposit_amount');
  expect(valueOf(FIELD)).toBe('50');
  await press('Save Changes');
  await waitFor(() => expect(server.updated).toMatchObject([{ deposit_percentage: null, deposit_amount: '50' }]));
});

it('a stored amount shows as an amount, and is taken away when it is emptied', async () => {
  const { server } = await openDeposit({ deposit_amount: '120.00' });
  expect([valueOf(FIELD), valueOf('Deposit type')]).toEqual(['120.00', 'deposit_amount']);
  typeInto(FIELD, '');
  await press('Save Changes');
  await waitFor(() => expect(server.updated).toMatchObject([{ deposit_percentage: null, deposit_amount: null }]));
});

it.each([
  ['deposit_percentage', '101', 'Deposit must be more than 0 and at most 100 percent, with up to 2 decimal places'],
  ['deposit_amount', 'lots', /^Deposit must/],
])('what cannot be a deposit is refused beside its field: %s %s', async (kind, typed, message) => {
  const { server } = await openDeposit();
  typeInto('Deposit type', kind);
  typeInto(FIELD, typed);
  await press('Save Changes');
  expect(await screen.findByText(message)).toBeDefined();
  expect(server.updated).toEqual([]);
});

it('a percentage and an amount that two people gave are refused beside the field', async () => {
  const message = 'Please enter the deposit as a percentage or as an amount, not both';
  await openDeposit(
    { deposit_percentage: '30', deposit_amount: '50.00' },
    { 'PUT /quotes/{id}': () => refuse('INVALID_INPUT', 'Invalid', { fields: { deposit_amount: message } }) },
  );
  typeInto('Title', 'Another title');
  await press('Save Changes');
  expect(await screen.findByText(message)).toBeDefined();
});
