import type { Customer } from '@callout/contract/customers';
import type { InvoiceSummary } from '@callout/contract/invoices';
import type { DebtAge } from '@callout/domain/invoices/invoice-list';
import { onlineManager } from '@tanstack/react-query';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { duplicatesCall, LIST, OPEN_JOBS, openCustomer, PATH, QUOTES } from './open-customer.ts';
import { NOTHING_OWED, press, refuse, toastTexts, typeInto, valueOf, waitForToasts } from './open-page.tsx';
import { CUSTOMER, JOB, OWNER, PROFILE, QUOTE_ROW } from './people.ts';

afterEach(() => onlineManager.setOnline(true));

const heading = () => screen.getByRole('heading', { level: 1 });

describe('a customer', () => {
  it('is shown to read, with numbers that dial and an address on the map', async () => {
    openCustomer(PATH);
    expect(await screen.findByRole('link', { name: '021 555 123' })).toHaveProperty('href', 'tel:021555123');
    expect(screen.getByRole<HTMLAnchorElement>('link', { name: '1 High Street' }).href).toContain('maps');
    expect(screen.queryByLabelText('Phone')).toBeNull();
  });

  it('has their open jobs and their last quote below the details', async () => {
    const jobs = ['Leaking tap', 'New toilet', 'Gutters', 'Heat pump'].map((title, index) => ({ ...JOB, id: `job-${index}`, title }));
    openCustomer(PATH, {
      [OPEN_JOBS]: () => ({ rows: jobs, next_cursor: null }),
      [QUOTES]: () => ({ rows: [QUOTE_ROW, { ...QUOTE_ROW, id: 'older', title: 'Older quote' }], next_cursor: null }),
    });
    const open = await screen.findByRole('region', { name: 'Open jobs' });
    const links = within(open).getAllByRole<HTMLAnchorElement>('link');
    expect(links.map(({ pathname, search }) => pathname + search)).toEqual([
      '/jobs/job-0',
      '/jobs/job-1',
      '/jobs/job-2',
      `${PATH}?tab=jobs`,
    ]);
    const last = await screen.findByRole('region', { name: 'Last quote' });
    expect(within(last).getByRole<HTMLAnchorElement>('link').pathname).toBe(`/quotes/${QUOTE_ROW.id}`);
    expect(last.textContent).toBe('Last quoteHeat pump for the loungeQ001234$230.00Draft');
  });

  it('says that their open jobs could not be loaded', async () => {
    openCustomer(PATH, { [OPEN_JOBS]: () => refuse('INVALID_INPUT') });
    expect(await screen.findByText('Open jobs could not be loaded.')).toBeDefined();
    expect(screen.queryByRole('region', { name: 'Last quote' })).toBeNull();
  });

  it('of a company is titled by the company, with the person below it', async () => {
    const { server } = openCustomer(PATH);
    server.customer = { ...CUSTOMER, company_name: 'Anchor Cafe' };
    await waitFor(() => expect(heading().textContent).toBe('Anchor Cafe'));
    expect(screen.getByText('Name (main contact)')).toBeDefined();
  });

  it('is edited in place: Save returns to what it shows, and the keyboard goes on at the heading', async () => {
    const { search, server } = openCustomer(PATH);
    const edit = await screen.findByRole('link', { name: 'Edit' });
    await act(async () => fireEvent.click(edit));
    await waitFor(() => expect(search()).toEqual({ edit: 'true' }));
    await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('Name')));
    typeInto('Phone', '021 555 999');
    await press('Save Changes');
    expect(await screen.findByRole('link', { name: '021 555 999' })).toBeDefined();
    await waitFor(() => expect(toastTexts()).toEqual(['Customer updated successfully']));
    expect(server.sent).toMatchObject([{ version: 1, phone: '021 555 999', company_name: null }]);
    await waitFor(() => expect(search()).toEqual({}));
    await waitFor(() => expect(document.activeElement).toBe(heading()));
  });

  it('is saved by Ctrl+S and Cmd+Enter, also out of the notes', async () => {
    const { server, search } = openCustomer(`${PATH}?edit=true`);
    await screen.findByLabelText('Phone');
    typeInto('Phone', '1');
    await act(async () => fireEvent.keyDown(document.body, { key: 's', ctrlKey: true }));
    await waitFor(() => expect(server.sent).toHaveLength(1));
    await waitFor(() => expect(search()).toEqual({}));
    await act(async () => fireEvent.click(screen.getByRole('link', { name: 'Edit' })));
    await screen.findByLabelText(/^Notes/);
    fireEvent.change(screen.getByLabelText(/^Notes/), { target: { value: 'Key under the mat' } });
    await act(async () => fireEvent.keyDown(screen.getByLabelText(/^Notes/), { key: 'Enter', metaKey: true }));
    await waitFor(() => expect(server.sent).toMatchObject([{}, { notes: 'Key under the mat' }]));
  });

  it('is not saved by Ctrl+S while another tab hides the form, or a dialog covers it', async () => {
    const { server } = openCustomer(`${PATH}?edit=true`);
    await screen.findByLabelText('Phone');
    typeInto('Phone', '1');
    const save = () => act(async () => fireEvent.keyDown(document.body, { key: 's', ctrlKey: true }));
    await act(async () => fireEvent.click(screen.getByRole('tab', { name: 'Quotes' })));
    await screen.findByText('No quotes found');
    await save();
    await act(async () => fireEvent.click(screen.getByRole('tab', { name: 'Details' })));
    await waitFor(() => expect(screen.getByLabelText('Phone').closest('[hidden]')).toBeNull());
    await press('Cancel');
    const question = await screen.findByRole('alertdialog');
    await save();
    expect(server.sent).toEqual([]);
    await act(async () => fireEvent.click(within(question).getByRole('button', { name: 'Keep editing' })));
    await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
    await save();
    await waitFor(() => expect(server.sent).toHaveLength(1));
  });

  it('shows what was saved in the list at once, and then where the server puts it', async () => {
    const BEN = { ...CUSTOMER, id: '018f0000-0000-7000-8000-000000000009', name: 'Ben Cole' };
    const list = { reads: 0, answer: (): unknown => ({ rows: [CUSTOMER, BEN], next_cursor: null }) };
    const { router } = openCustomer('/customers', {
      [LIST]: () => {
        list.reads += 1;
        return list.answer();
      },
    });
    const names = () =>
      screen.getAllByRole('link', { name: /^(Ana Rossi|Ben Cole|Zoe Rossi)/ }).map(({ textContent }) => textContent?.slice(0, 8));
    await screen.findByRole('link', { name: /^Ben Cole/ });
    const answer = Promise.withResolvers<unknown>();
    list.answer = () => answer.promise;
    await act(async () => router.navigate({ to: '/customers/$id', params: { id: CUSTOMER.id }, search: { edit: 'true' } }));
    await screen.findByLabelText('Name');
    typeInto('Name', 'Zoe Rossi');
    await press('Save Changes');
    await waitForToasts('Customer updated successfully');
    await act(async () => router.navigate({ to: '/customers' }));
    await screen.findByRole('link', { name: /^Zoe Rossi/ });
    expect(names()).toEqual(['Zoe Ross', 'Ben Cole']);
    await act(async () => answer.resolve({ rows: [BEN, { ...CUSTOMER, name: 'Zoe Rossi', version: 2 }], next_cursor: null }));
    await waitFor(() => expect(names()).toEqual(['Ben Cole', 'Zoe Ross']));
    expect(list.reads).toBe(2);
  });

  it('is not left with something typed before that was asked', async () => {
    const { search } = openCustomer(`${PATH}?edit=true`);
    await screen.findByLabelText('Phone');
    typeInto('Phone', '1');
    await press('Cancel');
    const question = await screen.findByRole('alertdialog', { name: 'Leave without saving?' });
    await act(async () => fireEvent.click(within(question).getByRole('button', { name: 'Keep editing' })));
    expect(valueOf('Phone')).toBe('1');
    await press('Cancel');
    await press('Leave');
    await waitFor(() => expect(search()).toEqual({}));
    expect(await screen.findByRole('link', { name: '021 555 123' })).toBeDefined();
  });

  it('keeps what was typed when Back is pressed again at the question', async () => {
    const { router } = openCustomer('/dashboard');
    const open = (to: string) => act(async () => router.navigate({ to }));
    const isAsked = () => screen.queryByRole('alertdialog') !== null;
    const back = () => act(async () => window.history.back());
    await open(PATH);
    await open(`${PATH}?edit=true`);
    await screen.findByLabelText('Phone');
    typeInto('Phone', '1');
    await back();
    await waitFor(() => expect(isAsked()).toBe(true));
    await back();
    await waitFor(() => expect(isAsked()).toBe(false));
    await waitFor(() => expect(window.location.search).toBe('?edit=true'));
    expect(valueOf('Phone')).toBe('1');
    await back();
    await press('Leave');
    await waitFor(() => expect(screen.queryByLabelText('Phone')).toBeNull());
    expect(router.state.location.href).toBe(PATH);
  });

  it('whose save is refused says why and keeps what was typed', async () => {
    openCustomer(`${PATH}?edit=true`, { [`PUT ${PATH}`]: () => refuse('INTERNAL') });
    await screen.findByLabelText('Phone');
    typeInto('Phone', '1');
    await press('Save Changes');
    await waitFor(() => expect(toastTexts()).toEqual(['Failed to update customer: An unexpected error occurred. Please try again later.']));
    expect(valueOf('Phone')).toBe('1');
  });

  it('names itself and what happens to its jobs before it is deleted', async () => {
    const { path, queryClient } = openCustomer(PATH, { [`DELETE ${PATH}`]: () => ({}) });
    await press('More actions');
    const item = await screen.findByRole('menuitem', { name: 'Delete' });
    await act(async () => fireEvent.click(item));
    const question = await screen.findByRole('alertdialog', { name: 'Delete Ana Rossi' });
    within(question).getByText('Are you sure you want to delete this customer? This action cannot be undone.');
    within(question).getByText('Their jobs and quotes are kept but no longer linked to a customer.');
    await act(async () => fireEvent.click(within(question).getByRole('button', { name: 'Delete' })));
    await waitFor(() => expect(path()).toBe('/customers'));
    await waitFor(() => expect(toastTexts()).toEqual(['Customer deleted successfully']));
    await waitFor(() => expect(queryClient.getQueryData(['customers', 'detail', CUSTOMER.id])).toBeUndefined());
  });
});

