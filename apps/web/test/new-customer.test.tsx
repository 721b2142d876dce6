import type { Customer } from '@callout/contract/customers';
import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import { ADMIN_USER, CUSTOMER } from './fixtures.ts';
import { failWith, getToasts, getValue, type MockApi, openPage, pressButton, typeInto, waitForFocus, waitForToasts } from './open-page.tsx';

function openNewCustomer(path: string, extraResponses: MockApi = {}) {
  const page = openPage(path, {
    'GET /me': () => ADMIN_USER,
    'GET /customers/count': () => ({ total: 1 }),
    'GET /customers?sort=name&order=asc': () => ({ rows: [CUSTOMER], next_cursor: null }),
    'GET /customers/duplicates?email=ana%40example.com': () => ({ rows: [] }),
    ...extraResponses,
  });
  return { ...page, search: () => page.router.state.location.search };
}

const fillCustomerForm = () => {
  for (const [label, text] of Object.entries({
    Name: 'Ana Rossi',
    Email: 'ana@example.com',
    Phone: '1',
    'Street address': '1 High Street',
  })) {
    typeInto(label, text);
  }
};

it('focuses the name field and prefills it with a search that found nothing', async () => {
  openNewCustomer('/customers/new?name=Zoe');
  const name = await screen.findByLabelText<HTMLInputElement>('Name');
  expect(name.value).toBe('Zoe');
  await waitFor(() => expect(document.activeElement).toBe(name));
});

it('shows an error beside each missing or invalid field', async () => {
  openNewCustomer('/customers/new');
  await screen.findByLabelText('Name');
  await pressButton('Add Customer');
  for (const label of ['Name', 'Email', 'Phone', 'Street address']) await screen.findByText(`${label} is required`);
  await waitForFocus('Name');
  await act(async () => fireEvent.click(screen.getByLabelText('Company')));
  fillCustomerForm();
  typeInto('Email', 'abc');
  await pressButton('Add Customer');
  await screen.findByText('Company name is required');
  expect(screen.getByText('Please enter a valid email address')).toBeDefined();
});

it('keeps company fields while switching the customer type but does not save them for an individual', async () => {
  const created: unknown[] = [];
  openNewCustomer('/customers/new', {
    'POST /customers': (input) => {
      created.push(input);
      return { ...CUSTOMER, ...(input as Customer) };
    },
  });
  await screen.findByLabelText('Name');
  fillCustomerForm();
  await act(async () => fireEvent.click(screen.getByLabelText('Company')));
  typeInto(/^Contact name/, 'Pia');
  await act(async () => fireEvent.click(screen.getByLabelText('Individual')));
  await act(async () => fireEvent.click(screen.getByLabelText('Company')));
  expect(getValue(/^Contact name/)).toBe('Pia');
  await act(async () => fireEvent.click(screen.getByLabelText('Individual')));
  await pressButton('Add Customer');
  await waitFor(() => expect(created).toMatchObject([{ type: 'individual', company_name: null, contact_name: null }]));
});

it('keeps the typed values when adding a customer fails and reuses the customer id on retry', async () => {
  const sent: Customer[] = [];
  const responses = [() => failWith('FORBIDDEN', 'No'), (input: unknown) => ({ ...CUSTOMER, ...(input as Customer) })];
  openNewCustomer('/customers/new', {
    'POST /customers': (input) => {
      sent.push(input as Customer);
      return responses[sent.length - 1]?.(input);
    },
  });
  await screen.findByLabelText('Name');
  fillCustomerForm();
  await pressButton('Add Customer');
  await waitForToasts('Failed to add customer: No');
  expect(getValue('Name')).toBe('Ana Rossi');
  await pressButton('Add Customer');
  await waitForToasts('Customer added successfully');
  expect(new Set(sent.map(({ id }) => id)).size).toBe(1);
});

it('asks for confirmation before leaving a new customer with unsaved input', async () => {
  const { path } = openNewCustomer('/customers/new');
  await screen.findByLabelText('Name');
  fillCustomerForm();
  const cancel = () => act(async () => fireEvent.click(screen.getByRole('link', { name: 'Cancel' })));
  await cancel();
  await pressButton('Keep editing');
  expect(getValue('Name')).toBe('Ana Rossi');
  await cancel();
  await pressButton('Leave');
  await waitFor(() => expect(path()).toBe('/customers'));
});

it('keeps input typed while the new customer is being saved', async () => {
  const response = Promise.withResolvers<void>();
  const created: Customer[] = [];
  const { path, search } = openNewCustomer('/customers/new', {
    'POST /customers': async (input) => {
      created.push({ ...CUSTOMER, ...(input as Customer), notes: null });
      await response.promise;
      return created[0];
    },
  });
  await screen.findByLabelText('Name');
  fillCustomerForm();
  await pressButton('Add Customer');
  await screen.findByRole('button', { name: 'Adding…' });
  fireEvent.change(screen.getByLabelText(/^Notes/), { target: { value: 'Key under the mat' } });
  await act(async () => response.resolve());
  await waitFor(() => expect(path()).toBe(`/customers/${created[0]?.id}`));
  expect(search()).toEqual({ edit: 'true' });
  await waitFor(() => expect(screen.getByLabelText<HTMLTextAreaElement>(/^Notes/).value).toBe('Key under the mat'));
  await waitFor(() => expect(getToasts()).toEqual(['Customer added successfully']));
  screen.getByText('Unsaved changes');
});
