import type { RecordEvent } from '@callout/contract/comments';
import { act, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { setMyTimeZone } from '../src/lib/time-zone.ts';
import { INVOICE } from './billing-fixtures.ts';
import { ADMIN_STAFF_MEMBER, ADMIN_USER, CUSTOMER, JOB, QUOTE, QUOTE_ROW, SAM, SUPPLIER } from './fixtures.ts';
import { buildComment } from './open-comments.ts';
import { DASHBOARD_RESPONSES, type MockApi, openPage, pressButton } from './open-page.tsx';
import { INVOICED_BILLING, openPaymentPage } from './open-payment.ts';

/** 12:30 AM on April 1 in Auckland, the company's zone; March 31 on the server (UTC) and in Los Angeles, the browser's zone. */
const AFTER_MIDNIGHT = '2026-03-31T11:30:00.000Z';

beforeEach(() => {
  window.happyDOM.setViewport({ width: 1440 });
  vi.useFakeTimers({ now: Date.parse(AFTER_MIDNIGHT), toFake: ['Date'] });
  const options = { ...new Intl.DateTimeFormat().resolvedOptions(), timeZone: 'America/Los_Angeles' };
  vi.spyOn(Intl.DateTimeFormat.prototype, 'resolvedOptions').mockReturnValue(options);
});
afterEach(() => {
  window.happyDOM.setViewport({ width: 1024 });
  vi.restoreAllMocks();
  vi.useRealTimers();
});

const EVENT: RecordEvent = { id: 'event-1', at: '2026-01-31T11:30:00.000Z', made_at: null, who: 'Mia', action: 'created', changes: {} };
const INVITED = { ...ADMIN_STAFF_MEMBER, id: 'staff-2', status: 'invited', invited_at: AFTER_MIDNIGHT, delivery: 'delivered' } as const;
const BOOKED_ROW = { ...JOB, booking_date: AFTER_MIDNIGHT, matched: null };

/** Each page with its responses and a text in the company's zone. In the browser's zone, the text would name the day before. */
const PAGES: readonly [path: string, text: string | RegExp, responses: MockApi][] = [
  [
    '/staff/staff-2',
    'Apr 1, 2026 12:30 AM',
    {
      'GET /staff': () => ({ rows: [INVITED] }),
      'GET /staff/staff-2': () => INVITED,
      'GET /staff/staff-2/calendar-feed': () => ({ is_on: false, last_opened_at: null }),
      'GET /staff-colors': () => ({ rows: [] }),
    },
  ],
  [
    '/customers',
    /Apr 1, 2026/,
    {
      'GET /customers/count': () => ({ total: 1 }),
      'GET /customers?sort=name&order=asc': () => ({
        rows: [{ ...CUSTOMER, last_interaction: AFTER_MIDNIGHT, matched: null }],
        next_cursor: null,
      }),
    },
  ],
  [
    `/customers/${CUSTOMER.id}`,
    /Last interaction Apr 1, 2026 12:30 AM/,
    { 'GET /customers/{id}': () => ({ ...CUSTOMER, last_interaction: AFTER_MIDNIGHT }) },
  ],
  [
    `/jobs/${JOB.id}`,
    'Feb 1 12:30 AM',
    { 'GET /jobs/{id}': () => JOB, 'GET /jobs/{id}/history': () => ({ rows: [EVENT], next_cursor: null }) },
  ],
  [
    `/jobs/${JOB.id}`,
    'Apr 1, 2026 12:30 AM',
    { 'GET /jobs/{id}': () => JOB, 'GET /comments?job_id={id}': () => ({ rows: [buildComment({ created_at: AFTER_MIDNIGHT })] }) },
  ],
  [
    '/jobs',
    /Apr 1, 2026/,
    {
      'GET /jobs/count?*': () => ({ total: 1 }),
      'GET /jobs/count': () => ({ total: 1 }),
      'GET /jobs?*': () => ({ rows: [BOOKED_ROW], next_cursor: null }),
      'GET /categories': () => ({ rows: [] }),
      'GET /staff-names': () => ({ rows: [SAM] }),
    },
  ],
  [
    '/quotes',
    /Apr 1, 2026/,
    {
      'GET /quotes/count': () => ({ total: 1 }),
      'GET /quotes?*': () => ({ rows: [{ ...QUOTE_ROW, created_at: AFTER_MIDNIGHT }], next_cursor: null }),
    },
  ],
  [
    `/quotes/${QUOTE.id}`,
    /Apr 1, 2026/,
    {
      'GET /quotes/{id}': () => ({ ...QUOTE, created_at: AFTER_MIDNIGHT }),
      'GET /quotes/{id}/history': () => ({ rows: [], next_cursor: null }),
    },
  ],
  [
    `/items-services/suppliers/${SUPPLIER.id}`,
    /Added Apr 1, 2026/,
    {
      'GET /suppliers/{id}': () => ({ ...SUPPLIER, created_at: AFTER_MIDNIGHT }),
      'GET /items?*': () => ({ rows: [], next_cursor: null }),
    },
  ],
  ['/dashboard', 'Wednesday, April 1', { ...DASHBOARD_RESPONSES, 'GET /me': () => ({ ...ADMIN_USER, start_card_dismissed: true }) }],
];

it.each(PAGES)("%s shows its times in the company's zone and names it once", async (path, text, responses) => {
  openPage(path, { 'GET /me': () => ADMIN_USER, ...responses });
  await screen.findAllByText(text);
  expect(await screen.findAllByText('Times are in Auckland time')).toHaveLength(1);
  expect(document.body.textContent).not.toMatch(/Mar(ch)? 31|Jan 31/);
});

it("names the company's zone on the time sheet, even for a person who has chosen another one", async () => {
  setMyTimeZone('America/Los_Angeles');
  openPage('/time-sheet', {
    'GET /me': () => ADMIN_USER,
    'GET /staff-names': () => ({ rows: [SAM] }),
    'GET /time-sheet?week=2026-03-30': () => ({
      week: '2026-03-30',
      from: '2026-03-29T11:00:00.000Z',
      to: '2026-04-05T12:00:00.000Z',
      timezone: 'Pacific/Auckland',
      entries: [],
      server_time: AFTER_MIDNIGHT,
    }),
  });
  expect(await screen.findAllByText('Times are in Auckland time')).toHaveLength(1);
});

it('shows the times of all pages in the zone that the person has chosen', async () => {
  setMyTimeZone('America/Los_Angeles');
  openPage(`/jobs/${JOB.id}`, {
    'GET /me': () => ADMIN_USER,
    'GET /jobs/{id}': () => ({ ...JOB, booking_date: AFTER_MIDNIGHT }),
    'GET /comments?job_id={id}': () => ({ rows: [buildComment({ created_at: AFTER_MIDNIGHT })] }),
    'GET /jobs/{id}/history': () => ({ rows: [EVENT], next_cursor: null }),
  });
  await screen.findByText('Mar 31, 2026 4:30 AM');
  await screen.findByText('Jan 31 3:30 AM');
  screen.getByText('Times are in Los Angeles time');
  expect(document.body.textContent).not.toMatch(/Apr 1|Feb 1/);
});

/** Stores a zone and announces it, like another tab of the same browser in which the user chooses one. */
function chooseZoneInAnotherTab(zone: string): void {
  const key = 'callout-timezone';
  localStorage.setItem(key, JSON.stringify({ state: { companyZone: 'Pacific/Auckland', ownZone: zone }, version: 1 }));
  act(() => void window.dispatchEvent(new StorageEvent('storage', { key, newValue: localStorage.getItem(key) })));
}

it.each(PAGES.filter(([path]) => path !== '/dashboard'))(
  '%s follows a zone that is chosen in another tab',
  async (path, text, responses) => {
    openPage(path, { 'GET /me': () => ADMIN_USER, ...responses });
    await screen.findAllByText(text);
    chooseZoneInAnotherTab('America/Los_Angeles');
    await screen.findByText('Times are in Los Angeles time');
    expect(document.body.textContent).toMatch(/Mar 31|Jan 31/);
    expect(document.body.textContent).not.toMatch(/Apr 1|Feb 1/);
  },
);

it('dates the steps of a payment in the zone that the page names', async () => {
  openPaymentPage({ ...INVOICED_BILLING, invoice: { ...INVOICE, sent_at: AFTER_MIDNIGHT } });
  await screen.findByText('Invoice sent, Apr 1, 2026');
  chooseZoneInAnotherTab('America/Los_Angeles');
  expect(await screen.findByText('Invoice sent, Mar 31, 2026')).toBeDefined();
});

it("shows the time of a notification in the company's zone", async () => {
  openPage('/settings?tab=menu-order', {
    'GET /me': () => ADMIN_USER,
    'GET /notifications': () => ({
      rows: [{ id: 'n-1', message: 'Tama joined', type: 'success', read: true, created_at: AFTER_MIDNIGHT, data: {} }],
      unread: 0,
    }),
  });
  await pressButton('Notifications');
  await waitFor(() =>
    expect(document.querySelector(`time[datetime="${AFTER_MIDNIGHT}"]`)?.getAttribute('title')).toBe('Apr 1, 2026 12:30 AM'),
  );
});
