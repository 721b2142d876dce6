import { createHash } from 'node:crypto';
import pg from 'pg';
import { createFailure } from '../errors/failures.ts';
import { getPerson } from './actor.ts';
import { getLateMadeAt } from './made-at.ts';
import type { Tenant } from './tenant-scope.ts';

/** A call that a person made with an idempotency key. */
export interface Command {
  /** A UUID made by the client. Other people may use the same one. */
  readonly key: string;
  /** The call's name, such as 'timer.start'. */
  readonly call: string;
  /** The input as it was sent, before validation, whose defaults may change between a request and its retry. */
  readonly input: unknown;
  /** Converts the handler's result into the answer that is sent, without the fields that only the server sees. */
  toAnswer(result: unknown): unknown;
}

/** Thrown instead of running a command again. The call guard returns the answer. */
export class StoredAnswer extends Error {
  override readonly name = 'StoredAnswer';
  readonly answer: unknown;

  constructor(answer: unknown) {
    super('The command has run before');
    this.answer = answer;
  }
}

/** Commands with one key run one after another. The lock's key is the 64-bit hash of this prefix, the person's id and the command's key. */
const COMMAND_LOCK_PREFIX = 'callout command ';

/**
 * Builds the statements that lock the command's key and read its answer. They are two statements because a statement doesn't see what was
 * committed while it waited for a lock. Without the lock, a second run could fail on what the first one has changed, such as a version.
 */
export function buildCommandLookup(companyId: string, userId: string, { key }: Command): string[] {
  const [user, id] = [pg.escapeLiteral(userId), pg.escapeLiteral(key)];
  return [
    `select pg_advisory_xact_lock(hashtextextended(${pg.escapeLiteral(`${COMMAND_LOCK_PREFIX}${userId} ${key}`)}, 0))`,
    `select call, encode(input_hash, 'hex') as input_hash, answer from commands
      where company_id = ${pg.escapeLiteral(companyId)} and user_id = ${user} and id = ${id}`,
  ];
}

interface CommandRow {
  readonly call: string;
  readonly input_hash: string;
  readonly answer: unknown;
}

/** Returns the answer of the command's first run, or null if it hasn't run. Throws if the key belongs to another command. */
export function findStoredAnswer(command: Command, found: pg.QueryResult<CommandRow> | undefined): StoredAnswer | null {
  const [row] = found?.rows ?? [];
  if (!row) return null;
  if (row.call !== command.call || row.input_hash !== hashInput(command.input)) throw createFailure('ID_TAKEN', KEY_TAKEN_MESSAGE);
  return new StoredAnswer(row.answer);
}

const KEY_TAKEN_MESSAGE = 'This Idempotency-Key was used for another request.';

/** Builds the statement that stores the answer. It is sent together with the commit, so it costs no round trip. */
export function buildStoreAnswer(tenant: Tenant, { key, call, input, toAnswer }: Command, result: unknown): string {
  const madeAt = getLateMadeAt(tenant);
  const { userId } = getPerson(tenant.actor);
  const values = [tenant.companyId, userId, key, call, `\\x${hashInput(input)}`, JSON.stringify(toAnswer(result)), tenant.now].map(
    (value) => pg.escapeLiteral(value),
  );
  return `insert into commands (company_id, user_id, id, call, input_hash, answer, created_at, made_at)
    values (${values.join(', ')}, ${madeAt === null ? 'null' : pg.escapeLiteral(madeAt)})`;
}

const hashInput = (input: unknown) => createHash('sha256').update(stringifySorted(input)).digest('hex');

/** Stringifies JSON with sorted keys, because a client may send the fields of a retry in another order. */
const stringifySorted = (input: unknown) =>
  JSON.stringify(input ?? null, (_key, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1)))
      : value,
  );

const COMMANDS_PER_BATCH = 5000;

/** Deletes the keys and answers of commands that are older than `days`. After that, their keys could be used again. */
export async function purgeCommands(pool: pg.Pool, days: number): Promise<void> {
  let deleted: number | null;
  do {
    ({ rowCount: deleted } = await pool.query(
      `delete from commands where ctid = any (array(
          select ctid from commands where created_at < now() - make_interval(days => $1) limit ${COMMANDS_PER_BATCH}))`,
      [days],
    ));
  } while (deleted === COMMANDS_PER_BATCH);
}
