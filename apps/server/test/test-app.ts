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
import { createLog } from '../src/log.ts';
import { createPasswords, type Passwords } from '../src/platform/auth/accounts.ts';
import { deriveLogins } from '../src/platform/db/database-logins.ts';
import type { DatabaseConnection, DatabaseLogins } from '../src/platform/db/pools.ts';
import type { RequestLimits } from '../src/platform/http/request-limits.ts';
import { createPdfRenderer, type PdfRenderer } from '../src/platform/pdf/pdf-renderer.ts';
import { cleanUpAfterTests } from './clean-up.ts';
import { countDeadlocks, createDatabase, DATABASE_SECRET, dropDatabase, TEMPLATE } from './database.ts';

export interface TestApp {
  readonly app: App;
  readonly database: DatabaseConnection;
  readonly logins: DatabaseLogins;
  /** As the superuser, for what no application role may do. */
  readonly owner: pg.Pool;
  /** Every line the server has logged. */
  readonly logged: readonly string[];
  /** For a test that causes a deadlock on purpose: any other fails the file, although the server retries the command. */
  expectDeadlocks(): void;
  /** Calls the server in-process, over the same routes as a browser. */
  client(cookie?: string): ContractClient;
  request(method: HttpMethod, path: string, options?: RequestOptions): Promise<LightMyRequestResponse>;
}

export type HttpMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export interface RequestOptions {
  readonly cookie?: string | undefined;
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
}

interface TestAppOptions {
  /** One that exists, such as a restored one, instead of an empty one. */
  readonly database?: DatabaseConnection;
  /** The connection through which the server reaches its database. */
  readonly reach?: (database: DatabaseConnection) => DatabaseConnection | Promise<DatabaseConnection>;
  readonly requestLimits?: Partial<RequestLimits>;
  readonly passwords?: Passwords;
}

/** Argon2 as in production, at its lowest cost. */
const CHEAP_PASSWORDS = createPasswords({ memoryCost: 8, timeCost: 1, parallelism: 1 });

/** One for all servers of the process: starting its threads took longer than most tests that render something. They end with the process. */
const SHARED_PDF: PdfRenderer = { ...createPdfRenderer(), close: () => Promise.resolve() };

/** The whole server on a database of its own, gone when the tests of the file have ended. */
export async function startTestApp(
  environment: Record<string, string> = {},
  { database: existing, reach = (database) => database, requestLimits, passwords = CHEAP_PASSWORDS }: TestAppOptions = {},
): Promise<TestApp> {
  const name = existing?.database ?? `test_${randomUUID().replaceAll('-', '')}`;
  const postgres = inject('postgres');
  const database = existing ?? (await createDatabase(postgres, name, TEMPLATE));
  const dataDir = await mkdtemp(join(tmpdir(), 'callout-app-'));
  const logged: string[] = [];
  const config = readConfig({
    DATA_DIR: dataDir,
    PORT: '0',
    DATABASE_POOL: '8',
    LOG_LEVEL: 'info',
    APP_URL: 'http://localhost',
    ...environment,
  });
  const logins = deriveLogins(await reach(database), DATABASE_SECRET);
  const owner = new pg.Pool({ ...database, max: 2 });
  const created = await createApp({
    config,
    logins,
    log: createLog(config.logLevel, { write: (line) => void logged.push(line) }),
    now: () => new Date(),
    passwords,
    pdf: SHARED_PDF,
    requestLimits,
  });
  let closed: Promise<void> | undefined;
  // A test may have closed it already.
  const app: App = { ...created, close: () => (closed ??= created.close()) };
  await app.server.ready();
  let expectsDeadlocks = false;
  cleanUpAfterTests(async () => {
    await app.close();
    await owner.end();
    const deadlocks = await countDeadlocks(postgres, name);
    await dropDatabase(postgres, name);
    await rm(dataDir, { recursive: true, force: true });
    expect(deadlocks > 0, 'Deadlocks: two commands lock the same rows in a different order').toBe(expectsDeadlocks);
  });
  return {
    app,
    database,
    logins,
    owner,
    logged,
    expectDeadlocks: () => void (expectsDeadlocks = true),
    client: (cookie) => clientOf(app, cookie),
    request: (method, path, options) => requestOf(app, method, path, options),
  };
}

function requestOf(app: App, method: HttpMethod, path: string, options: RequestOptions = {}) {
  const headers = { ...options.headers, ...(options.cookie && { cookie: options.cookie }) };
  return app.server.inject({ method, url: path, headers, ...(options.body !== undefined && { payload: options.body as object }) });
}

function clientOf(app: App, cookie?: string): ContractClient {
  const link = new OpenAPILink(contract, {
    url: 'http://localhost/api',
    fetch: async (request) => {
      const body = await request.text();
      const answer = await app.server.inject({
        method: request.method as HttpMethod,
        url: request.url,
        headers: { ...Object.fromEntries(request.headers), ...(cookie && { cookie }) },
        ...(body && { payload: body }),
      });
      const headers = Object.entries(answer.headers).map(([name, value]) => [name, String(value)] as [string, string]);
      return new Response(answer.body, { status: answer.statusCode, headers });
    },
  });
  return createORPCClient<ContractRouterClient<Contract>>(link);
}
