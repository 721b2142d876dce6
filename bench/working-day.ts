import { randomUUID } from 'node:crypto';
import type { ContractInputs } from '@callout/contract/contract';
import { DAY_MS } from '@callout/domain/time/time-units';
import { formatHttpRequest } from './http-connection.ts';
import { NEW_JOB_DETAILS } from './jobs.ts';
import type { RandomGenerator } from './random.ts';

export interface Firm {
  readonly people: readonly string[];
  /** One signed-in session per person. The first two people work in the office. */
  readonly cookies: readonly string[];
  readonly customers: readonly string[];
  /** Jobs that aren't finished. */
  readonly jobs: readonly string[];
  readonly quotes: readonly string[];
  readonly public_paths: readonly string[];
}

const OFFICE_PEOPLE = 2;

/** When the seeded jobs begin. They cover little more than four weeks, so a week is a busy one. */
const FIRST_DAY = Date.UTC(2023, 0, 2);
const WEEK_COUNT = 4;

interface DayRequest {
  readonly method: 'GET' | 'POST' | 'PUT';
  readonly path: string;
  readonly body?: object;
}

interface DayCall {
  readonly title: string;
  /** How many of 1,000 calls are this one. */
  readonly weight: number;
  /** Office: only people who see money make it. Public: a customer makes it without signing in. */
  readonly by: 'anyone' | 'office' | 'public';
  readonly build: (firm: Firm, random: RandomGenerator) => DayRequest;
}

const read = (
  title: string,
  weight: number,
  path: string | ((firm: Firm, random: RandomGenerator) => string),
  by: DayCall['by'] = 'anyone',
) =>
  ({
    title,
    weight,
    by,
    build: (firm, random) => ({ method: 'GET', path: typeof path === 'string' ? path : path(firm, random) }),
  }) satisfies DayCall;

const buildWeekPath = (_: Firm, random: RandomGenerator) => {
  const from = FIRST_DAY + random.integerBelow(WEEK_COUNT) * 7 * DAY_MS;
  return `/api/calendar?${new URLSearchParams({ from: new Date(from).toISOString(), to: new Date(from + 7 * DAY_MS).toISOString() })}`;
};

const buildTimeSheetPath = (_: Firm, random: RandomGenerator) =>
  `/api/time-sheet?week=${new Date(FIRST_DAY + random.integerBelow(WEEK_COUNT) * 7 * DAY_MS).toISOString().slice(0, 10)}`;

const JOB_SEARCHES = ['cylinder', 'radiator upstairs', 'J2301', 'gas', 'repair'];
const CUSTOMER_SEARCHES = ['smith', 'john', 'wil', 'queen street', '021'];

/** The calls of ten people's working day, including those that pages repeat after a live update. */
export const WORKING_DAY: readonly DayCall[] = [
  read('person and company', 50, '/api/me'),
  read('running timer', 80, '/api/timer'),
  read('notifications', 60, '/api/notifications'),
  read('dashboard, counts', 30, '/api/dashboard/counts'),
  read('dashboard, recent jobs', 20, '/api/dashboard/jobs'),
  read('dashboard, categories', 20, '/api/dashboard/categories'),
  read('dashboard, money', 10, '/api/dashboard/money', 'office'),
  read('jobs, first page', 90, '/api/jobs'),
  read('jobs, search', 40, (_, random) => `/api/jobs?${new URLSearchParams({ search: random.pick(JOB_SEARCHES) })}`),
  read('one job', 130, ({ jobs }, random) => `/api/jobs/${random.pick(jobs)}`),
  read('comments of a job', 80, ({ jobs }, random) => `/api/comments?job_id=${random.pick(jobs)}`),
  read('board', 60, '/api/board'),
  read('calendar, a week', 80, buildWeekPath),
  read('tasks, first page', 20, '/api/tasks'),
  read('time sheet, a week', 15, buildTimeSheetPath),
  read('customers, first page', 20, '/api/customers', 'office'),
  read(
    'customers, search',
    20,
    (_, random) => `/api/customers?${new URLSearchParams({ search: random.pick(CUSTOMER_SEARCHES) })}`,
    'office',
  ),
  read('one customer', 20, ({ customers }, random) => `/api/customers/${random.pick(customers)}`, 'office'),
  read('quotes, first page', 10, '/api/quotes', 'office'),
  read('one quote', 15, ({ quotes }, random) => `/api/quotes/${random.pick(quotes)}`, 'office'),
  read('invoices, first page', 15, '/api/invoices', 'office'),
  read('invoices, sums', 10, '/api/invoices/summary', 'office'),
  read('price list, search', 5, '/api/items/search?search=boiler', 'office'),
  read('public quote or invoice', 10, (firm, random) => random.pick(firm.public_paths), 'public'),
  { title: 'start timer', weight: 20, by: 'anyone', build: buildTimerStart },
  { title: 'pause timer', weight: 20, by: 'anyone', build: buildTimerPause },
  { title: 'comment', weight: 25, by: 'anyone', build: buildComment },
  { title: 'set status', weight: 15, by: 'anyone', build: buildStatusChange },
  { title: 'create customer', weight: 5, by: 'office', build: buildNewCustomer },
  { title: 'create job', weight: 5, by: 'office', build: buildNewJob },
];

