import type { Customer } from '@callout/contract/customers';
import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import { openPage, press, refuse, typeInto, valueOf, waitForToasts } from './open-page.tsx';
import { CUSTOMER, OWNER } from './people.ts';

const PATH = `/customers/${CUSTOMER.id}`;
const LIST = {
  'GET /customers/count': () => ({ total: 1 }),
  'GET /customers?sort=name&order=asc': () => ({ rows: [CUSTOMER], next_cursor: null }),
};
const SHELL = { 'GET /me': () => OWNER, 'GET /notifications': () => ({ rows: [], unread: 0 }) };

async function openNewCustomer() {
  const answer = Promise.withResolvers<void>();
  const page = openPage('/customers/new', {
    ...SHELL,
    'GET /customers/duplicates?email=ana%40example.com': () => ({ rows: [] }),
    'POST /customers': async (input) => {
      await answer.promise;
      return { ...CUSTOMER, ...(input as Customer) };
    },
  });
  await screen.findByLabelText('Name');
  for (const [label, text] of Object.entries({ Name: 'Ana', Email: 'ana@example.com', Phone: '1', 'Street address': '1 High Street' })) {
    typeInto(label, text);
  }
  await press('Add Customer');
  await screen.findByRole('button', { name: 'Adding…' });
  return { ...page, answer };
}

/** The customer's form, opened from the customer, which was opened from the list; its save waits for `answer`. */
async function openEditor(save: (input: unknown) => unknown) {
  const answer = Promise.withResolvers<void>();
  const page = openPage('/customers', {
    ...SHELL,
    ...LIST,
    'GET /jobs?sort=created_at&order=desc&customer_id={id}': () => ({ rows: [], next_cursor: null }),
    [`GET ${PATH}`]: () => CUSTOMER,
    [`PUT ${PATH}`]: async (input) => {
      await answer.promise;
      return save(input);
    },
  });
  const row = await screen.findByRole('link', { name: /^Ana Rossi/ });
  await act(async () => fireEvent.click(row));
  const edit = await screen.findByRole('link', { name: 'Edit' });
  await act(async () => fireEvent.click(edit));
  await screen.findByLabelText('Phone');
  typeInto('Phone', '1');
  await press('Save Changes');
  await screen.findByRole('button', { name: 'Saving…' });
  return { ...page, answer, search: () => page.router.state.location.search };
}

const saved = (input: unknown) => ({ ...CUSTOMER, ...(input as Customer), version: 2 });
const openSettings = () => act(async () => fireEvent.click(screen.getAllByRole('link', { name: 'Settings' })[0] ?? document.body));

it('a new customer that is added after its form was left leads nobody away, and what is typed elsewhere stays', async () => {
  const { path, answer } = await openNewCustomer();
  await openSettings();
  await screen.findByText('Your changes are still being saved.');
  await press('Leave');
  await screen.findByLabelText(/^Bank name/);
  typeInto(/^Bank name/, 'Kiwibank');
  await act(async () => answer.resolve());
  await waitForToasts('Customer added successfully');
  expect(path()).toBe('/settings');
  expect(valueOf(/^Bank name/)).toBe('Kiwibank');
});

it('a customer that is added while the question is open needs no answer to it any more', async () => {
  const { path, answer } = await openNewCustomer();
  await openSettings();
  await screen.findByText('Your changes are still being saved.');
  await act(async () => answer.resolve());
  await waitFor(() => expect(path()).toBe('/settings'));
  expect(screen.queryByRole('alertdialog')).toBeNull();
});

it.each(['before', 'after'])('a save that ends %s the question is answered goes back once, from the form to the customer', async (when) => {
  const { path, search, answer } = await openEditor(saved);
  await press('Cancel');
  await screen.findByText('Your changes are still being saved.');
  if (when === 'after') {
    await press('Leave');
    await screen.findByRole('link', { name: 'Edit' });
  }
  await act(async () => answer.resolve());
  await waitForToasts('Customer updated successfully');
  await waitFor(() => expect(search()).toEqual({}));
  expect(await screen.findByRole('link', { name: 'Edit' })).toBeDefined();
  expect(path()).toBe(PATH);
});

it('a save that is refused after the form was left says so, and what was typed is back with the form', async () => {
  const theirs = { ...CUSTOMER, phone: '2', version: 2 };
  const { answer, search } = await openEditor(() => refuse('STALE_VERSION', 'Someone else has changed this.', { current: theirs }));
  await press('Cancel');
  await press('Leave');
  await waitFor(() => expect(search()).toEqual({}));
  await act(async () => answer.resolve());
  await waitForToasts('Someone else has changed this.');
  const edit = await screen.findByRole('link', { name: 'Edit' });
  await act(async () => fireEvent.click(edit));
  await waitFor(() => expect(valueOf('Phone')).toBe('1'));
});
