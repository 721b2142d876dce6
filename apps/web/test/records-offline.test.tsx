import type { Customer } from '@callout/contract/customers';
import type { Job, NewJob } from '@callout/contract/jobs';
import type { Task } from '@callout/contract/tasks';
import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { deleteCommandStorage } from '../src/lib/commands/command-storage.ts';
import { ADMIN_USER, CUSTOMER, DRAINS_CATEGORY, JOB, JOB_ITEM, MIA, SAM, TASK } from './fixtures.ts';
import { stubIndexedDb } from './indexed-db.ts';
import { failWith, getToasts, type MockApi, openPage, pressButton, typeInto } from './open-page.tsx';

const SAVED_TOAST = "Saved on this device. It will be sent when you're back online.";
const NEW_NUMBER = 'J26040043';

beforeEach(stubIndexedDb);
afterEach(async () => {
  cleanup();
  await deleteCommandStorage();
});

type Call = [call: string, input: Record<string, unknown>];

/** A server that keeps jobs and customers. Changes can't reach it at first, and neither can reads of what it doesn't have. */
function createServer() {
  const server = {
    isReachable: false,
    sent: [] as Call[],
    jobs: new Map<string, Job>(),
    customers: new Map<string, Customer>([[CUSTOMER.id, CUSTOMER]]),
    refuse: undefined as ((call: string) => void) | undefined,
  };
  const change =
    (call: string, apply: (input: never) => unknown) =>
    (input: unknown): unknown => {
      if (!server.isReachable) throw new TypeError('Failed to fetch');
      server.sent.push([call, input as Record<string, unknown>]);
      server.refuse?.(call);
      return apply(input as never);
    };
  const onlyJob = (): Job => [...server.jobs.values()][0] ?? failWith('NOT_FOUND', 'Job not found');
  const storeJob = (job: Job): Job => {
    server.jobs.set(job.id, job);
    return job;
  };
  const storeCustomer = (customer: Customer): Customer => {
    server.customers.set(customer.id, customer);
    return customer;
  };
  const customer = (id: string) => server.customers.get(id) ?? failWith('NOT_FOUND', 'Customer not found');
  const responses: MockApi = {
    'GET /me': () => ADMIN_USER,
    'GET /staff-names': () => ({ rows: [SAM, MIA] }),
    'GET /categories': () => ({ rows: [DRAINS_CATEGORY] }),
    'GET /items/search': () => ({ rows: [], next_cursor: null }),
    'GET /customers?sort=name&order=asc': () => ({ rows: [...server.customers.values()], next_cursor: null }),
    'GET /customers?status=active&sort=name&order=asc': () => ({ rows: [...server.customers.values()], next_cursor: null }),
    'GET /customers/count': () => ({ total: server.customers.size }),
    'GET /customers/duplicates?*': () => ({ rows: [] }),
    [`GET /customers/${CUSTOMER.id}`]: () => customer(CUSTOMER.id),
    'GET /customers/{id}': () => customer([...server.customers.keys()][1] ?? ''),
    'GET /jobs?sort=created_at&order=desc': () => ({ rows: [{ ...JOB, timer_status: null, matched: null }], next_cursor: null }),
    'GET /jobs?sort=created_at&order=desc&customer_id={id}': () => ({ rows: [], next_cursor: null }),
    'GET /jobs/count': () => ({ total: 1 }),
    'GET /jobs/{id}': onlyJob,
    'GET /quotes/count': () => ({ total: 0 }),
    'POST /customers': change('create customer', (input: Customer) => storeCustomer({ ...CUSTOMER, ...input, version: 1 })),
    [`PUT /customers/${CUSTOMER.id}`]: change('update customer', (input: Customer) => {
      const current = customer(CUSTOMER.id);
      if (current.version !== input.version) failWith('STALE_VERSION', 'Someone else has changed this record.', { current });
      return storeCustomer({ ...current, ...input, version: current.version + 1 });
    }),
    'POST /jobs': change('create job', ({ id, title, status, ...input }: NewJob) =>
      storeJob({ ...JOB, id, title, status, job_number: NEW_NUMBER, customer_id: input.customer_id, fixed_amount: null, items: [] }),
    ),
    'POST /job-items': change('add items', ({ lines }: { lines: { id: string; name: string; unit_price: string }[] }) => {
      const job = onlyJob();
      const added = lines.map(({ id, name, unit_price }) => ({ ...JOB_ITEM, id, name, unit_price, total_price: unit_price }));
      return storeJob({ ...job, items: [...job.items, ...added] });
    }),
    'PUT /jobs/{id}/status': change('set status', ({ status }: Pick<Job, 'status'>) => {
      const job = onlyJob();
      return { ...storeJob({ ...job, status, version: job.version + 1 }), clashes: [] };
    }),
  };
  return { server, responses };
}