function buildTimerStart({ jobs }: Firm, random: RandomGenerator): DayRequest {
  const body: ContractInputs['timer']['start'] = { id: randomUUID(), job_id: random.pick(jobs), pause_others: true };
  return { method: 'POST', path: '/api/time-entries', body };
}

function buildTimerPause({ jobs }: Firm, random: RandomGenerator): DayRequest {
  const body: ContractInputs['timer']['pause'] = { job_id: random.pick(jobs) };
  return { method: 'POST', path: '/api/timer/pause', body };
}

function buildComment({ jobs }: Firm, random: RandomGenerator): DayRequest {
  const body: ContractInputs['comments']['add'] = { id: randomUUID(), job_id: random.pick(jobs), content: 'On my way, 20 minutes.' };
  return { method: 'POST', path: '/api/comments', body };
}

function buildStatusChange({ jobs }: Firm, random: RandomGenerator): DayRequest {
  const status = random.pick(['contacted', 'booked'] as const);
  return { method: 'PUT', path: `/api/jobs/${random.pick(jobs)}/status`, body: { status } };
}

function buildNewCustomer(_: Firm, random: RandomGenerator): DayRequest {
  const body: ContractInputs['customers']['create'] = {
    id: randomUUID(),
    name: `Alex Newcomer ${random.integerBelow(10_000)}`,
    email: 'alex.newcomer@example.com',
    phone: '021 555 0100',
    address: '12 Queen Street, Auckland',
    notes: null,
    type: 'individual',
    company_name: null,
    contact_name: null,
    contact_email: null,
    contact_phone: null,
    status: 'active',
  };
  return { method: 'POST', path: '/api/customers', body };
}

function buildNewJob({ customers, people }: Firm, random: RandomGenerator): DayRequest {
  const body: ContractInputs['jobs']['create'] = {
    id: randomUUID(),
    customer_id: random.pick(customers),
    title: 'Leaking cylinder',
    ...NEW_JOB_DETAILS,
    category_ids: [],
    staff_id: random.pick(people),
    booking_date: new Date(FIRST_DAY + random.integerBelow(WEEK_COUNT * 7) * DAY_MS).toISOString(),
  };
  return { method: 'POST', path: '/api/jobs', body };
}

const TOTAL_WEIGHT = WORKING_DAY.reduce((total, { weight }) => total + weight, 0);

export interface NextCall {
  readonly title: string;
  readonly request: Buffer;
}

/** Picks a firm, one of the calls of its day and a person who makes it. */
export function buildNextCall(firms: readonly Firm[], random: RandomGenerator): NextCall {
  let remaining = random.integerBelow(TOTAL_WEIGHT);
  const call = WORKING_DAY.find(({ weight }) => (remaining -= weight) < 0);
  if (!call) throw new Error('The working day has no calls');
  const firm = random.pick(firms);
  const { method, path, body } = call.build(firm, random);
  const person = random.integerBelow(call.by === 'office' ? OFFICE_PEOPLE : firm.cookies.length);
  const cookie = call.by === 'public' ? '' : (firm.cookies[person] ?? '');
  return { title: call.title, request: Buffer.from(formatHttpRequest(method, path, { cookie, encoding: 'br', body })) };
}