describe('the deletion of a customer', () => {
  it('that is refused says why, and the customer is still there', async () => {
    const { path } = openCustomer(PATH, { [`DELETE ${PATH}`]: () => refuse('INTERNAL') });
    await press('More actions');
    const item = await screen.findByRole('menuitem', { name: 'Delete' });
    await act(async () => fireEvent.click(item));
    const question = await screen.findByRole('alertdialog');
    await act(async () => fireEvent.click(within(question).getByRole('button', { name: 'Delete' })));
    await waitForToasts('Failed to delete customer: An unexpected error occurred. Please try again later.');
    expect(path()).toBe(PATH);
    expect(heading().textContent).toBe('Ana Rossi');
  });
});

describe('the tabs of a customer', () => {
  /** What happy-dom adds to the window. */
  interface Page {
    setViewport: (viewport: { width: number }) => void;
  }
  const setWidth = (width: number) => (window as Window & { happyDOM: Page }).happyDOM.setViewport({ width });
  afterEach(() => setWidth(1024));

  it.each([
    ['tab', 1024],
    ['button', 390],
  ] as const)('are of the role %s at %d px, each with its address and its empty state', async (role, width) => {
    setWidth(width);
    const { search } = openCustomer(PATH);
    for (const [name, tab, empty] of [
      ['Quotes', 'quotes', 'No quotes found'],
      ['Jobs', 'jobs', 'No jobs found'],
      ['Attachments', 'attachments', 'No attachments found'],
    ] as const) {
      const head = await screen.findByRole(role, { name });
      await act(async () => fireEvent.click(head));
      await screen.findByText(empty);
      await waitFor(() => expect(search()).toEqual({ tab }));
    }
    await act(async () => fireEvent.click(screen.getByRole(role, { name: 'Quotes' })));
    const newQuote = await screen.findByRole('link', { name: 'New Quote' });
    expect(newQuote.getAttribute('href')).toBe(`/quotes/new?customer=${CUSTOMER.id}`);
    expect(screen.getAllByRole('link', { name: 'New Job' })[0]?.getAttribute('href')).toBe(`/jobs/new?customer=${CUSTOMER.id}`);
  });
});

