import { addToQuantity } from '@callout/domain/jobs/line-price';
import type pg from 'pg';
import { type AppliedCommand, type DayCommand, describe } from './end-of-day.ts';

interface Row {
  readonly id: string;
  readonly value: string;
}

/** What a table must contain: the value of each row, by id. */
type Expected = Map<string, string>;

/** Replays a command on what the table must contain. */
type Replay = (expected: Expected, input: never) => void;

interface Effect {
  /** Reads the ids and values of all rows. */
  readonly sql: string;
  readonly calls: Readonly<Record<string, Replay>>;
}

/** What each accepted command leaves in the database. Commands of one record are replayed in the order in which they were applied. */
const EFFECTS: Readonly<Record<string, Effect>> = {
  customers: {
    sql: 'select id, name as value from customers',
    calls: { 'customers.create': (expected, { id, name }: Record<string, string>) => expected.set(id ?? '', name ?? '') },
  },
  jobs: {
    sql: 'select id, title as value from jobs',
    calls: { 'jobs.create': (expected, { id, title }: Record<string, string>) => expected.set(id ?? '', title ?? '') },
  },
  comments: {
    sql: 'select id, content as value from job_comments',
    calls: { 'comments.add': (expected, { id, content }: Record<string, string>) => expected.set(id ?? '', content ?? '') },
  },
  'files of comments': {
    sql: `select f.id, c.content as value from files f join job_comments c on c.id = f.owner_id`,
    calls: {
      'comments.add': (expected, { file_ids, content }: { file_ids: string[]; content: string }) => {
        for (const id of file_ids) expected.set(id, content);
      },
    },
  },
  tasks: {
    sql: 'select id, status as value from tasks',
    calls: {
      'tasks.create': (expected, { id }: { id: string }) => expected.set(id, 'active'),
      'tasks.setStatus': (expected, { id, status }: { id: string; status: string }) => expected.set(id, status),
    },
  },
  items: {
    sql: 'select id, quantity::float8::text as value from job_items',
    calls: {
      'jobs.addItems': (expected, { lines }: { lines: { id: string; quantity: number }[] }) => {
        for (const { id, quantity } of lines) expected.set(id, String(quantity));
      },
      'jobs.setQuantity': (expected, { id, quantity }: { id: string; quantity: number }) => expected.set(id, String(quantity)),
      'jobs.changeQuantity': (expected, { id, by }: { id: string; by: 1 | -1 }) =>
        expected.set(id, String(Number(addToQuantity(expected.get(id) ?? '0', by)))),
      'jobs.removeItem': (expected, { id }: { id: string }) => expected.delete(id),
    },
  },
};

/** Compares the tables with what the accepted commands must have left in them. */
export async function findWrongEffects(
  database: pg.Client,
  applied: readonly AppliedCommand[],
  stored: ReadonlyMap<string, DayCommand>,
): Promise<string[]> {
  const violations: string[] = [];
  for (const [name, { sql, calls }] of Object.entries(EFFECTS)) {
    const expected: Expected = new Map();
    for (const { command } of applied) calls[command.call]?.(expected, command.input as never);
    const { rows } = await database.query<Row>(sql);
    const found = new Map(rows.map(({ id, value }) => [id, value]));
    for (const [id, value] of expected)
      if (found.get(id) !== value)
        violations.push(`${name}: ${id} is ${found.get(id)} instead of ${value}: ${describeChanges(id, stored)}`);
    for (const [id, value] of found) if (!expected.has(id)) violations.push(`${name}: ${id} (${value}) comes from no accepted command`);
  }
  return [...violations, ...(await findWrongStatuses(database, applied))];
}

const describeChanges = (id: string, stored: ReadonlyMap<string, DayCommand>) =>
  [...stored.values()]
    .filter(({ command }) => JSON.stringify(command.input).includes(id))
    .map(({ command, browser }) => `browser ${browser} ${describe(command)}`)
    .join(', ');

/** Adding items, for example, changes a status, too, so only jobs are compared that someone has moved last. */
async function findWrongStatuses(database: pg.Client, applied: readonly AppliedCommand[]): Promise<string[]> {
  const expected: Expected = new Map();
  for (const { command } of applied) {
    const { id, status } = command.input as { id: string; status: string };
    if (command.call === 'jobs.setStatus') expected.set(id, status);
  }
  const { rows } = await database.query<Row>('select id, status as value from jobs');
  return rows
    .filter(({ id, value }) => expected.has(id) && expected.get(id) !== value)
    .map(({ id, value }) => `jobs: ${id} is ${value} instead of ${expected.get(id)}`);
}
