import type { Customer } from '@callout/contract/customers';
import type { InvoiceSummary } from '@callout/contract/invoices';
import type { DebtAge } from '@callout/domain/invoices/invoice-list';
import { onlineManager } from '@tanstack/react-query';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { ADMIN_USER, CUSTOMER, JOB, PROFILE, QUOTE_ROW } from './fixtures.ts';
import { buildDuplicatesCall, CUSTOMER_LIST_CALL, CUSTOMER_PATH, OPEN_JOBS_CALL, openCustomerPage, QUOTES_CALL } from './open-customer.ts';
import { EMPTY_INVOICE_SUMMARY, failWith, getToasts, getValue, pressButton, typeInto, waitForToasts } from './open-page.tsx';

afterEach(() => onlineManager.setOnline(true));

const getHeading = () => screen.getByRole('heading', { level: 1 });

describe('the customer page', () => {
  it('shows the details with a phone link and a map link', async () => {
    openCustomerPage(CUSTOMER_PATH);
    expect(await screen.findByRole('link', { name: '021 555 123' })).toHaveProperty('href', 'tel:021555123');
    expect(screen.getByRole<HTMLAnchorElement>('link', { name: '1 High Street' }).href).toContain('maps');
    expect(screen.queryByLabelText('Phone')).toBeNull();
  });

  it('shows open jobs and the last quote below the details', async () => {
    const jobs = ['Leaking tap', 'New toilet', 'Gutters', 'Heat pump'].map((title, index) => ({ ...JOB, id: `job-${index}`, title }));
    openCustomerPage(CUSTOMER_PATH, {
      [OPEN_JOBS_CALL]: () => ({ rows: jobs, next_cursor: null }),
      [QUOTES_CALL]: () => ({ rows: [QUOTE_ROW, { ...QUOTE_ROW, id: 'older', title: 'Older quote' }], next_cursor: null }),
    });
    const open = await screen.findByRole('region', { name: 'Open jobs' });
    const links = within(open).getAllByRole<HTMLAnchorElement>('link');
    expect(links.map(({ pathname, search }) => pathname + search)).toEqual([
      '/jobs/job-0',
      '/jobs/job-1',
      '/jobs/job-2',
      `${CUSTOMER_PATH}?tab=jobs`,
    ]);
    const last = await screen.findByRole('region', { name: 'Last quote' });
    expect(within(last).getByRole<HTMLAnchorElement>('link').pathname).toBe(`/quotes/${QUOTE_ROW.id}`);
    expect(last.textContent).toBe('Last quoteHeat pump for the loungeQ001234$230.00Draft');
  });

  it('reports that open jobs could not be loaded', async () => {
    openCustomerPage(CUSTOMER_PATH, { [OPEN_JOBS_CALL]: () => failWith('INVALID_INPUT') });
    expect(await screen.findByText("Open jobs couldn't be loaded.")).toBeDefined();
    expect(screen.queryByRole('region', { name: 'Last quote' })).toBeNull();
  });

  it('uses the company name as its title, with the contact person below', async () => {
    const { server } = openCustomerPage(CUSTOMER_PATH);
    server.customer = { ...CUSTOMER, company_name: 'Anchor Cafe' };
    await waitFor(() => expect(getHeading().textContent).toBe('Anchor Cafe'));
    expect(screen.getByText('Name (main contact)')).toBeDefined();
  });

  it('is edited in place, and saving returns to the details with focus on the heading', async () => {
    const { search, server } = openCustomerPage(CUSTOMER_PATH);
    const edit = await screen.findByRole('link', { name: 'Edit' });
    await act(async () => fireEvent.click(edit));
    await waitFor(() => expect(search()).toEqual({ edit: 'true' }));
    await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('Name')));
    typeInto('Phone', '021 555 999');
    await pressButton('Save Changes');
    expect(await screen.findByRole('link', { name: '021 555 999' })).toBeDefined();
    await waitFor(() => expect(getToasts()).toEqual(['Customer updated successfully']));
    expect(server.sent).toMatchObject([{ version: 1, phone: '021 555 999', company_name: null }]);
    await waitFor(() => expect(search()).toEqual({}));
    await waitFor(() => expect(document.activeElement).toBe(getHeading()));
  });

  it('is saved by Ctrl+S and Cmd+Enter, even from the notes field', async () => {
    const { server, search } = openCustomerPage(`${CUSTOMER_PATH}?edit=true`);
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

  it('is not saved by Ctrl+S while another tab or a dialog hides the form', async () => {
    const { server } = openCustomerPage(`${CUSTOMER_PATH}?edit=true`);
    await screen.findByLabelText('Phone');
    typeInto('Phone', '1');
    const save = () => act(async () => fireEvent.keyDown(document.body, { key: 's', ctrlKey: true }));
    await act(async () => fireEvent.click(screen.getByRole('tab', { name: 'Quotes' })));
    await screen.findByText('No quotes found');
    await save();
    await act(async () => fireEvent.click(screen.getByRole('tab', { name: 'Details' })));
    await waitFor(() => expect(screen.getByLabelText('Phone').closest('[hidden]')).toBeNull());
    await pressButton('Cancel');
    const question = await screen.findByRole('alertdialog');
    await save();
    expect(server.sent).toEqual([]);
    await act(async () => fireEvent.click(within(question).getByRole('button', { name: 'Keep editing' })));
    await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
    await save();
    await waitFor(() => expect(server.sent).toHaveLength(1));
  });

  it('updates the list immediately after saving, then applies the order from the server', async () => {
    const BEN = { ...CUSTOMER, id: '018f0000-0000-7000-8000-000000000009', name: 'Ben Cole' };
    const list = { reads: 0, respond: (): unknown => ({ rows: [CUSTOMER, BEN], next_cursor: null }) };
    const { router } = openCustomerPage('/customers', {
      [CUSTOMER_LIST_CALL]: () => {
        list.reads += 1;
        return list.respond();
      },
    });
    const names = () =>
      screen.getAllByRole('link', { name: /^(Ana Rossi|Ben Cole|Zoe Rossi)/ }).map(({ textContent }) => textContent?.slice(0, 8));
    await screen.findByRole('link', { name: /^Ben Cole/ });
    const response = Promise.withResolvers<unknown>();
    list.respond = () => response.promise;
    await act(async () => router.navigate({ to: '/customers/$id', params: { id: CUSTOMER.id }, search: { edit: 'true' } }));
    await screen.findByLabelText('Name');
    typeInto('Name', 'Zoe Rossi');
    await pressButton('Save Changes');
    await waitForToasts('Customer updated successfully');
    await act(async () => router.navigate({ to: '/customers' }));
    await screen.findByRole('link', { name: /^Zoe Rossi/ });
    expect(names()).toEqual(['Zoe Ross', 'Ben Cole']);
    await act(async () => response.resolve({ rows: [BEN, { ...CUSTOMER, name: 'Zoe Rossi', version: 2 }], next_cursor: null }));
    await waitFor(() => expect(names()).toEqual(['Ben Cole', 'Zoe Ross']));
    expect(list.reads).toBe(2);
  });

  it('asks for confirmation before leaving with unsaved changes', async () => {
    const { search } = openCustomerPage(`${CUSTOMER_PATH}?edit=true`);
    await screen.findByLabelText('Phone');
    typeInto('Phone', '1');
    await pressButton('Cancel');
    const question = await screen.findByRole('alertdialog', { name: 'Leave without saving?' });
    await act(async () => fireEvent.click(within(question).getByRole('button', { name: 'Keep editing' })));
    expect(getValue('Phone')).toBe('1');
    await pressButton('Cancel');
    await pressButton('Leave');
    await waitFor(() => expect(search()).toEqual({}));
    expect(await screen.findByRole('link', { name: '021 555 123' })).toBeDefined();
  });

  it('keeps the input if Back is pressed again at the confirmation', async () => {
    const { router } = openCustomerPage('/dashboard');
    const open = (to: string) => act(async () => router.navigate({ to }));
    const isPromptOpen = () => screen.queryByRole('alertdialog') !== null;
    const goBack = () => act(async () => window.history.back());
    await open(CUSTOMER_PATH);
    await open(`${CUSTOMER_PATH}?edit=true`);
    await screen.findByLabelText('Phone');
    typeInto('Phone', '1');
    await goBack();
    await waitFor(() => expect(isPromptOpen()).toBe(true));
    await goBack();
    await waitFor(() => expect(isPromptOpen()).toBe(false));
    await waitFor(() => expect(window.location.search).toBe('?edit=true'));
    expect(getValue('Phone')).toBe('1');
    await goBack();
    await pressButton('Leave');
    await waitFor(() => expect(screen.queryByLabelText('Phone')).toBeNull());
    expect(router.state.location.href).toBe(CUSTOMER_PATH);
  });

  it('shows why saving failed and keeps the input', async () => {
    openCustomerPage(`${CUSTOMER_PATH}?edit=true`, { [`PUT ${CUSTOMER_PATH}`]: () => failWith('FORBIDDEN', 'No') });
    await screen.findByLabelText('Phone');
    typeInto('Phone', '1');
    await pressButton('Save Changes');
    await waitFor(() => expect(getToasts()).toEqual(['Failed to update customer: No']));
    expect(getValue('Phone')).toBe('1');
  });

  it('names the customer and what happens to their jobs in the delete confirmation', async () => {
    const { path, queryClient } = openCustomerPage(CUSTOMER_PATH, { [`DELETE ${CUSTOMER_PATH}`]: () => ({}) });
    await pressButton('More actions');
    const item = await screen.findByRole('menuitem', { name: 'Delete' });
    await act(async () => fireEvent.click(item));
    const question = await screen.findByRole('alertdialog', { name: 'Delete Ana Rossi' });
    within(question).getByText('Are you sure you want to delete this customer? This action cannot be undone.');
    within(question).getByText('Their jobs and quotes will be kept but no longer linked to a customer.');
    await act(async () => fireEvent.click(within(question).getByRole('button', { name: 'Delete' })));
    await waitFor(() => expect(path()).toBe('/customers'));
    await waitFor(() => expect(getToasts()).toEqual(['Customer deleted successfully']));
    await waitFor(() => expect(queryClient.getQueryData(['customers', 'detail', CUSTOMER.id])).toBeUndefined());
  });
});