type Server = ReturnType<typeof createServer>['server'];

function open(path: string, { server, responses }: ReturnType<typeof createServer>, extra: MockApi = {}) {
  const page = openPage(path, { ...responses, ...extra });
  /** The next successful read shows that the server can be reached again. */
  const reconnect = async () => {
    server.isReachable = true;
    await act(() => page.queryClient.refetchQueries({ queryKey: ['timer'] }));
  };
  return { ...page, server, reconnect };
}

const listSent = ({ sent }: Server) => sent.map(([call]) => call);

async function createJobOffline(path = `/jobs/new?customer=${CUSTOMER.id}`, mock = createServer()) {
  const page = open(path, mock);
  await screen.findByRole('option', { name: SAM.name });
  await screen.findByText(/021 555 123/);
  typeInto('Title', 'Gutter repair');
  typeInto('Description', 'The gutter leaks.');
  typeInto('Assigned staff', SAM.id);
  await pressButton('Create Job');
  await screen.findByRole('heading', { level: 1, name: 'Gutter repair' });
  return { ...page, jobPath: page.path() };
}

async function addTypedItem(name: string, price: string) {
  await pressButton('Add Item');
  const tab = await screen.findByRole('tab', { name: 'Type your own' });
  await act(async () => fireEvent.click(tab));
  const panel = within(await screen.findByRole('tabpanel', { name: 'Type your own' }));
  await panel.findByLabelText('Name');
  typeInto('Name', name);
  typeInto('Unit price', price);
  await act(async () => fireEvent.click(panel.getByRole('button', { name: 'Add Item' })));
  await panel.findByText(/^1 item added/);
  await pressButton('Close');
}

describe('a job that is created without a connection', () => {
  it('has a page, with what was typed and without a number', async () => {
    const { jobPath } = await createJobOffline();
    expect(jobPath).toMatch(/^\/jobs\/[\da-f-]{36}$/);
    screen.getByText('New');
    screen.getByText(/^This job has not been sent yet/);
    screen.getByText('The gutter leaks.');
    expect(screen.getAllByText(CUSTOMER.address).length).toBeGreaterThan(0);
    expect(getToasts()).toContain(SAVED_TOAST);
    expect(screen.queryByText('Job not found')).toBeNull();
  });

  it('is on top of the list, marked as unsent', async () => {
    const { router } = await createJobOffline();
    await act(() => router.navigate({ to: '/jobs' }));
    const [first, second] = await screen.findAllByRole('link', { name: /repair/ });
    expect(first?.textContent).toContain('Gutter repair');
    expect(second?.textContent).toContain(JOB.title);
    expect(screen.getAllByText('Not sent yet')).toHaveLength(1);
  });

  it('gets items and is completed before it is sent, then everything arrives in order, once', async () => {
    const { server, jobPath, path, reconnect } = await createJobOffline();
    await addTypedItem('Labour', '115');
    const items = within(screen.getByRole('region', { name: /^Items & Services/ }));
    for (const text of ['Labour', '100.00', '15.00', '$115.00']) await items.findByText(text);
    await pressButton('Complete Job');
    await screen.findByText('Complete');
    await reconnect();
    await screen.findByText(`#${NEW_NUMBER}`);
    await waitFor(() => expect(listSent(server)).toEqual(['create job', 'add items', 'set status']));
    await waitFor(() => expect(screen.queryByText(/^This job has not been sent yet/)).toBeNull());
    expect(path()).toBe(jobPath);
    await items.findByText('Labour');
    expect(server.sent[0]?.[1]).toMatchObject({ title: 'Gutter repair', customer_id: CUSTOMER.id, staff_id: SAM.id });
  });

  it('can be completed and reopened with Undo', async () => {
    const { server, reconnect } = await createJobOffline();
    await pressButton('Complete Job');
    await pressButton('Undo');
    await screen.findByRole('button', { name: 'Complete Job' });
    await reconnect();
    await waitFor(() => expect(listSent(server)).toEqual(['create job', 'set status', 'set status']));
    expect(server.sent.slice(1).map(([, { status, from, is_undo }]) => [status, from, is_undo])).toEqual([
      ['complete', 'booked', undefined],
      ['booked', 'complete', true],
    ]);
  });

  it('shows what was typed, and why, if the server refuses it', async () => {
    const { server, reconnect } = await createJobOffline();
    await pressButton('Complete Job');
    server.refuse = () => failWith('NO_NUMBER_LEFT', 'This month has no job numbers left.');
    await reconnect();
    await screen.findByText('This job was not accepted: This month has no job numbers left.');
    screen.getByText('The gutter leaks.');
    const link = screen.getByRole('link', { name: 'Unsent changes' });
    await act(async () => link.click());
    const refused = within(await screen.findByRole('region', { name: /^Not accepted/ }));
    refused.getByText('Create new job Gutter repair');
    refused.getByText('This month has no job numbers left.');
    refused.getByText('1 later change of yours waits for this one.');
    expect(listSent(server)).toEqual(['create job']);
    server.refuse = undefined;
    await pressButton('Try again');
    await screen.findByText('Everything has been sent');
    expect(listSent(server)).toEqual(['create job', 'create job', 'set status']);
  });

  it('is there after a reload', async () => {
    const { jobPath } = await createJobOffline();
    cleanup();
    open(jobPath, createServer());
    await screen.findByRole('heading', { level: 1, name: 'Gutter repair' });
    expect(screen.getByText(/^This job has not been sent yet/)).toBeDefined();
  });
});

