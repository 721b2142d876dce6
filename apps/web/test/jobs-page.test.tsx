import type { Job } from '@callout/contract/jobs';
import type { Role } from '@callout/domain/roles/roles';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Answers, openPage, press, refuse, toastTexts, waitForToasts } from './open-page.tsx';
import { CUSTOMER, GAS, JOB, JOB_ITEM, JOB_PARTS, OWNER, PROFILE } from './people.ts';

const PATH = `/jobs/${JOB.id}`;
function openJob(change: Partial<Job> = {}, more: Answers = {}, role: Role = 'admin') {
  const server = { job: { ...JOB, ...change } };
  const page = openPage(PATH, {
    'GET /me': () => ({ ...OWNER, profile: { ...PROFILE, role } }),
    [`GET /jobs/${JOB.id}`]: () => server.job,
    [`GET /comments?job_id=${JOB.id}`]: () => ({ rows: [] }),
    [`PUT /jobs/${JOB.id}/status`]: (input) => {
      server.job = { ...server.job, ...(input as Job) };
      return server.job;
    },
    ...JOB_PARTS,
    ...more,
  });
  return { ...page, server };
}

const setWidth = (width: number) => window.happyDOM.setViewport({ width });
beforeEach(() => {
  // The day before the job, in Auckland.
  vi.useFakeTimers({ now: new Date('2026-04-04T20:30:00Z'), toFake: ['Date'] });
});
afterEach(() => {
  vi.useRealTimers();
  setWidth(1024);
});

const href = async (name: string | RegExp) => (await screen.findByRole<HTMLAnchorElement>('link', { name })).getAttribute('href');
const heading = () => screen.findByRole('heading', { level: 1, name: 'Roof repair' });

it('a job says on a phone where, when and whom to call', async () => {
  setWidth(390);
  openJob({ address: '1 High Street, Birkenhead, Auckland 0626' });
  await heading();
  expect(await href('Get Directions')).toBe(
    'https://www.google.com/maps/dir/?api=1&destination=1%20High%20Street%2C%20Birkenhead%2C%20Auckland%200626',
  );
  expect(await href('Call Ana')).toBe('tel:021555123');
  const texts = ['1 High Street', 'Birkenhead, Auckland 0626', 'Tomorrow, 8:00 AM – 10:00 AM', 'Sam Leota', 'Fixed price $500.00'];
  for (const text of texts) screen.getByText(text);
  screen.getByText(/^Apr 6, 2026 · 2 hours/);
});

it('a phone says each thing once, and cuts nothing off', async () => {
  setWidth(390);
  openJob({ booking_date: '2026-04-09T20:00:00.000Z', customer: { ...CUSTOMER, name: 'K. Whitaker-Smythe', company_name: null } });
  await heading();
  screen.getByText('Fri, Apr 10, 8:00 AM – 10:00 AM');
  expect(screen.queryByText(/Apr 10, 2026/)).toBeNull();
  expect(await href('Call')).toBe('tel:021555123');
});

it('a job has its facts side by side on a desk', async () => {
  openJob();
  await heading();
  expect(await href('Get Directions')).toBe('https://www.google.com/maps/dir/?api=1&destination=1%20High%20Street');
  expect(await href('021 555 123')).toBe('tel:021555123');
  expect(await href('Email ana@example.com')).toBe('mailto:ana@example.com');
  expect(await href('Ana Rossi')).toBe(`/customers/${CUSTOMER.id}`);
  const texts = ['#J26030042', 'Booked', 'Drains', 'Two tiles are missing.', 'Sam Leota', 'Tomorrow, Apr 6, 2026', '8:00 AM – 10:00 AM'];
  for (const text of texts) screen.getByText(text);
  screen.getByText(/^2 hours/);
  expect(document.title).toBe('Roof repair · Callout');
});

