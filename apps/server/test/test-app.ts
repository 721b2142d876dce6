import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Contract, type ContractClient, contract } from '@callout/contract/contract';
import { createORPCClient } from '@orpc/client';
import type { ContractRouterClient } from '@orpc/contract';
import { OpenAPILink } from '@orpc/openapi-client/fetch';
import type { LightMyRequestResponse } from 'fastify';
import pg from 'pg';
import { expect, inject } from 'vitest';
import { type App, createApp } from '../src/app.ts';
import { readConfig } from '../src/config.ts';
import { createLogger } from '../src/log.ts';
import { createPasswordHasher, type PasswordHasher } from '../src/platform/auth/password-hasher.ts';
import { createLogins, deriveLogins } from '../src/platform/db/database-logins.ts';
import type { DatabaseConnection, DatabaseLogins, Pools } from '../src/platform/db/pools.ts';
import type { RequestLimits } from '../src/platform/http/request-limits.ts';
import { createPdfRenderer, type PdfRenderer } from '../src/platform/pdf/pdf-renderer.ts';
import { cleanUpAfterTests } from './clean-up.ts';
import { countDeadlocks, createDatabase, DATABASE_SECRET, dropDatabase, TEMPLATE_DATABASE, withOwnerClient } from './database.ts';

export interface TestApp {
  readonly app: App;
  readonly database: DatabaseConnection;
  readonly logins: DatabaseLogins;
  /** Superuser connections, for statements that none of the application's roles may run. */
  readonly owner: pg.Pool;
  /** All lines that the server has logged so far. */
  readonly logLines: readonly string[];
  /** Call this in a test that causes a deadlock on purpose. Otherwise, a deadlock fails the test file even though the server retries. */
  expectDeadlocks(): void;
  /** Returns a typed client that calls the server in-process, through the same routes as a browser. */
  client(cookie?: string, headers?: Readonly<Record<string, string>>): ContractClient;
  request(method: HttpMethod, path: string, options?: RequestOptions): Promise<LightMyRequestResponse>;
}

export type HttpMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export interface RequestOptions {
  readonly cookie?: string | undefined;
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
}

interface TestAppOptions {
  /** An existing database, such as a restored one, to use instead of creating one. */
  readonly database?: DatabaseConnection;
  /** Whether another test server uses the same database, and drops it. */
  readonly isDatabaseShared?: boolean;
  /** Returns the connection that the server uses instead of `database`, such as a proxy to it. */
  readonly routeDatabase?: (database: DatabaseConnection) => DatabaseConnection | Promise<DatabaseConnection>;
  readonly requestLimits?: Partial<RequestLimits>;
  readonly maxOutageMs?: number;
  readonly passwordHasher?: PasswordHasher;
  /** The clock of the server's process. By default, it is also the time of calls, so that tests can set it. */
  readonly processClock?: () => Date;
  /** How long a statement may wait for a lock, instead of the default. */
  readonly lockTimeoutMs?: number;
}

/** Uses Argon2 as production does, but at the lowest cost, to keep the tests fast. Shared by all test servers and never closed. */
const FAST_PASSWORD_HASHER: PasswordHasher = {
  ...createPasswordHasher({ memoryCost: 8, timeCost: 1, parallelism: 1 }),
  close: () => Promise.resolve(),
};

/** Shared by all test servers and never closed: starting the renderer's threads takes longer than most tests that render a PDF. */
const SHARED_PDF_RENDERER: PdfRenderer = { ...createPdfRenderer(), close: () => Promise.resolve() };

