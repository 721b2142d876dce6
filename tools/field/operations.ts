import type { changeQuantity, removeItem, setQuantity } from '../../apps/web/src/features/jobs/jobs-items.api.ts';
import type { pauseTimer, startTimer } from '../../apps/web/src/features/timer/timer-commands.api.ts';
import type { CallInput, CallName } from '../../apps/web/src/lib/commands/define-command.ts';
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

type Variables<Definition> = Definition extends { readonly describe: (variables: infer Variable) => string } ? Variable : never;

/** A command of the page, by the type of its definition, such as `press<typeof startTimer>('timer.start', …)`. */
const press = <Definition extends { readonly call: CallName }>(
  call: Definition['call'],
  variables: Variables<Definition> & object,
): Press => ({
  call,
  variables,
});
/** A command whose variables are the call's input. */
const call = <Name extends CallName>(name: Name, input: CallInput<Name> & object): Press => ({ call: name, variables: input });

const onJob = (build: (job: KnownJob, situation: Situation) => readonly Press[]) => (situation: Situation) => {
  const job = situation.known.pickJob(situation.random);
  return job ? build(job, situation) : [];
};

const onItem = (build: (item: { id: string; name: string }, job: KnownJob, situation: Situation) => readonly Press[]) =>
  onJob((job, situation) => {
    if (job.items.length === 0) return [];
    return build(situation.random.pick(job.items), job, situation);
  });

const onTask = (build: (id: string, situation: Situation) => readonly Press[]) => (situation: Situation) =>
  situation.known.tasks.length > 0 ? build(situation.random.pick(situation.known.tasks), situation) : [];

const NO_TIMER = {
  timer_status: null,
  finished_seconds: 0,
  running: [],
  allocated_seconds: 0,
  hourly_rate: '0',
  server_time: '2030-01-01T00:00:00.000Z',
} as const;

const toTimedJob = (job: KnownJob) => ({
  ...job,
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
        job,
        name,
        change: { id, by: random.next() < 0.8 ? 1 : -1 },
        requestId: newId(),
      }),
    ]),
  },
  'type quantity': {
    weight: 6,
    press: onItem(({ id, name }, job, { random }) => [
      press<typeof setQuantity>('jobs.setQuantity', { job, name, change: { id, quantity: 5 + random.integerBelow(90) } }),
    ]),
  },
  'remove item': {
    weight: 1,
    press: onItem(({ id, name }, job) => [
      press<typeof removeItem>('jobs.removeItem', { job, item: { id, name } as Variables<typeof removeItem>['item'] }),
    ]),
  },
  'add item': {
    weight: 8,
    press: onJob((job, { newId, random }) => {
      const line = {
        id: newId(),
        name: `Pipe ${random.integerBelow(100)}`,
        unit_price: '12.50',
        quantity: 5,
        discount_percent: null,
        discount_amount: null,
      };
      return [call('jobs.addItems', { job_id: job.id, lines: [line], fixed_price: 'replace' })];
    }),
  },
  'move on the board': {
    weight: 5,
    press: onJob(({ id }, { random }) => [call('jobs.setStatus', { id, status: random.pick(BOARD_MOVES) })]),
  },
  comment: {
    weight: 12,
    press: onJob((job, { newId, random }) => [
      call('comments.add', { id: newId(), job_id: job.id, content: `It drips ${random.integerBelow(1_000_000)}`, file_ids: [] }),
    ]),
  },
  'comment with photo': {
    weight: 4,
    press: onJob((job, situation) => {
      const { newId, random } = situation;
      const fileId = newId();
      const upload = { id: fileId, name: 'leak.pdf', type: 'application/pdf' };
      return [
        { call: 'files.upload', variables: upload, files: new Map([[fileId, buildFile(situation)]]) },
        call('comments.add', { id: newId(), job_id: job.id, content: `See ${random.integerBelow(1_000_000)}`, file_ids: [fileId] }),
      ];
    }),
  },
  'new customer': { weight: 2, press: ({ newId }) => [buildCustomer(newId())] },
  'new customer and job': {
    weight: 5,
    press: ({ newId, person, now }) => {
      const [customerId, jobId] = [newId(), newId()];
      const details = { title: `Job ${jobId}`, description: 'It drips.', category_ids: [], booking_date: now, duration: '1' };
      const line = { id: newId(), name: 'Tap', unit_price: '80', quantity: 5, discount_percent: null, discount_amount: null };
      return [
        buildCustomer(customerId),
        call('jobs.create', {
          id: jobId,
          customer_id: customerId,
          staff_id: person.staffId,
          job_type: 'hourly',
          ...details,
        }),
        call('jobs.addItems', { job_id: jobId, lines: [line], fixed_price: 'replace' }),
      ];
    },
  },
  'new task': {
    weight: 5,
    press: ({ newId, random }) => [call('tasks.create', { id: newId(), title: `Call ${random.integerBelow(1_000_000)}` })],
  },
  'task done': {
    weight: 6,
    press: onTask((id, { random }) => [call('tasks.setStatus', { id, status: random.pick(['active', 'completed'] as const) })]),
  },
};

const buildCustomer = (id: string) =>
  call('customers.create', {
    id,
    type: 'individual',
    name: `Customer ${id}`,
    email: `${id}@example.com`,
    phone: '021 555 0100',
    address: '1 Quay Street',
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