describe('deleting a customer', () => {
  it('shows why deletion failed and keeps the customer', async () => {
    const { path } = openCustomerPage(CUSTOMER_PATH, { [`DELETE ${CUSTOMER_PATH}`]: () => failWith('INTERNAL') });
    await pressButton('More actions');
    const item = await screen.findByRole('menuitem', { name: 'Delete' });
    await act(async () => fireEvent.click(item));
    const question = await screen.findByRole('alertdialog');
    await act(async () => fireEvent.click(within(question).getByRole('button', { name: 'Delete' })));
    await waitForToasts('Failed to delete customer: An unexpected error occurred. Please try again later.');
    expect(path()).toBe(CUSTOMER_PATH);
    expect(getHeading().textContent).toBe('Ana Rossi');
  });
});

describe('the customer tabs', () => {
  const setWidth = (width: number) => window.happyDOM.setViewport({ width });
  afterEach(() => setWidth(1024));

  it.each([
    ['tab', 1024],
    ['button', 390],
  ] as const)('have the role %s at %d px, each with its own URL and empty state', async (role, width) => {
    setWidth(width);
    const { search } = openCustomerPage(CUSTOMER_PATH);
    for (const [name, tab, empty] of [
      ['Quotes', 'quotes', 'No quotes found'],
      ['Jobs', 'jobs', 'No jobs found'],
      ['Attachments', 'attachments', 'No attachments found'],
    ] as const) {
      const tabHeader = await screen.findByRole(role, { name });
      await act(async () => fireEvent.click(tabHeader));
      await screen.findByText(empty);
      await waitFor(() => expect(search()).toEqual({ tab }));
    }
    await act(async () => fireEvent.click(screen.getByRole(role, { name: 'Quotes' })));
    // One in the page's header, one in the tab.
    const newQuoteLinks = await screen.findAllByRole('link', { name: 'New Quote' });
    expect(newQuoteLinks.map((link) => link.getAttribute('href'))).toEqual(Array(2).fill(`/quotes/new?customer=${CUSTOMER.id}`));
    expect(screen.getAllByRole('link', { name: 'New Job' })[0]?.getAttribute('href')).toBe(`/jobs/new?customer=${CUSTOMER.id}`);
  });
});

