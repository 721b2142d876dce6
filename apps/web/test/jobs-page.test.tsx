import type { Job } from '@callout/contract/jobs';
import type { Role } from '@callout/domain/roles/roles';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ADMIN_USER, CUSTOMER, GAS_CATEGORY, JOB, JOB_ITEM, JOB_PAGE_RESPONSES, MIA, PROFILE, SAM } from './fixtures.ts';
import { failWith, getToasts, type MockApi, openPage, pressButton, waitForToasts } from './open-page.tsx';
import { chooseMenuItem } from './open-payment.ts';

const JOB_PATH = `/jobs/${JOB.id}`;
function openJob(change: Partial<Job> = {}, responses: MockApi = {}, role: Role = 'admin') {
  const server = { job: { ...JOB, ...change } };
  const page = openPage(JOB_PATH, {
    'GET /me': () => ({ ...ADMIN_USER, profile: { ...PROFILE, role } }),
    [`GET /jobs/${JOB.id}`]: () => server.job,
    [`GET /comments?job_id=${JOB.id}`]: () => ({ rows: [] }),
    'GET /staff-names': () => ({ rows: [SAM, MIA] }),
    [`PUT /jobs/${JOB.id}/status`]: (input) => {
      server.job = { ...server.job, ...(input as Job) };
      return server.job;
    },
    ...JOB_PAGE_RESPONSES,
    ...responses,
  });
  return { ...page, server };
}

const setViewportWidth = (width: number) => window.happyDOM.setViewport({ width });
beforeEach(() => {
  // In Auckland, this instant falls on the day before the booking.
  vi.useFakeTimers({ now: new Date('2026-04-04T20:30:00Z'), toFake: ['Date'] });
});
afterEach(() => {
  vi.useRealTimers();
  setViewportWidth(1024);
});

const findLinkHref = async (name: string | RegExp) => (await screen.findByRole<HTMLAnchorElement>('link', { name })).getAttribute('href');
const findHeading = () => screen.findByRole('heading', { level: 1, name: 'Roof repair' });

it('shows address, booking time and call link on a phone', async () => {
  setViewportWidth(390);
  openJob({ address: '1 High Street, Birkenhead, Auckland 0626' });
  await findHeading();
  expect(await findLinkHref('Get Directions')).toBe(
    'https://www.google.com/maps/dir/?api=1&destination=1%20High%20Street%2C%20Birkenhead%2C%20Auckland%200626',
  );
  expect(await findLinkHref('Call Ana')).toBe('tel:021555123');
  const texts = ['1 High Street', 'Birkenhead, Auckland 0626', 'Tomorrow, 8:00 AM – 10:00 AM', 'Sam Leota', 'Fixed price $500.00'];
  for (const text of texts) screen.getByText(text);
  screen.getByText(/^Apr 6, 2026 · 2 hours/);
});

it('shows the date once and leaves a long name out of the call button on a phone', async () => {
  setViewportWidth(390);
  openJob({ booking_date: '2026-04-09T20:00:00.000Z', customer: { ...CUSTOMER, name: 'K. Whitaker-Smythe', company_name: null } });
  await findHeading();
  screen.getByText('Fri, Apr 10, 8:00 AM – 10:00 AM');
  expect(screen.queryByText(/Apr 10, 2026/)).toBeNull();
  expect(await findLinkHref('Call')).toBe('tel:021555123');
});

it('shows all details of a job on a desktop', async () => {
  openJob();
  await findHeading();
  expect(await findLinkHref('Get Directions')).toBe('https://www.google.com/maps/dir/?api=1&destination=1%20High%20Street');
  expect(await findLinkHref('021 555 123')).toBe('tel:021555123');
  expect(await findLinkHref('Email ana@example.com')).toBe('mailto:ana@example.com');
  expect(await findLinkHref('Ana Rossi')).toBe(`/customers/${CUSTOMER.id}`);
  const texts = ['#J26030042', 'Booked', 'Drains', 'Two tiles are missing.', 'Sam Leota', 'Tomorrow, Apr 6, 2026', '8:00 AM – 10:00 AM'];
  for (const text of texts) screen.getByText(text);
  screen.getByText(/^2 hours/);
  expect(document.title).toBe('Roof repair · Callout');
});