async function createCustomerOffline(mock = createServer()) {
  const page = open('/customers/new', mock);
  await screen.findByLabelText('Name');
  const fields = { Name: 'Tane Rangi', Email: 'tane@example.com', Phone: '021 555 777', 'Street address': '3 Quay Street' };
  for (const [label, value] of Object.entries(fields)) typeInto(label, value);
  await pressButton('Add Customer');
  await screen.findByRole('heading', { level: 1, name: 'Tane Rangi' });
  return { ...page, id: page.path().split('/').at(-1) ?? '' };
}

describe('a customer who is added without a connection', () => {
  it('has a page and is on top of the list', async () => {
    const { router } = await createCustomerOffline();
    screen.getByText(/^This customer has not been sent yet/);
    await act(() => router.navigate({ to: '/customers' }));
    const rows = await screen.findAllByRole('link', { name: /Tane Rangi|Ana Rossi/ });
    expect(rows[0]?.textContent).toContain('Tane Rangi');
    screen.getByText('Not sent yet');
  });

  it('is sent again after a reload, and leaves no draft', async () => {
    const { id } = await createCustomerOffline();
    expect(Object.keys(localStorage).filter((key) => key.startsWith('callout-lasting-draft'))).toEqual([]);
    cleanup();
    const mock = createServer();
    mock.server.isReachable = true;
    open(`/customers/${id}`, mock);
    await waitFor(() => expect(mock.server.sent).toMatchObject([['create customer', { id, name: 'Tane Rangi' }]]));
    await screen.findByRole('heading', { level: 1, name: 'Tane Rangi' });
  });

  it('is waited for by their first job', async () => {
    const { router, server, reconnect, id } = await createCustomerOffline();
    await act(() => router.navigate({ to: '/jobs/new', search: { customer: id } }));
    await screen.findByText('021 555 777 · 3 Quay Street');
    await screen.findByRole('option', { name: SAM.name });
    typeInto('Title', 'Gutter repair');
    typeInto('Description', 'The gutter leaks.');
    typeInto('Assigned staff', SAM.id);
    await pressButton('Create Job');
    await screen.findByText(/^This job has not been sent yet/);
    screen.getByRole('link', { name: 'Tane Rangi' });
    server.refuse = (call) => (call === 'create customer' ? failWith('FORBIDDEN', 'No') : undefined);
    await reconnect();
    await screen.findByRole('link', { name: 'Not accepted (1)' });
    expect(listSent(server)).toEqual(['create customer']);
    server.refuse = undefined;
    await act(() => router.navigate({ to: '/unsent' }));
    await pressButton('Try again');
    await screen.findByText('Everything has been sent');
    expect(server.sent.slice(1)).toMatchObject([
      ['create customer', { id }],
      ['create job', { customer_id: id }],
    ]);
  });
});