describe('a job', () => {
  it('names what it does not have', async () => {
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
    await heading();
    for (const text of ['No Customer', 'Unassigned', 'Uncategorized', 'Not scheduled', 'No address'])
      expect(screen.getByText(text)).toBeDefined();
    expect(screen.queryByRole('link', { name: 'Get Directions' })).toBeNull();
    expect(screen.queryByText(/^From quote/)).toBeNull();
  });

  it('that was made from a quote leads to it', async () => {
    const quoteId = '018f0000-0000-7000-8000-000000000021';
    openJob({ quote_id: quoteId, quote_number: 'Q001234' });
    await heading();
    expect(await href('From quote Q001234')).toBe(`/quotes/${quoteId}`);
    expect(await href('Download accepted quote')).toBe(`/api/jobs/${JOB.id}/accepted-quote.pdf`);
  });

  it('that was made from a quote without a description has no empty row', async () => {
    openJob({ description: '' });
    await heading();
    expect(document.querySelector('main p.border-t:empty')).toBeNull();
  });

  it('still has the accepted copy of a quote that was deleted', async () => {
    openJob({ quote_id: null, quote_number: 'Q001234' });
    await screen.findByText('From quote Q001234');
    expect(screen.queryByRole('link', { name: 'From quote Q001234' })).toBeNull();
    expect(screen.getByRole('link', { name: 'Download accepted quote' })).toBeDefined();
  });

  it('shows the hourly rate of an hourly job, and all its categories', async () => {
    openJob({ job_type: 'hourly', categories: [...JOB.categories, GAS] });
    await heading();
    expect(screen.getByText('Hourly, $85.00/hr')).toBeDefined();
    expect(screen.getByText('Drains, Gas')).toBeDefined();
  });

  it('with a fixed amount and items says which of them count', async () => {
    openJob({ items: [JOB_ITEM] });
    await heading();
    expect(screen.getByText('Fixed price $500.00 (replaced by the items below)')).toBeDefined();
  });

  it('leaves the one filled button to the timer while it is timed', async () => {
    openJob({ job_type: 'hourly', fixed_amount: null });
    await heading();
    expect(within(screen.getByRole('main')).queryByRole('link', { name: 'Payment' })).toBeNull();
    expect(screen.queryAllByRole('button', { name: 'Complete Job' }).length).toBeLessThanOrEqual(1);
  });

  it('is completed, and then paid for', async () => {
    openJob();
    await press('Complete Job');
    await waitForToasts('Job marked as completeUndo');
    await screen.findByText('Complete');
    expect(screen.queryByRole('button', { name: 'Complete Job' })).toBeNull();
    expect(await href('Payment')).toBe(`${PATH}/payment`);
  });

  it('completed with time that no item bills says so', async () => {
    openJob({ job_type: 'hourly', timer: { ...JOB.timer, finished_seconds: 9000, allocated_seconds: 3600 } });
    await press('Complete Job');
    await waitFor(() => expect(toastTexts().toSorted()).toEqual(['1h 30m not allocated yet.', 'Job marked as completeUndo']));
  });

  it('completed by mistake is taken back to the status it had', async () => {
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
    await press('Complete Job');
    await press('Undo');
    await waitForToasts('Job moved to Booked');
    expect(sent).toEqual([
      { status: 'complete', from: 'booked' },
      { status: 'booked', from: 'complete' },
    ]);
    await screen.findByRole('button', { name: 'Complete Job' });
  });

  it('that its payments make paid has no Undo', async () => {
    openJob({}, { [`PUT /jobs/${JOB.id}/status`]: () => ({ ...JOB, status: 'paid', clashes: [] }) });
    await press('Complete Job');
    await waitForToasts('Job marked as complete');
    expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull();
  });

  it('that cannot be completed says why', async () => {
    openJob({}, { [`PUT /jobs/${JOB.id}/status`]: () => refuse('FORBIDDEN', 'No') });
    await press('Complete Job');
    await waitForToasts('Failed to complete job: No');
    expect(screen.getByText('Booked')).toBeDefined();
  });

  it('that somebody else has canceled is not completed, but shown as it is now', async () => {
    const sent: unknown[] = [];
    const canceled = { ...JOB, status: 'canceled' as const, version: JOB.version + 1 };
    const { server } = openJob(
      {},
      {
        [`PUT /jobs/${JOB.id}/status`]: (input) => {
          sent.push(input);
          server.job = canceled;
          refuse('STALE_VERSION', 'Someone else has changed this record.', { current: canceled });
        },
      },
    );
    await press('Complete Job');
    await waitForToasts('Someone else has changed this job. It is canceled now.');
    expect(sent).toEqual([{ status: 'complete', from: 'booked' }]);
    await screen.findByText('Canceled');
    expect(screen.queryByRole('button', { name: 'Complete Job' })).toBeNull();
  });

  it.each(['accountant', 'staff'] as const)('is not edited by the role %s', async (role) => {
    openJob({}, {}, role);
    await heading();
    expect(screen.queryByRole('link', { name: 'Edit' })).toBeNull();
    expect(screen.queryByRole('button', { name: 'More actions' })).toBeNull();
    screen.getByRole('button', { name: 'Add Item' });
  });

  it('is edited by managers', async () => {
    openJob({}, {}, 'manager');
    expect(await href('Edit')).toBe(`${PATH}/edit`);
  });

  it('is deleted from its page after a question', async () => {
    const { path } = openJob(
      {},
      {
        [`DELETE /jobs/${JOB.id}`]: () => ({}),
        'GET /jobs/count': () => ({ total: 0 }),
        'GET /jobs?sort=created_at&order=desc': () => ({ rows: [], next_cursor: null }),
      },
    );
    await heading();
    await press('More actions');
    const item = await screen.findByRole('menuitem', { name: 'Delete' });
    await act(async () => fireEvent.click(item));
    const question = within(await screen.findByRole('alertdialog', { name: 'Delete job “Roof repair”?' }));
    await act(async () => fireEvent.click(question.getByRole('button', { name: 'Delete' })));
    await waitForToasts('Job deleted successfully');
    await waitFor(() => expect(path()).toBe('/jobs'));
  });

  it('that is not there says so', async () => {
    openJob({}, { [`GET /jobs/${JOB.id}`]: () => refuse('NOT_FOUND', 'Job not found') });
    await screen.findByRole('heading', { name: 'Job not found' });
    expect(await href('All jobs')).toBe('/jobs');
  });
});