/** Starts the whole server on a new database. After the file's tests, stops the server and drops the database. */
export async function startTestApp(environment: Record<string, string> = {}, appOptions: TestAppOptions = {}): Promise<TestApp> {
  const { database: existing, routeDatabase = (connection) => connection } = appOptions;
  const name = existing?.database ?? `test_${randomUUID().replaceAll('-', '')}`;
  const postgres = inject('postgres');
  const database = existing ?? (await createDatabase(postgres, name, TEMPLATE_DATABASE));
  const dataDir = await mkdtemp(join(tmpdir(), 'callout-app-'));
  const logLines: string[] = [];
  const config = readConfig({
    DATA_DIR: dataDir,
    PORT: '0',
    DATABASE_POOL: '8',
    LOG_LEVEL: 'info',
    APP_URL: 'http://localhost',
    ...environment,
  });
  const logins = deriveLogins({ owner: await routeDatabase(database) }, DATABASE_SECRET);
  await withOwnerClient(database, async (client) => {
    await createLogins(client, DATABASE_SECRET);
    const { lockTimeoutMs } = appOptions;
    if (lockTimeoutMs === undefined) return;
    for (const { user } of [logins.callout_app, logins.callout_system])
      await client.query(`alter role ${user} set lock_timeout = ${lockTimeoutMs}`);
  });
  const owner = new pg.Pool({ ...database, max: 2 });
  const createdApp = await createApp({
    config,
    logins,
    log: createLogger(config.logLevel, { write: (line) => void logLines.push(line) }),
    now: appOptions.processClock ?? (() => new Date()),
    callClock: appOptions.processClock ? undefined : () => new Date(),
    passwordHasher: appOptions.passwordHasher ?? FAST_PASSWORD_HASHER,
    pdfRenderer: SHARED_PDF_RENDERER,
    requestLimits: appOptions.requestLimits,
    maxOutageMs: appOptions.maxOutageMs,
    runsScheduledTasks: false,
  });
  let closing: Promise<void> | undefined;
  // Closes the app only once, even if a test has already closed it before the cleanup does.
  const app: App = { ...createdApp, close: () => (closing ??= createdApp.close()) };
  await app.server.ready();
  let expectsDeadlocks = false;
  cleanUpAfterTests(async () => {
    const leftovers = closing ? [] : await listSessionState(createdApp.platform.pools);
    await app.close();
    await owner.end();
    if (appOptions.isDatabaseShared) return rm(dataDir, { recursive: true, force: true });
    const deadlocks = await countDeadlocks(postgres, name);
    await dropDatabase(postgres, name);
    await rm(dataDir, { recursive: true, force: true });
    expect(leftovers, 'Settings, locks or channels stayed on a connection, which a pooler would give to another company').toEqual([]);
    expect(deadlocks > 0, 'Deadlock: two commands lock the same rows in a different order').toBe(expectsDeadlocks);
  });
  return {
    app,
    database,
    logins,
    owner,
    logLines,
    expectDeadlocks: () => void (expectsDeadlocks = true),
    client: (cookie, headers) => createClient(app, cookie, headers),
    request: (method, path, options) => sendRequest(app, method, path, options),
  };
}

/** Lists what the file's calls have left on a connection of each pool. */
async function listSessionState(pools: Pools): Promise<string[]> {
  const state = `select name || ' = ' || setting as left_over from pg_settings where source = 'session'
    union all select 'company ' || current_setting('app.company_id', true) where current_setting('app.company_id', true) <> ''
    union all select 'lock ' || objid from pg_locks where locktype = 'advisory' and pid = pg_backend_pid()
    union all select 'channel ' || pg_listening_channels()`;
  const results = await Promise.all([pools.app, pools.system].map((pool) => pool.query<{ left_over: string }>(state)));
  return results.flatMap(({ rows }) => rows.map(({ left_over }) => left_over));
}

function sendRequest(app: App, method: HttpMethod, path: string, options: RequestOptions = {}) {
  const headers = { ...options.headers, ...(options.cookie && { cookie: options.cookie }) };
  return app.server.inject({ method, url: path, headers, ...(options.body !== undefined && { payload: options.body as object }) });
}

function createClient(app: App, cookie?: string, headers: Readonly<Record<string, string>> = {}): ContractClient {
  const link = new OpenAPILink(contract, {
    url: 'http://localhost/api',
    fetch: async (request) => {
      const body = await request.text();
      const response = await app.server.inject({
        method: request.method as HttpMethod,
        url: request.url,
        headers: { ...Object.fromEntries(request.headers), ...headers, ...(cookie && { cookie }) },
        ...(body && { payload: body }),
      });
      const responseHeaders = Object.entries(response.headers).map(([name, value]) => [name, String(value)] as [string, string]);
      return new Response(response.body, { status: response.statusCode, headers: responseHeaders });
    },
  });
  return createORPCClient<ContractRouterClient<Contract>>(link);
}
