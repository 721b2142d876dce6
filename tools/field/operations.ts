import type { Customer, NewCustomer } from '@callout/contract/customers';
import type { Job, JobItem, NewJob } from '@callout/contract/jobs';
import type { NewTask, Task } from '@callout/contract/tasks';
import { calculateLinePrice } from '@callout/domain/jobs/line-price';
import type { addComment, CommentFile } from '../../apps/web/src/features/comments/comments.api.ts';
import type { createCustomer } from '../../apps/web/src/features/customers/customers.api.ts';
import type { createJob } from '../../apps/web/src/features/jobs/jobs.api.ts';
import type { addItems, changeQuantity, removeItem, setQuantity } from '../../apps/web/src/features/jobs/jobs-items.api.ts';
import type { setJobStatus } from '../../apps/web/src/features/jobs/jobs-status.api.ts';
import type { createTask, setTaskStatus } from '../../apps/web/src/features/tasks/tasks.api.ts';
import type { pauseTimer, startTimer } from '../../apps/web/src/features/timer/timer-commands.api.ts';
import type { CallName } from '../../apps/web/src/lib/commands/define-command.ts';
import type { RandomGenerator } from '../../bench/random.ts';
import type { KnownJob, KnownRecords } from './known-records.ts';
import type { Person } from './tab.ts';

/** What a person knows when they press a button. */
export interface Situation {
  readonly random: RandomGenerator;
  readonly person: Person;
  readonly known: KnownRecords;
  readonly now: string;
  newId(): string;
}

export interface Press {
  readonly call: string;
  readonly variables: object;
  readonly files?: ReadonlyMap<string, ArrayBuffer>;
}

export interface Operation {
  /** How often it is chosen, compared with the others. */
  readonly weight: number;
  /** Builds the commands, in the order in which they are made. Returns none if there is nothing to do it with. */
  readonly press: (situation: Situation) => readonly Press[];
}

export type Variables<Definition> = Definition extends { readonly describe: (variables: infer Variable) => string } ? Variable : never;

/** A command of the page, by the type of its definition, such as `press<typeof startTimer>('timer.start', …)`. */
const press = <Definition extends { readonly call: CallName }>(
  call: Definition['call'],
  variables: Variables<Definition> & object,
): Press => ({
  call,
  variables,
});

const onJob = (build: (job: KnownJob, situation: Situation) => readonly Press[]) => (situation: Situation) => {
  const job = situation.known.pickJob(situation.random);
  return job ? build(job, situation) : [];
};

const onItem = (build: (item: { id: string; name: string }, job: KnownJob, situation: Situation) => readonly Press[]) =>
  onJob((job, situation) => {
    if (job.items.length === 0) return [];
    return build(situation.random.pick(job.items), job, situation);
  });

const onTask = (build: (task: Task, situation: Situation) => readonly Press[]) => (situation: Situation) =>
  situation.known.tasks.length > 0 ? build(situation.random.pick(situation.known.tasks), situation) : [];

const NO_TIMER = {
  timer_status: null,
  finished_seconds: 0,
  running: [],
  allocated_seconds: 0,
  hourly_rate: '0',
  server_time: '2030-01-01T00:00:00.000Z',
} as const;

const toNamedJob = ({ id, job_number, title }: KnownJob) => ({ id, job_number, title });
const toTimedJob = (job: KnownJob) => ({
  ...toNamedJob(job),
  job_type: 'hourly' as const,
  currency: 'NZD',
  duration: null,
  timer: { ...NO_TIMER, running: [] },
});

const BOARD_MOVES = ['pending', 'contacted', 'booked', 'booked', 'complete'] as const;

const PHOTO_SIZES = [300, 20_000, 120_000];
/** The beginning of a PDF, which needs no decoding, with random bytes up to the size. */
function buildFile({ random }: Situation): ArrayBuffer {
  const bytes = new Uint8Array(random.pick(PHOTO_SIZES)).map(() => random.integerBelow(256));
  bytes.set(new TextEncoder().encode('%PDF-1.7\n'));
  return bytes.buffer;
}

