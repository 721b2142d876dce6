import type { BoardColumn } from '@callout/contract/board';
import type { JobRow } from '@callout/contract/jobs';
import { BOARD_STATUSES, type JobStatus } from '@callout/domain/jobs/job';
import { act, fireEvent, screen, within } from '@testing-library/react';
import { ADMIN_USER, DRAINS_CATEGORY, GAS_CATEGORY, JOB, JOB_PAGE_RESPONSES, SAM } from './fixtures.ts';
import { type MockApi, openPage, pressButton } from './open-page.tsx';

export const BOOKED_JOB: JobRow = { ...JOB, timer_status: 'started', matched: null };
export const UNASSIGNED_JOB: JobRow = {
  ...BOOKED_JOB,
  id: '018f0000-0000-7000-8000-0000000000f1',
  title: 'Blocked drain',
  job_number: 'J26030043',
  status: 'pending',
  customer: null,
  staff: null,
  booking_date: null,
  timer_status: null,
};

export function buildBoard(...rows: JobRow[]): { columns: BoardColumn[] } {
  const buildColumn = (status: JobStatus): BoardColumn => {
    const columnRows = rows.filter((row) => row.status === status);
    return { status, total: columnRows.length, rows: columnRows, next_cursor: null };
  };
  return { columns: BOARD_STATUSES.map(buildColumn) };
}

export const SET_JOB_STATUS_CALL = 'PUT /jobs/{id}/status';

export function openBoard(path: string, responses: MockApi = {}) {
  const opened = openPage(path, {
    'GET /me': () => ADMIN_USER,
    'GET /staff-names': () => ({ rows: [SAM] }),
    'GET /categories': () => ({ rows: [DRAINS_CATEGORY, GAS_CATEGORY] }),
    'GET /board': () => buildBoard(BOOKED_JOB, UNASSIGNED_JOB),
    [`GET /jobs/${JOB.id}`]: () => JOB,
    ...JOB_PAGE_RESPONSES,
    ...responses,
  });
  return { ...opened, search: () => opened.router.state.location.search };
}

/** Mocks a server that stores the status of the unassigned job and records each status change it receives. */
export function mockBoard(onSetStatus?: () => never): { responses: MockApi; requests: unknown[]; set: (status: JobStatus) => void } {
  const job = { status: 'pending' as JobStatus };
  const requests: unknown[] = [];
  const setStatus = (input: unknown) => {
    requests.push(input);
    onSetStatus?.();
    job.status = (input as { status: JobStatus }).status;
    return { ...JOB, ...UNASSIGNED_JOB, clashes: [], status: job.status };
  };
  return {
    responses: { 'GET /board': () => buildBoard(BOOKED_JOB, { ...UNASSIGNED_JOB, status: job.status }), [SET_JOB_STATUS_CALL]: setStatus },
    requests: requests,
    set: (status) => {
      job.status = status;
    },
  };
}

export const getColumnHeadings = () => screen.getAllByRole('heading', { level: 2 }).map(({ textContent }) => textContent);
export const getColumn = (name: string) => within(screen.getByRole('region', { name: new RegExp(`^${name}`) }));
export const getCardTitles = (name: string) =>
  getColumn(name)
    .queryAllByRole('link')
    .map((card) => card.querySelector('span span:not([aria-hidden])')?.textContent);

export async function moveJobByMenu(title: string, to: string): Promise<void> {
  await pressButton(`Move ${title} to…`);
  const item = await screen.findByRole('menuitem', { name: `Move to ${to}` });
  await act(async () => fireEvent.click(item));
}