describe('job page', () => {
  it('labels missing fields', async () => {
    openJob({
      customer: null,
      customer_id: null,
      staff: null,
      staff_id: null,
      categories: [],
      booking_date: null,
      duration: null,
      address: null,
    });
    await findHeading();
    for (const text of ['No Customer', 'Unassigned', 'Uncategorized', 'Not scheduled', 'No address'])
      expect(screen.getByText(text)).toBeDefined();
    expect(screen.queryByRole('link', { name: 'Get Directions' })).toBeNull();
    expect(screen.queryByText(/^From quote/)).toBeNull();
  });

  it('links a job created from a quote to that quote', async () => {
    const quoteId = '018f0000-0000-7000-8000-000000000021';
    openJob({ quote_id: quoteId, quote_number: 'Q001234' });
    await findHeading();
    expect(await findLinkHref('From quote Q001234')).toBe(`/quotes/${quoteId}`);
    expect(await findLinkHref('Download accepted quote')).toBe(`/api/jobs/${JOB.id}/accepted-quote.pdf`);
  });

  it('renders no empty row for an empty description', async () => {
    openJob({ description: '' });
    await findHeading();
    expect(document.querySelector('main p.border-t:empty')).toBeNull();
  });

  it('still offers the accepted copy of a deleted quote', async () => {
    openJob({ quote_id: null, quote_number: 'Q001234' });
    await screen.findByText('From quote Q001234');
    expect(screen.queryByRole('link', { name: 'From quote Q001234' })).toBeNull();
    expect(screen.getByRole('link', { name: 'Download accepted quote' })).toBeDefined();
  });

  it('shows the rate of an hourly job and all its categories', async () => {
    openJob({ job_type: 'hourly', categories: [...JOB.categories, GAS_CATEGORY] });
    await findHeading();
    expect(screen.getByText('Hourly, $85.00/hr')).toBeDefined();
    expect(screen.getByText('Drains, Gas')).toBeDefined();
  });

  it('explains that items replace the fixed amount', async () => {
    openJob({ items: [JOB_ITEM], totals: { ...JOB.totals, total_amount: '89.70' } });
    await findHeading();
    expect(screen.getByText('Fixed price $500.00 (replaced by the items below)')).toBeDefined();
  });

  it('does not call the fixed amount replaced if the items of the accepted quote add up to it', async () => {
    openJob({ items: [JOB_ITEM], fixed_amount: '89.70', totals: { ...JOB.totals, total_amount: '89.70' } });
    await findHeading();
    expect(screen.getByText('Fixed price $89.70')).toBeDefined();
  });

  it('shows at most one primary button while the job is timed', async () => {
    openJob({ job_type: 'hourly', fixed_amount: null });
    await findHeading();
    expect(within(screen.getByRole('main')).queryByRole('link', { name: 'Payment' })).toBeNull();
    expect(screen.queryAllByRole('button', { name: 'Complete Job' }).length).toBeLessThanOrEqual(1);
  });

  it('completes the job and then links to its payment page', async () => {
    openJob();
    await pressButton('Complete Job');
    await waitForToasts('Job marked as completeUndo');
    await screen.findByText('Complete');
    expect(screen.queryByRole('button', { name: 'Complete Job' })).toBeNull();
    expect(await findLinkHref('Payment')).toBe(`${JOB_PATH}/payment`);
  });

  it('warns about unallocated time when the job is completed', async () => {
    openJob({ job_type: 'hourly', timer: { ...JOB.timer, finished_seconds: 9000, allocated_seconds: 3600 } });
    await pressButton('Complete Job');
    await waitFor(() => expect(getToasts().toSorted()).toEqual(['1h 30m not billed yet.', 'Job marked as completeUndo']));
  });

  it('restores the previous status when completing is undone', async () => {
    const sent: unknown[] = [];
    const { server } = openJob(
      {},
      {
        [`PUT /jobs/${JOB.id}/status`]: (input) => {
          sent.push(input);
          server.job = { ...server.job, status: (input as Job).status };
          return { ...server.job, clashes: [] };
        },
      },
    );
    await pressButton('Complete Job');
    await pressButton('Undo');
    await waitForToasts('Job moved to Booked');
    expect(sent).toEqual([
      { status: 'complete', from: 'booked' },
      { status: 'booked', from: 'complete', is_undo: true },
    ]);
    await screen.findByRole('button', { name: 'Complete Job' });
  });

  it('offers no Undo when existing payments make the completed job paid', async () => {
    openJob({}, { [`PUT /jobs/${JOB.id}/status`]: () => ({ ...JOB, status: 'paid', clashes: [] }) });
    await pressButton('Complete Job');
    await waitForToasts('Job marked as complete');
    expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull();
  });

  it('shows why the job cannot be completed', async () => {
    openJob({}, { [`PUT /jobs/${JOB.id}/status`]: () => failWith('FORBIDDEN', 'No') });
    await pressButton('Complete Job');
    await waitForToasts('Failed to complete job: No');
    expect(screen.getByText('Booked')).toBeDefined();
  });

  it('does not complete a job that someone else canceled and shows its new status', async () => {
    const sent: unknown[] = [];
    const canceled = { ...JOB, status: 'canceled' as const, version: JOB.version + 1 };
    const { server } = openJob(
      {},
      {
        [`PUT /jobs/${JOB.id}/status`]: (input) => {
          sent.push(input);
          server.job = canceled;
          failWith('STALE_VERSION', 'Someone else has changed this record.', { current: canceled });
        },
      },
    );
    await pressButton('Complete Job');
    await waitForToasts('Someone else has changed this job. It is canceled now.');
    expect(sent).toEqual([{ status: 'complete', from: 'booked' }]);
    await screen.findByText('Canceled');
    expect(screen.queryByRole('button', { name: 'Complete Job' })).toBeNull();
  });

  it.each(['accountant', 'staff'] as const)('hides editing and deleting from the role %s', async (role) => {
    openJob({}, {}, role);
    await findHeading();
    expect(screen.queryByRole('link', { name: 'Edit' })).toBeNull();
    screen.getByRole('button', { name: 'Add Item' });
    await pressButton('More actions');
    expect((await screen.findAllByRole('menuitem')).map(({ textContent }) => textContent)).toEqual(['Duplicate', 'Cancel job']);
  });

  it('lets managers edit the job', async () => {
    openJob({}, {}, 'manager');
    expect(await findLinkHref('Edit')).toBe(`${JOB_PATH}/edit`);
  });

  it('deletes the job after confirmation', async () => {
    const { path } = openJob(
      {},
      {
        [`DELETE /jobs/${JOB.id}`]: () => ({}),
        'GET /jobs/count': () => ({ total: 0 }),
        'GET /jobs?sort=created_at&order=desc': () => ({ rows: [], next_cursor: null }),
      },
    );
    await findHeading();
    await pressButton('More actions');
    const item = await screen.findByRole('menuitem', { name: 'Delete' });
    await act(async () => fireEvent.click(item));
    const question = within(await screen.findByRole('alertdialog', { name: 'Delete job “Roof repair”?' }));
    await act(async () => fireEvent.click(question.getByRole('button', { name: 'Delete' })));
    await waitForToasts('Job deleted successfully');
    await waitFor(() => expect(path()).toBe('/jobs'));
  });

  it('duplicates the job under one id despite a failed attempt, and asks for a date on the copy', async () => {
    const requestedIds: string[] = [];
    const copy = { ...JOB, job_number: 'J26040001', status: 'pending', booking_date: null };
    const { path, router } = openJob(
      {},
      {
        [`POST ${JOB_PATH}/duplicate`]: (input) => {
          const { new_id: id } = input as { new_id: string };
          requestedIds.push(id);
          return requestedIds.length === 1 ? failWith('UNAVAILABLE', 'Gone away') : { ...copy, id };
        },
        'GET /jobs/{id}': () => ({ ...copy, id: requestedIds[0] }),
        'GET /staff-names': () => ({ rows: [SAM] }),
      },
    );
    await findHeading();
    await chooseMenuItem('More actions', 'Duplicate');
    await waitForToasts('Failed to duplicate job: Gone away');
    await chooseMenuItem('More actions', 'Duplicate');
    await waitFor(() => expect(path()).toBe(`/jobs/${requestedIds[0]}`));
    expect(requestedIds[1]).toBe(requestedIds[0]);
    await waitFor(() => expect(getToasts()).toContain('Job duplicated successfully'));
    const dialog = within(await screen.findByRole('dialog'));
    dialog.getByRole('button', { name: 'Book' });
    await act(async () => fireEvent.click(dialog.getByRole('button', { name: 'Cancel' })));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    screen.getByText('#J26040001');
    // A reload and Back read the entry's state again.
    await waitFor(() => expect(router.state.location.state.isNewCopy).toBeUndefined());
    await act(() => router.navigate({ to: '/nowhere' as '/dashboard' }));
    await screen.findByRole('heading', { name: 'Page not found' });
    await act(async () => router.history.back());
    await screen.findByText('#J26040001');
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  it('shows a not-found page for a missing job', async () => {
    openJob({}, { [`GET /jobs/${JOB.id}`]: () => failWith('NOT_FOUND', 'Job not found') });
    await screen.findByRole('heading', { name: 'Job not found' });
    expect(await findLinkHref('All jobs')).toBe('/jobs');
  });
});