it('on a phone, only the details section stays open after saving', async () => {
  window.happyDOM.setViewport({ width: 390 });
  const { search } = openCustomerPage(CUSTOMER_PATH, { [OPEN_JOBS_CALL]: () => failWith('INVALID_INPUT') });
  await screen.findByText('No jobs found');
  const edit = await screen.findByRole('link', { name: 'Edit' });
  await act(async () => fireEvent.click(edit));
  await screen.findByLabelText('Phone');
  typeInto('Phone', '021 555 999');
  await pressButton('Save Changes');
  await waitFor(() => expect(search()).toEqual({}));
  expect(screen.getByRole('button', { name: 'Details' }).getAttribute('aria-expanded')).toBe('true');
  expect(screen.getByRole('button', { name: 'Jobs' }).getAttribute('aria-expanded')).toBe('false');
  expect(screen.queryByText("Open jobs couldn't be loaded.")).toBeNull();
  window.happyDOM.setViewport({ width: 1024 });
});

describe('a possible duplicate customer', () => {
  const OTHER_CUSTOMER = { id: '018f0000-0000-7000-8000-000000000002', name: 'Ben Hall', company_name: 'Anchor Cafe' };
  const buildDuplicates = (field: 'phone' | 'email', ...ids: string[]) => ({
    rows: ids.map((id) => ({ ...OTHER_CUSTOMER, id, same: field })),
  });

  it('is linked while a phone number or email address is typed, but does not block the save', async () => {
    const created: unknown[] = [];
    openCustomerPage('/customers/new', {
      [buildDuplicatesCall({ phone: '(021) 555-123' })]: () => buildDuplicates('phone', OTHER_CUSTOMER.id),
      [buildDuplicatesCall({ email: 'BEN@example.com' })]: () => buildDuplicates('email', OTHER_CUSTOMER.id),
      'POST /customers': (input) => {
        created.push(input);
        return { ...CUSTOMER, ...(input as Customer) };
      },
    });
    await screen.findByLabelText('Name');
    typeInto('Phone', '(021) 555-123');
    const link = await screen.findByRole<HTMLAnchorElement>('link', { name: 'Anchor Cafe' });
    expect(new URL(link.href).pathname).toBe(`/customers/${OTHER_CUSTOMER.id}`);
    expect(screen.getByLabelText('Phone').parentElement?.parentElement?.textContent).toContain('Anchor Cafe has the same phone number.');
    typeInto('Email', 'BEN@example.com');
    await screen.findByText(/has the same email/);
    typeInto('Name', 'Ana');
    typeInto('Street address', '1 High Street');
    await pressButton('Add Customer');
    await waitFor(() => expect(created).toHaveLength(1));
  });

  it('is searched for only by changed fields and never matches the customer being edited', async () => {
    const requested: string[] = [];
    openCustomerPage(`${CUSTOMER_PATH}?edit=true`, {
      [buildDuplicatesCall({ phone: '021 555 124' })]: () => {
        requested.push('phone');
        return buildDuplicates('phone', CUSTOMER.id, OTHER_CUSTOMER.id);
      },
      [buildDuplicatesCall({ phone: '021 555 125' })]: () => {
        requested.push('own phone');
        return buildDuplicates('phone', CUSTOMER.id);
      },
    });
    await screen.findByLabelText('Phone');
    typeInto('Phone', '021 555 124');
    const link = await screen.findByRole<HTMLAnchorElement>('link', { name: 'Anchor Cafe' });
    expect(link.pathname).toBe(`/customers/${OTHER_CUSTOMER.id}`);
    await act(async () => typeInto('Phone', '021 555 125'));
    // The warning disappears immediately, because it was about the previous number.
    expect(screen.queryByText(/has the same phone number/)).toBeNull();
    await waitFor(() => expect(requested).toEqual(['phone', 'own phone']));
    await waitFor(() => expect(screen.queryByText(/has the same phone number/)).toBeNull());
  });
});

