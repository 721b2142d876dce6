import {
  ACTIVE_JOB_STATUSES,
  formatJobNumber,
  isActiveStatus,
  JOB_NUMBERS_PER_MONTH,
  JOB_STATUSES,
  type JobStatus,
} from '@callout/domain/jobs/job';
import { calculateLineTotal } from '@callout/domain/money/money';
import { DAY_MS, HOUR_MS } from '@callout/domain/time/time-units';
import { type GeneratedCustomer, generateUuidV7 } from './customers.ts';
import { createRandomGenerator, type RandomGenerator } from './random.ts';
import { CUSTOMER_NOTES, JOB_LOCATIONS, JOB_OBJECTS, JOB_VERBS, LAST_NAMES } from './sample-words.ts';

/** The fields of a newly booked job that are the same in every measurement. */
export const NEW_JOB_DETAILS = {
  description: 'Leaking from the base.',
  duration: '2',
  use_alternate_address: false,
  address: null,
  status: 'pending',
  job_type: 'hourly',
  fixed_amount: null,
  hourly_rate: '95.00',
  hourly_rate_confirmed: false,
} as const;

interface GeneratedLine {
  readonly id: string;
  readonly job_id: string;
  readonly position: number;
  readonly name: string;
  readonly sku: string;
  readonly supplier_name: string;
  readonly tax_inclusive: boolean;
  readonly is_service: boolean;
  readonly quantity: string;
  readonly unit_price: string;
  readonly total_price: string;
}

interface GeneratedEntry {
  readonly id: string;
  readonly job_id: string;
  readonly job_number: string;
  readonly job_title: string;
  readonly staff_name: string;
  readonly started_at: string;
  readonly ended_at: string;
}

export interface GeneratedJob {
  readonly id: string;
  readonly job_number: string;
  readonly title: string;
  readonly description: string;
  readonly status: JobStatus;
  readonly job_type: 'fixed' | 'hourly';
  readonly fixed_amount: string | null;
  readonly hourly_rate: string | null;
  readonly booking_date: string;
  readonly duration: string;
  readonly address: string;
  readonly customer_id: string;
  readonly created_at: string;
  readonly lines: readonly GeneratedLine[];
  readonly entries: readonly GeneratedEntry[];
}

/** When the first job was created. The jobs that the benchmark adds later are created in a later month. */
const FIRST_CREATED_AT = Date.UTC(2023, 0, 2);
/** Must stay below the limit of 9,999 job numbers per month. */
const JOBS_PER_MONTH = 600;
const MONTH_MS = 28 * DAY_MS;
/** Makes 5,000 of the 20,000 jobs open. */
const OPEN_SHARE = 0.25;
const DONE_STATUSES = JOB_STATUSES.filter((status) => !isActiveStatus(status));

/** Generates realistic jobs for `customers`, oldest first. The same seed always gives the same jobs. */
export function generateJobs(seed: number, count: number, customers: readonly GeneratedCustomer[]): GeneratedJob[] {
  const random = createRandomGenerator(seed);
  return Array.from({ length: count }, (_, index) => generateJob(random, index, random.pick(customers)));
}

function generateJob(random: RandomGenerator, index: number, customer: GeneratedCustomer): GeneratedJob {
  const created = FIRST_CREATED_AT + Math.floor(((index / JOBS_PER_MONTH) * MONTH_MS) / 1000) * 1000;
  const created_at = new Date(created).toISOString();
  const job_number = formatJobNumber(created_at.slice(0, 10), index % JOB_NUMBERS_PER_MONTH);
  const isHourly = random.next() < 0.6;
  const id = generateUuidV7(created, random);
  const title = `${random.pickSkewed(JOB_VERBS)} ${random.pickSkewed(JOB_OBJECTS)} ${random.pick(JOB_LOCATIONS)}`;
  const booking = created + Math.floor(random.next() * 20) * DAY_MS;
  const lines = Array.from({ length: 1 + random.integerBelow(4) }, (_, position) => generateLine(random, id, position));
  const entry = { id: generateUuidV7(booking, random), job_id: id, job_number, job_title: title, staff_name: 'Office' };
  const started_at = new Date(booking).toISOString();
  const ended_at = new Date(booking + (1 + random.integerBelow(4)) * HOUR_MS).toISOString();
  return {
    id,
    job_number,
    title,
    description: `${random.pick(CUSTOMER_NOTES)} ${random.pickSkewed(LAST_NAMES)}`,
    status: random.pick(random.next() < OPEN_SHARE ? ACTIVE_JOB_STATUSES : DONE_STATUSES),
    job_type: isHourly ? 'hourly' : 'fixed',
    fixed_amount: isHourly ? null : '480.00',
    hourly_rate: isHourly ? '95.00' : null,
    booking_date: started_at,
    duration: '2',
    address: customer.address,
    customer_id: customer.id,
    created_at,
    lines,
    entries: isHourly ? [{ ...entry, started_at, ended_at }] : [],
  };
}

function generateLine(random: RandomGenerator, jobId: string, position: number): GeneratedLine {
  const quantity = String(1 + random.integerBelow(5));
  const unit_price = `${5 + random.integerBelow(400)}.${String(random.integerBelow(100)).padStart(2, '0')}`;
  return {
    id: generateUuidV7(FIRST_CREATED_AT + position, random),
    job_id: jobId,
    position,
    name: random.pickSkewed(JOB_OBJECTS),
    sku: `SKU-${random.integerBelow(1000)}`,
    supplier_name: 'Harbour Supplies',
    tax_inclusive: random.next() < 0.5,
    is_service: false,
    quantity,
    unit_price,
    total_price: calculateLineTotal(unit_price, quantity),
  };
}