it('on a phone the details stay open after they were saved, without the work that comes before them', async () => {
  window.happyDOM.setViewport({ width: 390 });
  const { search } = openCustomer(PATH, { [OPEN_JOBS]: () => refuse('INVALID_INPUT') });
  await screen.findByText('No jobs found');
  const edit = await screen.findByRole('link', { name: 'Edit' });
  await act(async () => fireEvent.click(edit));
  await screen.findByLabelText('Phone');
  typeInto('Phone', '021 555 999');
  await press('Save Changes');
  await waitFor(() => expect(search()).toEqual({}));
  expect(screen.getByRole('button', { name: 'Details' }).getAttribute('aria-expanded')).toBe('true');
  expect(screen.getByRole('button', { name: 'Jobs' }).getAttribute('aria-expanded')).toBe('false');
  expect(screen.queryByText('Open jobs could not be loaded.')).toBeNull();
  window.happyDOM.setViewport({ width: 1024 });
});

describe('a customer who may be there already', () => {
  const OTHER = { id: '018f0000-0000-7000-8000-000000000002', name: 'Ben Hall', company_name: 'Anchor Cafe' };
  const same = (field: 'phone' | 'email', ...ids: string[]) => ({ rows: ids.map((id) => ({ ...OTHER, id, same: field })) });

  it('is named with a link while the phone and the email of a new one are typed, and does not keep anybody from adding it', async () => {
    const created: unknown[] = [];
    openCustomer('/customers/new', {
      [duplicatesCall({ phone: '(021) 555-123' })]: () => same('phone', OTHER.id),
      [duplicatesCall({ email: 'BEN@example.com' })]: () => same('email', OTHER.id),
      'POST /customers': (input) => {
        created.push(input);
        return { ...CUSTOMER, ...(input as Customer) };
      },
    });
    await screen.findByLabelText('Name');
    typeInto('Phone', '(021) 555-123');
    const link = await screen.findByRole<HTMLAnchorElement>('link', { name: 'Anchor Cafe' });
    expect(new URL(link.href).pathname).toBe(`/customers/${OTHER.id}`);
    expect(screen.getByLabelText('Phone').parentElement?.parentElement?.textContent).toContain('Anchor Cafe has the same phone number.');
    typeInto('Email', 'BEN@example.com');
    await screen.findByText(/has the same email/);
    typeInto('Name', 'Ana');
    typeInto('Street address', '1 High Street');
    await press('Add Customer');
    await waitFor(() => expect(created).toHaveLength(1));
  });

  it('is not the one that is being edited, and unchanged fields are not asked about', async () => {
    const asked: string[] = [];
    openCustomer(`${PATH}?edit=true`, {
      [duplicatesCall({ phone: '021 555 124' })]: () => {
        asked.push('phone');
        return same('phone', CUSTOMER.id, OTHER.id);
      },
      [duplicatesCall({ phone: '021 555 125' })]: () => {
        asked.push('own phone');
        return same('phone', CUSTOMER.id);
      },
    });
    await screen.findByLabelText('Phone');
    typeInto('Phone', '021 555 124');
    const link = await screen.findByRole<HTMLAnchorElement>('link', { name: 'Anchor Cafe' });
    expect(link.pathname).toBe(`/customers/${OTHER.id}`);
    await act(async () => typeInto('Phone', '021 555 125'));
    // At once: the warning was about another number.
    expect(screen.queryByText(/has the same phone number/)).toBeNull();
    await waitFor(() => expect(asked).toEqual(['phone', 'own phone']));
    await waitFor(() => expect(screen.queryByText(/has the same phone number/)).toBeNull());
  });
});

