import type { Job } from '@callout/contract/jobs';
import { act, fireEvent, screen, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { ADMIN_USER, JOB, JOB_ITEM, PROFILE, QUOTE } from './fixtures.ts';
import { buildActiveTimer, buildHourlyJob, buildRunningEntry, freezeClock, getServerTime } from './mock-timer.ts';
import { clickByLabel, EDIT_JOB_PATH, openJobForm } from './open-job-form.ts';
import { type MockApi, openPage, pressButton, typeInto } from './open-page.tsx';
import { EDIT_QUOTE_PATH, openQuoteEditor } from './open-quote-editor.ts';

/** The company's own currency is NZD. It chose it after it had sent documents in euros, which older versions allowed. */
const EURO_JOB: Job = { ...JOB, currency: 'EUR', items: [JOB_ITEM] };
const TAP_ITEM = {
  id: 'item-1',
  name: 'Tap',
  sku: 'T-1',
  description: null,
  tax_inclusive: true,
  is_service: false,
  selling_price: '115.00',
  supplier: { id: 'supplier-1', company_name: 'Mico' },
  matched: null,
};

const setViewportWidth = (width: number) => window.happyDOM.setViewport({ width });
beforeEach(freezeClock);
afterEach(() => {
  vi.useRealTimers();
  setViewportWidth(1024);
  localStorage.clear();
});

function openJob(job: Job, path = `/jobs/${JOB.id}`, responses: MockApi = {}) {
  openPage(path, {
    'GET /me': () => ({ ...ADMIN_USER, profile: PROFILE }),
    'GET /timer': () => ({ timer: null, server_time: getServerTime() }),
    [`GET /jobs/${JOB.id}`]: () => job,
    'GET /items/search': () => ({ rows: [TAP_ITEM], next_cursor: null }),
    ...responses,
  });
}

const getText = () => document.body.textContent;
const findDialog = async (name: string) => (await screen.findByRole('dialog', { name })).textContent;

it("shows a job's amounts and the form of its lines in the job's currency", async () => {
  openJob({ ...EURO_JOB, billed_amount: '90.00', paid_amount: '50.00', deposit_amount: '50.00' });
  await screen.findByRole('heading', { level: 1, name: JOB.title });
  expect(getText()).toContain('€');
  expect(getText()).not.toContain('$');
  await pressButton('Edit Tap');
  const sheet = await screen.findByRole('dialog', { name: 'Edit Item' });
  const discountType = await within(sheet).findByLabelText('Discount type');
  expect(sheet.textContent).toContain('€115.00');
  fireEvent.change(discountType, { target: { value: 'discount_amount' } });
  expect(sheet.textContent).not.toContain('$');
  expect(sheet.textContent.match(/€/g)).toHaveLength(3);
});

it("types a line in the job's currency", async () => {
  openJob(EURO_JOB);
  await pressButton('Add Item');
  const tab = await screen.findByRole('tab', { name: 'Type your own' });
  await act(async () => fireEvent.click(tab));
  const panel = await screen.findByRole('tabpanel', { name: 'Type your own' });
  typeInto('Unit price', '20');
  expect(panel.textContent).toContain('€20.00');
  expect(panel.textContent).not.toContain('$');
});

it("adds an item with its price in the job's currency", async () => {
  openJob(EURO_JOB, `/jobs/${JOB.id}/items/add`, { 'GET /me': () => ({ ...ADMIN_USER, profile: { ...PROFILE, role: 'staff' } }) });
  await pressButton(/^Tap/);
  const form = (await screen.findByRole('button', { name: 'Add Item' })).closest('form');
  expect(form?.textContent).toContain('at least €115.00');
  expect(form?.textContent).not.toContain('$');
});

it("edits a job in the job's currency", async () => {
  const { server } = openJobForm(EDIT_JOB_PATH);
  server.job = { ...EURO_JOB, job_type: 'hourly', fixed_amount: null };
  expect(await screen.findByText('Your default rate of €95.00/hr applies.')).toBeDefined();
  await clickByLabel('Paid');
  expect(await screen.findByText('Saving records a payment of €500.00 by bank transfer, today.')).toBeDefined();
  expect(getText()).not.toContain('$');
});

it("shows the time's cost and bills it in the job's currency", async () => {
  openJob({ ...buildHourlyJob({ finished_seconds: 5400, timer_status: 'paused' }), currency: 'EUR' });
  expect(await screen.findAllByText(/€127\.50/)).not.toHaveLength(0);
  await pressButton('Allocate');
  await findDialog('Allocate Time Cost');
  await pressButton(/^Bill as Labour at €85\.00/);
  expect((await findDialog('Allocate Time Cost')).match(/€/g)).toHaveLength(5);
  expect(getText()).not.toContain('$');
});

it.each([390, 1280])("shows the running timer's cost in its job's currency on other pages at %i px", async (width) => {
  setViewportWidth(width);
  const job = { ...buildHourlyJob({ timer_status: 'started', running: [buildRunningEntry(5400)] }), currency: 'EUR' };
  openJob(job, '/todo', { 'GET /timer': () => ({ timer: buildActiveTimer(job), server_time: getServerTime() }) });
  const timer = await screen.findByRole('region', { name: 'Timer' });
  expect(timer.textContent).toContain('€127.50');
});

it.each([1024, 1440])("edits a quote in the quote's currency at %i px", async (width) => {
  setViewportWidth(width);
  const { server } = openQuoteEditor(EDIT_QUOTE_PATH);
  const optional = QUOTE.sections.map((section) => ({ ...section, id: '018f0000-0000-7000-8000-0000000000d2', name: 'Second' }));
  server.quote = { ...QUOTE, currency: 'EUR', deposit_amount: '100.00', sections: [...QUOTE.sections, ...optional] };
  await screen.findByRole('heading', { level: 1 });
  expect(await screen.findAllByText('€460.00')).not.toHaveLength(0);
  expect(getText()).not.toContain('$');
});