/** Everything that people do. Another line is all that a newly converted command needs, besides a check in `stored-effects.ts`. */
export const OPERATIONS: Readonly<Record<string, Operation>> = {
  'start timer': {
    weight: 10,
    press: onJob((job, { newId, person, now }) => [
      press<typeof startTimer>('timer.start', {
        job: toTimedJob(job),
        entry: { id: newId(), staff_id: person.staffId, staff_name: person.name, started_at: now },
        pauseOthers: true,
      }),
    ]),
  },
  'pause timer': {
    weight: 7,
    press: ({ known, now }) =>
      known.timedJob
        ? [press<typeof pauseTimer>('timer.pause', { job: toTimedJob(known.timedJob), entryId: known.timedJob.id, at: now })]
        : [],
  },
  'one more': {
    weight: 14,
    press: onItem(({ id, name }, job, { newId, random }) => [
      press<typeof changeQuantity>('jobs.changeQuantity', {
        job: toNamedJob(job),
        name,
        change: { id, by: random.next() < 0.8 ? 1 : -1 },
        requestId: newId(),
      }),
    ]),
  },
  'type quantity': {
    weight: 6,
    press: onItem(({ id, name }, job, { random }) => [
      press<typeof setQuantity>('jobs.setQuantity', { job: toNamedJob(job), name, change: { id, quantity: 5 + random.integerBelow(90) } }),
    ]),
  },
  'remove item': {
    weight: 1,
    press: onItem(({ id, name }, job) => [
      press<typeof removeItem>('jobs.removeItem', { job: toNamedJob(job), item: { id, name } as JobItem }),
    ]),
  },
  'add item': {
    weight: 8,
    press: onJob((job, { newId, random }) => [buildItems(job, newId(), `Pipe ${random.integerBelow(100)}`)]),
  },
  'move on the board': {
    weight: 5,
    press: onJob((job, { random }) => [
      press<typeof setJobStatus>('jobs.setStatus', { job: toNamedJob(job), from: job.status, status: random.pick(BOARD_MOVES) }),
    ]),
  },
  comment: {
    weight: 12,
    press: onJob((job, situation) => [buildComment(job, `It drips ${situation.random.integerBelow(1_000_000)}`, [], situation)]),
  },
  'comment with photo': {
    weight: 4,
    press: onJob((job, situation) => {
      const [id, bytes] = [situation.newId(), buildFile(situation)];
      const file = { id, name: 'leak.pdf', type: 'application/pdf', size: bytes.byteLength };
      const comment = buildComment(job, `See ${situation.random.integerBelow(1_000_000)}`, [file], situation);
      return [{ ...comment, files: new Map([[id, bytes]]) }];
    }),
  },
  'new customer': { weight: 2, press: ({ newId }) => [buildCustomer(newId())] },
  'new customer and job': {
    weight: 5,
    press: ({ newId, person, now }) => {
      const [customerId, id] = [newId(), newId()];
      const job: KnownJob = { id, job_number: 'New', title: `Job ${id}`, status: 'pending', items: [] };
      const details = { description: 'It drips.', category_ids: [] as string[], booking_date: now, duration: '1' };
      return [
        buildCustomer(customerId),
        press<typeof createJob>('jobs.create', {
          input: { id, customer_id: customerId, staff_id: person.staffId, job_type: 'hourly', title: job.title, ...details } as NewJob,
          record: { ...toNamedJob(job), status: job.status } as Job,
        }),
        buildItems(job, newId(), 'Tap'),
      ];
    },
  },
  'new task': {
    weight: 5,
    press: ({ newId, random }) => {
      const input = { id: newId(), title: `Call ${random.integerBelow(1_000_000)}` };
      return [press<typeof createTask>('tasks.create', { input: input as NewTask, record: { ...input, status: 'active' } as Task })];
    },
  },
  'task done': {
    weight: 6,
    press: onTask((task, { random }) => [
      press<typeof setTaskStatus>('tasks.setStatus', { task, status: random.pick(['active', 'completed'] as const) }),
    ]),
  },
};

function buildCustomer(id: string): Press {
  const contact = { email: `${id}@example.com`, phone: '021 555 0100', address: '1 Quay Street' };
  const input = { id, type: 'individual' as const, name: `Customer ${id}`, ...contact };
  return press<typeof createCustomer>('customers.create', {
    input: input as NewCustomer,
    record: { id, name: input.name, ...contact, version: 1 } as Customer,
  });
}

function buildItems(job: KnownJob, id: string, name: string): Press {
  const price = { unit_price: '12.50', discount_percent: null, discount_amount: null };
  const item = { id, name, ...price, quantity: '5', tax_inclusive: true, version: 1 };
  return press<typeof addItems>('jobs.addItems', {
    job: toNamedJob(job),
    input: { job_id: job.id, lines: [{ id, name, ...price, quantity: 5 }], fixed_price: 'replace' },
    items: [{ ...item, ...calculateLinePrice(item) } as JobItem],
    before: { status: job.status, total: '0', currency: 'NZD', hasItems: job.items.length > 0 },
  });
}

const buildComment = (job: KnownJob, content: string, files: readonly CommentFile[], { newId, person }: Situation): Press =>
  press<typeof addComment>('comments.add', {
    job: toNamedJob(job),
    comment: { id: newId(), content, mentions: [] },
    author: { staff_id: person.staffId, name: person.name, avatar_url: null, hex_code: null },
    files,
  });

const totalWeight = Object.values(OPERATIONS).reduce((sum, { weight }) => sum + weight, 0);

/** Picks an operation by weight. */
export function pickOperation(random: RandomGenerator): Operation {
  let left = random.next() * totalWeight;
  for (const operation of Object.values(OPERATIONS)) {
    left -= operation.weight;
    if (left < 0) return operation;
  }
  throw new Error('There are no operations');
}
