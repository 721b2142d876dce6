import type { Customer } from '@callout/contract/customers';
import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import { type Answers, openPage, press, refuse, toastTexts, typeInto, valueOf, waitForFocus, waitForToasts } from './open-page.tsx';
import { CUSTOMER, OWNER } from './people.ts';

function openNewCustomer(path: string, more: Answers = {}) {
  const page = openPage(path, {
    'GET /me': () => OWNER,
    'GET /customers/count': () => ({ total: 1 }),
    'GET /customers?sort=name&order=asc': () => ({ rows: [CUSTOMER], next_cursor: null }),
    'GET /customers/duplicates?email=ana%40example.com': () => ({ rows: [] }),
    ...more,
  });
  return { ...page, search: () => page.router.state.location.search };
}

const fill = () => {
  for (const [label, text] of Object.entries({
    Name: 'Ana Rossi',
    Email: 'ana@example.com',
    Phone: '1',
    'Street address': '1 High Street',
  })) {
    typeInto(label, text);
  }
};

it('a new customer starts with the cursor in the name, which a failed search fills in', async () => {
  openNewCustomer('/customers/new?name=Zoe');
  const name = await screen.findByLabelText<HTMLInputElement>('Name');
  expect(name.value).toBe('Zoe');
  await waitFor(() => expect(document.activeElement).toBe(name));
});

it('a new customer says beside each field what is missing or wrong', async () => {
  openNewCustomer('/customers/new');
  await screen.findByLabelText('Name');
  await press('Add Customer');
  for (const label of ['Name', 'Email', 'Phone', 'Street address']) await screen.findByText(`${label} is required`);
  await waitForFocus('Name');
  await act(async () => fireEvent.click(screen.getByLabelText('Company')));
  fill();
  typeInto('Email', 'abc');
  await press('Add Customer');
  await screen.findByText('Company name is required');
  expect(screen.getByText('Please enter a valid email address')).toBeDefined();
});

it('a new customer keeps company fields while the type is being chosen, and saves none for an individual', async () => {
  const created: unknown[] = [];
  openNewCustomer('/customers/new', {
    'POST /customers': (input) => {
      created.push(input);
      return { ...CUSTOMER, ...(input as Customer) };
    },
  });
  await screen.findByLabelText('Name');
  fill();
  await act(async () => fireEvent.click(screen.getByLabelText('Company')));
  typeInto(/^Contact name/, 'Pia');
  await act(async () => fireEvent.click(screen.getByLabelText('Individual')));
  await act(async () => fireEvent.click(screen.getByLabelText('Company')));
  expect(valueOf(/^Contact name/)).toBe('Pia');
  await act(async () => fireEvent.click(screen.getByLabelText('Individual')));
  await press('Add Customer');
  await waitFor(() => expect(created).toMatchObject([{ type: 'individual', company_name: null, contact_name: null }]));
});

it('a new customer that cannot be added keeps what was typed, and is the same customer when it is tried again', async () => {
  const sent: Customer[] = [];
  const lose = () => {
    throw new TypeError('Failed to fetch');
  };
  const answers = [() => refuse('INTERNAL'), lose, (input: unknown) => ({ ...CUSTOMER, ...(input as Customer) })];
  openNewCustomer('/customers/new', {
    'POST /customers': (input) => {
      sent.push(input as Customer);
      return answers[sent.length - 1]?.(input);
    },
  });
  await screen.findByLabelText('Name');
  fill();
  await press('Add Customer');
  await waitForToasts('Failed to add customer: An unexpected error occurred. Please try again later.');
  await press('Add Customer');
  await waitFor(() => expect(toastTexts()[0]).toMatch(/^Failed to add customer: Unable to connect to the server/));
  expect(valueOf('Name')).toBe('Ana Rossi');
  await press('Add Customer');
  await waitForToasts('Customer added successfully');
  expect(new Set(sent.map(({ id }) => id)).size).toBe(1);
});

it('a new customer is not left with something typed before that was asked', async () => {
  const { path } = openNewCustomer('/customers/new');
  await screen.findByLabelText('Name');
  fill();
  const cancel = () => act(async () => fireEvent.click(screen.getByRole('link', { name: 'Cancel' })));
  await cancel();
  await press('Keep editing');
  expect(valueOf('Name')).toBe('Ana Rossi');
  await cancel();
  await press('Leave');
  await waitFor(() => expect(path()).toBe('/customers'));
});

it('a new customer loses nothing that is typed while it is being added', async () => {
  const answer = Promise.withResolvers<void>();
  const created: Customer[] = [];
  const { path, search } = openNewCustomer('/customers/new', {
    'POST /customers': async (input) => {
      created.push({ ...CUSTOMER, ...(input as Customer), notes: null });
      await answer.promise;
      return created[0];
    },
  });
  await screen.findByLabelText('Name');
  fill();
  await press('Add Customer');
  await screen.findByRole('button', { name: 'Adding…' });
  fireEvent.change(screen.getByLabelText(/^Notes/), { target: { value: 'Key under the mat' } });
  await act(async () => answer.resolve());
  await waitFor(() => expect(path()).toBe(`/customers/${created[0]?.id}`));
  expect(search()).toEqual({ edit: 'true' });
  await waitFor(() => expect(screen.getByLabelText<HTMLTextAreaElement>(/^Notes/).value).toBe('Key under the mat'));
  await waitFor(() => expect(toastTexts()).toEqual(['Customer added successfully']));
  screen.getByText('Unsaved changes');
});

it('a new customer whose answer was lost is the same one after a reload, and leaves nothing once it is saved', async () => {
  const sent: Customer[] = [];
  const lost = {
    'POST /customers': (input: unknown): never => {
      sent.push(input as Customer);
      throw new TypeError('Failed to fetch');
    },
  };
  openNewCustomer('/customers/new', lost);
  await screen.findByLabelText('Name');
  fill();
  await press('Add Customer');
  await waitFor(() => expect(sent).toHaveLength(1));
  act(() => void window.dispatchEvent(new Event('pagehide')));
  cleanup();

  const { path } = openNewCustomer('/customers/new', {
    'POST /customers': (input) => {
      sent.push(input as Customer);
      return { ...CUSTOMER, ...(input as Customer) };
    },
  });
  await waitFor(() => expect(valueOf('Street address')).toBe('1 High Street'));
  await waitFor(() => expect(toastTexts()).toContain('Your unsaved changes were restored.'));
  await press('Add Customer');
  await waitFor(() => expect(path()).toBe(`/customers/${sent[0]?.id}`));
  expect(sent[1]).toEqual(sent[0]);
  expect(Object.keys(localStorage).filter((key) => key.startsWith('callout-lasting-draft'))).toEqual([]);
});
