import type { Job } from '@callout/contract/jobs';
import { act, fireEvent, screen } from '@testing-library/react';
import { afterEach, beforeEach, vi } from 'vitest';
import { ADMIN_USER, CUSTOMER, DRAINS_CATEGORY, GAS_CATEGORY, JOB, JOB_PAGE_RESPONSES, MIA, PROFILE, SAM } from './fixtures.ts';
import { failWith, type MockApi, openPage, typeInto } from './open-page.tsx';

const ACTIVE_CUSTOMERS_CALL = 'GET /customers?status=active&sort=name&order=asc';
export const buildCustomerSearchCall = (term: string) => `GET /customers?search=${term}&status=active&sort=name&order=asc`;
export const EDIT_JOB_PATH = `/jobs/${JOB.id}/edit`;
export const clickByLabel = (label: string | RegExp) => act(async () => fireEvent.click(screen.getByLabelText(label)));
export const isChecked = (label: string | RegExp) => screen.getByLabelText<HTMLInputElement>(label).checked;

/** Sets the clock to April 5, 2026, in UTC, when it is already April 6 in Auckland. */
export function fakeToday(): void {
  beforeEach(() => {
    vi.useFakeTimers({ now: new Date('2026-04-05T20:30:00Z'), toFake: ['Date'] });
  });
  afterEach(() => vi.useRealTimers());
}

/** Opens the job form with all mock responses it needs. Saving succeeds unless `responses` says otherwise. */
export function openJobForm(path: string, responses: MockApi = {}) {
  const server = { job: JOB as Job | null, created: [] as unknown[], updated: [] as unknown[] };
  const page = openPage(path, {
    'GET /me': () => ({ ...ADMIN_USER, profile: { ...PROFILE, default_hourly_rate: '95.00' } }),
    'GET /staff-names': () => ({ rows: [SAM, MIA] }),
    'GET /categories': () => ({ rows: [DRAINS_CATEGORY, GAS_CATEGORY] }),
    [ACTIVE_CUSTOMERS_CALL]: () => ({ rows: [CUSTOMER], next_cursor: null }),
    [`GET /customers/${CUSTOMER.id}`]: () => CUSTOMER,
    'GET /customers/7': () => failWith('INVALID_INPUT', 'This is not a valid id'),
    'GET /jobs/count': () => ({ total: 0 }),
    'GET /jobs?sort=created_at&order=desc': () => ({ rows: [], next_cursor: null }),
    [`GET /jobs/${JOB.id}`]: () => server.job ?? failWith('NOT_FOUND', 'Job not found'),
    [`PUT /jobs/${JOB.id}`]: (input) => {
      server.updated.push(input);
      return { ...JOB, version: 2 };
    },
    'POST /jobs': (input) => {
      server.created.push(input);
      const { id } = input as Job;
      return { ...JOB, id };
    },
    ...JOB_PAGE_RESPONSES,
    ...responses,
  });
  return { ...page, server };
}

export async function fillJobForm() {
  await screen.findByRole('option', { name: 'Sam Leota' });
  typeInto('Title', 'Roof repair');
  typeInto('Description', 'Two tiles are missing.');
  typeInto('Assigned staff', SAM.id);
}