describe('without a connection', () => {
  it('a customer that the list knows shows with phone, email and address', async () => {
    const { router } = openCustomer('/customers');
    await screen.findByRole('link', { name: /^Ana Rossi/ });
    onlineManager.setOnline(false);
    await act(async () => router.navigate({ to: '/customers/$id', params: { id: CUSTOMER.id } }));
    expect(await screen.findByRole('link', { name: '021 555 123' })).toBeDefined();
    expect(screen.getByRole('link', { name: 'ana@example.com' })).toBeDefined();
    expect(screen.getByRole('link', { name: '1 High Street' })).toBeDefined();
    screen.getByText("Notes and other contacts aren't loaded yet.");
    await act(async () => onlineManager.setOnline(true));
    await waitFor(() => expect(screen.queryByText(/aren't loaded yet/)).toBeNull());
  });

  it('a customer nobody knows yet is not waited for in silence', async () => {
    const { router } = openCustomer('/dashboard');
    await screen.findByRole('heading', { level: 1 });
    onlineManager.setOnline(false);
    await act(async () => router.navigate({ to: '/customers/$id', params: { id: CUSTOMER.id } }));
    expect(await screen.findByRole('button', { name: 'Retry' })).toBeDefined();
  });
});

describe('what a customer owes', () => {
  const OWES = `GET /invoices/summary?customer_id=${CUSTOMER.id}`;
  const owed = (ages: Partial<Record<DebtAge, number>>): InvoiceSummary => ({
    ...NOTHING_OWED,
    outstanding: { count: Object.values(ages).reduce((sum, count) => sum + count, 0), amount: '1482.35' },
    ages: NOTHING_OWED.ages.map((sum) => ({ ...sum, count: ages[sum.age] ?? 0 })),
  });

  it.each([1024, 390])('stands before everything else and opens their unpaid invoices at %s px', async (width) => {
    window.happyDOM.setViewport({ width });
    openCustomer(PATH, { [OWES]: () => owed({ days_30: 1, days_60: 1 }) });
    const link = await screen.findByRole('link', { name: /outstanding/ });
    expect(link.textContent).toBe('$1,482.35outstanding2 invoices overdue, the oldest 31–60 days late');
    expect(link.getAttribute('href')).toBe(`/invoices?customer_id=${CUSTOMER.id}&filter=unpaid`);
    const panel = screen.getAllByRole(width === 390 ? 'region' : 'tablist')[0];
    expect(panel && link.compareDocumentPosition(panel) & Node.DOCUMENT_POSITION_FOLLOWING).toBeTruthy();
    window.happyDOM.setViewport({ width: 1024 });
  });

  it.each([
    [{ current: 2 }, '2 invoices, not due yet'],
    [{ current: 1, older: 1 }, '1 invoice overdue, over 90 days late'],
  ])('says how late it is: %o', async (ages, words) => {
    openCustomer(PATH, { [OWES]: () => owed(ages) });
    expect(await screen.findByText(words)).toBeDefined();
  });

  it('comes with the customer, whom it would push down', async () => {
    let answer: (owes: InvoiceSummary) => void = () => undefined;
    const { queryClient } = openCustomer(PATH, { [OWES]: () => new Promise<InvoiceSummary>((resolve) => (answer = resolve)) });
    await screen.findByText('Loading customer');
    await waitFor(() => expect(queryClient.isFetching({ queryKey: ['customers'] })).toBe(0));
    expect(screen.queryByRole('link', { name: 'Edit' })).toBeNull();
    answer(owed({ current: 1 }));
    await screen.findByRole('link', { name: 'Edit' });
    expect(screen.getByText('outstanding')).toBeDefined();
  });

  it('is not there when it is nothing', async () => {
    openCustomer(PATH);
    await screen.findByRole('link', { name: 'Edit' });
    expect(screen.queryByText('outstanding')).toBeNull();
  });

  it('is not asked for by staff', async () => {
    const asked = vi.fn(() => owed({ current: 1 }));
    openCustomer(PATH, { 'GET /me': () => ({ ...OWNER, profile: { ...PROFILE, role: 'staff' } }), [OWES]: asked });
    await screen.findByRole('link', { name: 'Edit' });
    expect(asked).not.toHaveBeenCalled();
  });

  it('that cannot be read says so and leaves the rest of the page', async () => {
    const server = { answer: (): unknown => refuse('FORBIDDEN', 'No sums') };
    openCustomer(PATH, { [OWES]: () => server.answer() });
    expect(await screen.findByText('What this customer owes could not be loaded. No sums')).toBeDefined();
    expect(screen.getByRole('link', { name: '021 555 123' })).toBeDefined();
    server.answer = () => owed({ current: 1 });
    await press('Retry');
    expect(await screen.findByText('1 invoice, not due yet')).toBeDefined();
  });
});
