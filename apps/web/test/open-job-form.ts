import type { Job } from '@callout/contract/jobs';
import { act, fireEvent, screen } from '@testing-library/react';
import { afterEach, beforeEach, vi } from 'vitest';
import { type Answers, openPage, refuse, typeInto } from './open-page.tsx';
import { CUSTOMER, DRAINS, GAS, JOB, JOB_PARTS, MIA, OWNER, PROFILE, SAM } from './people.ts';

const ACTIVE = 'GET /customers?status=active&sort=name&order=asc';
export const found = (term: string) => `GET /customers?search=${term}&status=active&sort=name&order=asc`;
export const EDIT = `/jobs/${JOB.id}/edit`;
export const check = (label: string | RegExp) => act(async () => fireEvent.click(screen.getByLabelText(label)));
export const isChecked = (label: string | RegExp) => screen.getByLabelText<HTMLInputElement>(label).checked;

/** It is already April 6 in Auckland. */
export function fakeToday(): void {
  beforeEach(() => {
    // Already the 6th in Auckland.
    vi.useFakeTimers({ now: new Date('2026-04-05T20:30:00Z'), toFake: ['Date'] });
  });
  afterEach(() => vi.useRealTimers());
}

/** The form of a job with everything it reads, by default of a job that can be saved. */
export function open(path: string, more: Answers = {}) {
  const server = { job: JOB as Job | null, created: [] as unknown[], updated: [] as unknown[] };
  const page = openPage(path, {
    'GET /me': () => ({ ...OWNER, profile: { ...PROFILE, default_hourly_rate: '95.00' } }),
    'GET /staff-names': () => ({ rows: [SAM, MIA] }),
    'GET /categories': () => ({ rows: [DRAINS, GAS] }),
    [ACTIVE]: () => ({ rows: [CUSTOMER], next_cursor: null }),
    [`GET /customers/${CUSTOMER.id}`]: () => CUSTOMER,
    'GET /customers/7': () => refuse('INVALID_INPUT', 'This is not a valid id'),
    'GET /jobs/count': () => ({ total: 0 }),
    'GET /jobs?sort=created_at&order=desc': () => ({ rows: [], next_cursor: null }),
    [`GET /jobs/${JOB.id}`]: () => server.job ?? refuse('NOT_FOUND', 'Job not found'),
    [`PUT /jobs/${JOB.id}`]: (input) => {
      server.updated.push(input);
      return { ...JOB, version: 2 };
    },
    'POST /jobs': (input) => {
      server.created.push(input);
      const { id } = input as Job;
      return { ...JOB, id };
    },
    ...JOB_PARTS,
    ...more,
  });
  return { ...page, server };
}

export async function fill() {
  await screen.findByRole('option', { name: 'Sam Leota' });
  typeInto('Title', 'Roof repair');
  typeInto('Description', 'Two tiles are missing.');
  typeInto('Assigned staff', SAM.id);
}
