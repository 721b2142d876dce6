import { setTimeout as pause } from 'node:timers/promises';
import type { JobStatus } from '@callout/domain/jobs/job';
import { findRunningPostgres } from '@callout/embedded-postgres/embedded-postgres';
import { findFreePort } from '@callout/embedded-postgres/endpoint';
import pg from 'pg';
import { EMBEDDED_DATABASE } from '../../apps/server/src/config.ts';
import { type ServerProcess, startServerProcess } from '../../apps/server/test/crash/server-process.ts';

/** A command that the server has accepted, in the order in which they were committed for each record. */
export interface AcceptedCommand {
  readonly position: number;
  readonly userId: string;
  readonly id: string;
  readonly call: string;
  /** Epoch milliseconds of the simulated day. */
  readonly arrivedAt: number;
}

export interface FieldServer {
  readonly port: number;
  readonly url: string;
  readonly database: pg.Client;
  killAndRestart(): Promise<void>;
  setClock(aheadMs: number): Promise<void>;
  listStatuses(): Promise<ReadonlyMap<string, JobStatus>>;
  listAccepted(afterPosition: number): Promise<AcceptedCommand[]>;
  stop(): Promise<void>;
}

const ENVIRONMENT = { LOG_LEVEL: 'error' };

/**
 * Calls take their time from the database, so its `now()` is replaced with one that a simulated day moves ahead. A trigger notes each accepted
 * command, because the answers of a person who is deleted are deleted, too.
 */
const SET_UP = `
  create schema field;
  grant usage on schema field to public;
  create table field.clock (ahead interval not null);
  insert into field.clock values ('0');
  grant select on field.clock to public;
  create function field.now() returns timestamptz language sql stable as
    'select pg_catalog.now() + ahead from field.clock';
  create table field.accepted (
    position bigint generated always as identity, user_id uuid, id uuid, call text, created_at timestamptz);
  create function field.note_command() returns trigger language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
    begin
      insert into field.accepted (user_id, id, call, created_at) values (new.user_id, new.id, new.call, new.created_at);
      return null;
    end $$;
  create trigger note_command after insert on public.commands for each row execute function field.note_command();
  do $$ declare login text; begin
    for login in select rolname from pg_roles where rolcanlogin and rolname ~ '^callout_(app|system)_' loop
      -- For this database, because each start of the server resets the settings for all databases.
      execute format('alter role %I in database %I set search_path = field, pg_catalog, public', login, current_database());
    end loop;
  end $$;`;

export async function startFieldServer(dataDir: string): Promise<FieldServer> {
  const port = await findFreePort();
  let server: ServerProcess = await startServerProcess(dataDir, port, ENVIRONMENT);
  const connection = await findRunningPostgres({ ...EMBEDDED_DATABASE, dataDir });
  const database = new pg.Client({ ...connection });
  await database.connect();
  await database.query(SET_UP);
  const killAndRestart = async () => {
    await server.kill();
    server = await startServerProcess(dataDir, port, ENVIRONMENT);
  };
  // Only new connections have the simulated clock.
  await killAndRestart();
  return {
    port,
    url: server.url,
    database,
    killAndRestart,
    async setClock(aheadMs) {
      await database.query('update field.clock set ahead = make_interval(secs => $1)', [aheadMs / 1000]);
    },
    async listStatuses() {
      const { rows } = await database.query<{ id: string; status: JobStatus }>('select id, status from jobs');
      return new Map(rows.map(({ id, status }) => [id, status]));
    },
    async listAccepted(afterPosition) {
      const { rows } = await database.query<{ position: string; user_id: string; id: string; call: string; created_at: Date }>(
        'select * from field.accepted where position > $1 order by position',
        [afterPosition],
      );
      return rows.map(({ position, user_id, created_at, ...row }) => ({
        ...row,
        position: Number(position),
        userId: user_id,
        arrivedAt: created_at.getTime(),
      }));
    },
    async stop() {
      await database.end();
      await server.stop();
    },
  };
}

/** Polls until the check succeeds. */
export async function waitUntil(what: string, check: () => boolean | Promise<boolean>, timeoutMs = 60_000): Promise<void> {
  const deadline = performance.now() + timeoutMs;
  while (!(await check())) {
    if (performance.now() > deadline) throw new Error(`Waited ${timeoutMs / 1000} s in vain until ${what}`);
    await pause(20);
  }
}
