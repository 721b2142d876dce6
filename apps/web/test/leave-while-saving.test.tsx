import type { Customer } from '@callout/contract/customers';
import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import { ADMIN_USER, CUSTOMER } from './fixtures.ts';
import { failWith, getValue, openPage, pressButton, typeInto, waitForToasts } from './open-page.tsx';

const CUSTOMER_PATH = `/customers/${CUSTOMER.id}`;
const CUSTOMER_LIST_RESPONSES = {
  'GET /customers/count': () => ({ total: 1 }),
  'GET /customers?sort=name&order=asc': () => ({ rows: [CUSTOMER], next_cursor: null }),
};
const SHELL_RESPONSES = { 'GET /me': () => ADMIN_USER, 'GET /notifications': () => ({ rows: [], unread: 0 }) };

async function startAddingCustomer() {
  const response = Promise.withResolvers<void>();
  const page = openPage('/customers/new', {
    ...SHELL_RESPONSES,
    'GET /customers/duplicates?email=ana%40example.com': () => ({ rows: [] }),
    'POST /customers': async (input) => {
      await response.promise;
      return { ...CUSTOMER, ...(input as Customer) };
    },
  });
  await screen.findByLabelText('Name');
  for (const [label, text] of Object.entries({ Name: 'Ana', Email: 'ana@example.com', Phone: '1', 'Street address': '1 High Street' })) {
    typeInto(label, text);
  }
  await pressButton('Add Customer');
  await screen.findByRole('button', { name: 'Adding…' });
  return { ...page, response };
}

/** Opens a customer from the list, edits them and starts a save that doesn't finish until the test resolves `response`. */
async function startSavingCustomer(save: (input: unknown) => unknown) {
  const response = Promise.withResolvers<void>();
  const page = openPage('/customers', {
    ...SHELL_RESPONSES,
    ...CUSTOMER_LIST_RESPONSES,
    'GET /jobs?sort=created_at&order=desc&customer_id={id}': () => ({ rows: [], next_cursor: null }),
    [`GET ${CUSTOMER_PATH}`]: () => CUSTOMER,
    [`PUT ${CUSTOMER_PATH}`]: async (input) => {
      await response.promise;
      return save(input);
    },
  });
  const row = await screen.findByRole('link', { name: /^Ana Rossi/ });
  await act(async () => fireEvent.click(row));
  const edit = await screen.findByRole('link', { name: 'Edit' });
  await act(async () => fireEvent.click(edit));
  await screen.findByLabelText('Phone');
  typeInto('Phone', '1');
  await pressButton('Save Changes');
  await screen.findByRole('button', { name: 'Saving…' });
  return { ...page, response, search: () => page.router.state.location.search };
}

const buildSavedCustomer = (input: unknown) => ({ ...CUSTOMER, ...(input as Customer), version: 2 });
const openSettings = () => act(async () => fireEvent.click(screen.getAllByRole('link', { name: 'Settings' })[0] ?? document.body));

it('does not navigate or discard other input when a customer is added after leaving its form', async () => {
  const { path, response } = await startAddingCustomer();
  await openSettings();
  await screen.findByText('Your changes are still being saved.');
  await pressButton('Leave');
  await screen.findByLabelText(/^Bank name/);
  typeInto(/^Bank name/, 'Kiwibank');
  await act(async () => response.resolve());
  await waitForToasts('Customer added successfully');
  expect(path()).toBe('/settings');
  expect(getValue(/^Bank name/)).toBe('Kiwibank');
});

it('closes the leave confirmation and leaves once the customer has been added', async () => {
  const { path, response } = await startAddingCustomer();
  await openSettings();
  await screen.findByText('Your changes are still being saved.');
  await act(async () => response.resolve());
  await waitFor(() => expect(path()).toBe('/settings'));
  expect(screen.queryByRole('alertdialog')).toBeNull();
});

it.each(['before', 'after'])('navigates back only once when a save ends %s the leave confirmation is answered', async (when) => {
  const { path, search, response } = await startSavingCustomer(buildSavedCustomer);
  await pressButton('Cancel');
  await screen.findByText('Your changes are still being saved.');
  if (when === 'after') {
    await pressButton('Leave');
    await screen.findByRole('link', { name: 'Edit' });
  }
  await act(async () => response.resolve());
  await waitForToasts('Customer updated successfully');
  await waitFor(() => expect(search()).toEqual({}));
  expect(await screen.findByRole('link', { name: 'Edit' })).toBeDefined();
  expect(path()).toBe(CUSTOMER_PATH);
});

it('reports a save rejected after leaving the form and restores the typed values', async () => {
  const theirs = { ...CUSTOMER, phone: '2', version: 2 };
  const { response, search } = await startSavingCustomer(() =>
    failWith('STALE_VERSION', 'Someone else has changed this.', { current: theirs }),
  );
  await pressButton('Cancel');
  await pressButton('Leave');
  await waitFor(() => expect(search()).toEqual({}));
  await act(async () => response.resolve());
  await waitForToasts('Someone else has changed this.');
  const edit = await screen.findByRole('link', { name: 'Edit' });
  await act(async () => fireEvent.click(edit));
  await waitFor(() => expect(getValue('Phone')).toBe('1'));
});
