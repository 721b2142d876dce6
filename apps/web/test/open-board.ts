import type { BoardColumn } from '@callout/contract/board';
import type { JobRow } from '@callout/contract/jobs';
import { BOARD_STATUSES, type JobStatus } from '@callout/domain/jobs/job';
import { act, fireEvent, screen, within } from '@testing-library/react';
import { type Answers, openPage, press } from './open-page.tsx';
import { DRAINS, GAS, JOB, JOB_PARTS, OWNER, SAM } from './people.ts';

export const ROW: JobRow = { ...JOB, timer_status: 'started', matched: null };
export const BARE: JobRow = {
  ...ROW,
  id: '018f0000-0000-7000-8000-0000000000f1',
  title: 'Blocked drain',
  job_number: 'J26030043',
  status: 'pending',
  customer: null,
  staff: null,
  booking_date: null,
  timer_status: null,
};

export function boardOf(...rows: JobRow[]): { columns: BoardColumn[] } {
  const columnOf = (status: JobStatus): BoardColumn => {
    const found = rows.filter((row) => row.status === status);
    return { status, total: found.length, rows: found, next_cursor: null };
  };
  return { columns: BOARD_STATUSES.map(columnOf) };
}

export const SET_STATUS = 'PUT /jobs/{id}/status';

export function openBoard(path: string, more: Answers = {}) {
  const opened = openPage(path, {
    'GET /me': () => OWNER,
    'GET /staff-names': () => ({ rows: [SAM] }),
    'GET /categories': () => ({ rows: [DRAINS, GAS] }),
    'GET /board': () => boardOf(ROW, BARE),
    [`GET /jobs/${JOB.id}`]: () => JOB,
    ...JOB_PARTS,
    ...more,
  });
  return { ...opened, search: () => opened.router.state.location.search };
}

/** A board on a server that carries moves out. */
export function playBoard(refused?: () => never): { answers: Answers; asked: unknown[]; set: (status: JobStatus) => void } {
  const job = { status: 'pending' as JobStatus };
  const asked: unknown[] = [];
  const setStatus = (input: unknown) => {
    asked.push(input);
    refused?.();
    job.status = (input as { status: JobStatus }).status;
    return { ...JOB, ...BARE, clashes: [], status: job.status };
  };
  return {
    answers: { 'GET /board': () => boardOf(ROW, { ...BARE, status: job.status }), [SET_STATUS]: setStatus },
    asked,
    set: (status) => {
      job.status = status;
    },
  };
}

export const columns = () => screen.getAllByRole('heading', { level: 2 }).map(({ textContent }) => textContent);
export const column = (name: string) => within(screen.getByRole('region', { name: new RegExp(`^${name}`) }));
export const titlesIn = (name: string) =>
  column(name)
    .queryAllByRole('link')
    .map((card) => card.querySelector('span span:not([aria-hidden])')?.textContent);

export async function moveByMenu(title: string, to: string): Promise<void> {
  await press(`Move ${title} to…`);
  const item = await screen.findByRole('menuitem', { name: `Move to ${to}` });
  await act(async () => fireEvent.click(item));
}