async function changePhone(phone: string) {
  const edit = await screen.findByRole('link', { name: 'Edit' });
  await act(async () => edit.click());
  await screen.findByLabelText('Phone');
  typeInto('Phone', phone);
  await pressButton('Save Changes');
  await screen.findByRole('link', { name: 'Edit' });
}

describe('a customer who is changed without a connection', () => {
  it('can be changed again, without a conflict between the two changes', async () => {
    const { server, reconnect } = open(`/customers/${CUSTOMER.id}?tab=details`, createServer());
    await changePhone('021 555 001');
    expect(screen.getAllByText('021 555 001').length).toBeGreaterThan(0);
    await changePhone('021 555 002');
    await reconnect();
    await waitFor(() =>
      expect(server.sent.map(([, { version, phone }]) => [version, phone])).toEqual([
        [1, '021 555 001'],
        [2, '021 555 002'],
      ]),
    );
    expect(server.customers.get(CUSTOMER.id)).toMatchObject({ phone: '021 555 002', version: 3 });
  });

  it('stays under Unsent changes if someone else has changed them in the meantime', async () => {
    const { server, router, reconnect } = open(`/customers/${CUSTOMER.id}?tab=details`, createServer());
    await changePhone('021 555 001');
    server.customers.set(CUSTOMER.id, { ...CUSTOMER, notes: 'Key under the mat', version: 2 });
    await reconnect();
    await screen.findByRole('link', { name: 'Not accepted (1)' });
    await act(() => router.navigate({ to: '/unsent' }));
    const refused = within(await screen.findByRole('region', { name: /^Not accepted/ }));
    expect(refused.getByText('Change customer Ana Rossi')).toBeDefined();
    expect(refused.getByText('Someone else has changed this record.')).toBeDefined();
  });

  it('does not overwrite what someone else has saved after the first of two changes is discarded', async () => {
    const { server, router, reconnect } = open(`/customers/${CUSTOMER.id}?tab=details`, createServer());
    await changePhone('021 555 001');
    await changePhone('021 555 002');
    server.customers.set(CUSTOMER.id, { ...CUSTOMER, notes: 'Key under the mat', version: 2 });
    await reconnect();
    await screen.findByRole('link', { name: 'Not accepted (1)' });
    await act(() => router.navigate({ to: '/unsent' }));
    const discard = await within(await screen.findByRole('region', { name: /^Not accepted/ })).findByRole('button', { name: 'Discard' });
    await act(async () => discard.click());
    await waitFor(() => expect(server.sent.map(([, { version }]) => version)).toEqual([1, 1]));
    expect(server.customers.get(CUSTOMER.id)).toMatchObject({ notes: 'Key under the mat', version: 2 });
  });
});

it('a task that is added without a connection is on top of the list, marked as unsent', async () => {
  const { server, responses } = createServer();
  const tasks: Task[] = [TASK];
  const { reconnect } = open(
    '/todo?add=true',
    { server, responses },
    {
      'GET /tasks?status=active': () => ({ rows: tasks, next_cursor: null }),
      'POST /tasks': (input) => {
        if (!server.isReachable) throw new TypeError('Failed to fetch');
        tasks.unshift({ ...TASK, ...(input as Task), staff: null });
        return tasks[0];
      },
    },
  );
  await screen.findByLabelText('Title');
  typeInto('Title', 'Buy sealant');
  await pressButton('Add Task');
  const list = within(await screen.findByRole('list', { name: 'Active Tasks' }));
  await list.findByText('Not sent yet');
  expect(list.getAllByRole('link').map(({ textContent }) => textContent)).toEqual(['Buy sealant', TASK.title]);
  await reconnect();
  await waitFor(() => expect(list.queryByText('Not sent yet')).toBeNull());
  expect(list.getAllByRole('link').map(({ textContent }) => textContent)).toEqual(['Buy sealant', TASK.title]);
});