describe('without a connection', () => {
  it('a customer cached by the list shows phone, email and address', async () => {
    const { router } = openCustomerPage('/customers');
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

  it('a customer that is not cached shows Retry instead of loading forever', async () => {
    const { router } = openCustomerPage('/dashboard');
    await screen.findByRole('heading', { level: 1 });
    onlineManager.setOnline(false);
    await act(async () => router.navigate({ to: '/customers/$id', params: { id: CUSTOMER.id } }));
    expect(await screen.findByRole('button', { name: 'Retry' })).toBeDefined();
  });
});

describe('the amount that a customer owes', () => {
  const OWED_CALL = `GET /invoices/summary?customer_id=${CUSTOMER.id}`;
  const buildInvoiceSummary = (ages: Partial<Record<DebtAge, number>>, unsent = 0): InvoiceSummary => ({
    ...EMPTY_INVOICE_SUMMARY,
    outstanding: { count: Object.values(ages).reduce((sum, count) => sum + count, 0), amount: '1482.35', unsent },
    ages: EMPTY_INVOICE_SUMMARY.ages.map((sum) => ({ ...sum, count: ages[sum.age] ?? 0 })),
  });

  it.each([
    [{ days_30: 2 }, 'They owe $1,482.35 on 2 invoices, which stay under this name but can no longer be emailed.'],
    [{ days_30: 1 }, 'They owe $1,482.35 on 1 invoice, which stays under this name but can no longer be emailed.'],
    [{}, null],
  ])('is named before the customer is deleted: %o', async (ages, text) => {
    openCustomerPage(CUSTOMER_PATH, { [OWED_CALL]: () => buildInvoiceSummary(ages) });
    await pressButton('More actions');
    const item = await screen.findByRole('menuitem', { name: 'Delete' });
    await act(async () => fireEvent.click(item));
    const question = await screen.findByRole('alertdialog', { name: 'Delete Ana Rossi' });
    expect(question.textContent?.includes('They owe')).toBe(text !== null);
    if (text !== null) within(question).getByText(text);
  });

  it.each([1024, 390])('comes first on the page and links to their unpaid invoices at %s px', async (width) => {
    window.happyDOM.setViewport({ width });
    openCustomerPage(CUSTOMER_PATH, { [OWED_CALL]: () => buildInvoiceSummary({ days_30: 1, days_60: 1 }) });
    const link = await screen.findByRole('link', { name: /outstanding/ });
    expect(link.textContent).toBe('$1,482.35outstanding2 invoices overdue, the oldest 31–60 days late');
    expect(link.getAttribute('href')).toBe(`/invoices?customer_id=${CUSTOMER.id}&filter=unpaid`);
    const panel = screen.getAllByRole(width === 390 ? 'region' : 'tablist')[0];
    expect(panel && link.compareDocumentPosition(panel) & Node.DOCUMENT_POSITION_FOLLOWING).toBeTruthy();
    window.happyDOM.setViewport({ width: 1024 });
  });

  it.each([
    [{ current: 2 }, 0, '2 invoices, not due yet'],
    [{ current: 1, older: 1 }, 0, '1 invoice overdue, over 90 days late'],
    [{ current: 1 }, 1, '1 invoice, not sent yet'],
    [{ current: 2 }, 1, '2 invoices, not due yet1 of 2 invoices not sent yet'],
    [{ current: 1, older: 1 }, 1, '1 invoice overdue, over 90 days late1 of 2 invoices not sent yet'],
  ])('shows how late the invoices are: %o, %i not sent', async (ages, unsent, text) => {
    openCustomerPage(CUSTOMER_PATH, { [OWED_CALL]: () => buildInvoiceSummary(ages, unsent) });
    expect((await screen.findByRole('link', { name: /outstanding/ })).textContent).toBe(`$1,482.35outstanding${text}`);
  });

  it('is loaded before the details appear, to prevent a layout shift', async () => {
    let respond: (owes: InvoiceSummary) => void = () => undefined;
    const { queryClient } = openCustomerPage(CUSTOMER_PATH, {
      [OWED_CALL]: () => new Promise<InvoiceSummary>((resolve) => (respond = resolve)),
    });
    await screen.findByText('Loading customer');
    await waitFor(() => expect(queryClient.isFetching({ queryKey: ['customers'] })).toBe(0));
    expect(screen.queryByRole('link', { name: 'Edit' })).toBeNull();
    respond(buildInvoiceSummary({ current: 1 }));
    await screen.findByRole('link', { name: 'Edit' });
    expect(screen.getByText('outstanding')).toBeDefined();
  });

  it('is hidden when nothing is outstanding', async () => {
    openCustomerPage(CUSTOMER_PATH);
    await screen.findByRole('link', { name: 'Edit' });
    expect(screen.queryByText('outstanding')).toBeNull();
  });

  it('is not requested when staff open the page', async () => {
    const readSummary = vi.fn(() => buildInvoiceSummary({ current: 1 }));
    openCustomerPage(CUSTOMER_PATH, {
      'GET /me': () => ({ ...ADMIN_USER, profile: { ...PROFILE, role: 'staff' } }),
      [OWED_CALL]: readSummary,
    });
    await screen.findByRole('link', { name: 'Edit' });
    expect(readSummary).not.toHaveBeenCalled();
  });

  it('shows an error with Retry and keeps the rest of the page', async () => {
    const server = { respond: (): unknown => failWith('FORBIDDEN', 'No sums') };
    openCustomerPage(CUSTOMER_PATH, { [OWED_CALL]: () => server.respond() });
    expect(await screen.findByText("Couldn't load what this customer owes. No sums")).toBeDefined();
    expect(screen.getByRole('link', { name: '021 555 123' })).toBeDefined();
    server.respond = () => buildInvoiceSummary({ current: 1 });
    await pressButton('Retry');
    expect(await screen.findByText('1 invoice, not due yet')).toBeDefined();
  });
});
