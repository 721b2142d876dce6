import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import { EmbeddedPostgresError } from './embedded-error.ts';
import { processState } from './processes.ts';

/** Spells 'call' in ASCII; advisory locks share one number space per database. */
const LOCK = 0x63616c6c;
const LAST_BREATH_MS = 10_000;

/** Another Callout works on this data. Nothing was touched. */
export class AlreadyRunning extends EmbeddedPostgresError {
  override readonly name = 'AlreadyRunning';
  readonly pid: number | undefined;
  readonly url: string | undefined;

  constructor(dataDir: string, holder: LockHolder) {
    const who = holder.pid === undefined ? '' : ` (process ${holder.pid})`;
    super(`Callout is already running on the data in ${dataDir}${who}${holder.url ? `, at ${holder.url}` : ''}.`);
    this.pid = holder.pid;
    this.url = holder.url;
  }
}

interface LockHolder {
  readonly pid: number | undefined;
  readonly url: string | undefined;
}

/** The name under which a holder of the lock is seen by the others. PostgreSQL cuts it after 63 bytes. */
export function holderName(url?: string): string {
  return ['callout', process.pid, url].filter((part) => part !== undefined).join(' ');
}

/** Held by the connection for its life: when this process dies, however it dies, the database lets go of the lock. */
export async function takeInstanceLock(client: pg.Client, dataDir: string): Promise<void> {
  const giveUp = Date.now() + LAST_BREATH_MS;
  for (;;) {
    const { rows } = await client.query<{ taken: boolean }>('select pg_try_advisory_lock($1) as taken', [LOCK]);
    if (rows[0]?.taken) return;
    const holder = await lockHolder(client);
    // The database notices the end of a killed process a moment later.
    const dying = !holder || (holder.pid !== undefined && processState(holder.pid) !== 'running');
    if (!dying || Date.now() > giveUp) throw new AlreadyRunning(dataDir, holder ?? { pid: undefined, url: undefined });
    await pause(50);
  }
}

async function lockHolder(client: pg.Client): Promise<LockHolder | undefined> {
  const { rows } = await client.query<{ application_name: string }>(
    `select application_name from pg_stat_activity join pg_locks using (pid)
     where locktype = 'advisory' and granted and classid = 0 and objid = $1 and database = datid`,
    [LOCK],
  );
  const name = rows[0]?.application_name;
  if (name === undefined) return undefined;
  const [, pid, url] = /^callout (\d+)(?: (\S+))?/.exec(name) ?? [];
  return { pid: pid === undefined ? undefined : Number(pid), url };
}
