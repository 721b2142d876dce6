import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import type { Config } from './config.ts';
import { adminHandlers } from './features/admin/admin.handlers.ts';
import { removeCompanyFiles } from './features/admin/remove-company.ts';
import { warnOfMissingAdmin } from './features/admin/warn-of-missing-admin.ts';
import { categoriesHandlers } from './features/categories/categories.handlers.ts';
import { companyHandlers } from './features/company/company.handlers.ts';
import { logoRoute } from './features/company/logo.route.ts';
import { customersHandlers } from './features/customers/customers.handlers.ts';
import { notificationsHandlers } from './features/notifications/notifications.handlers.ts';
import { avatarRoute } from './features/staff/avatar.route.ts';
import { staffHandlers } from './features/staff/staff.handlers.ts';
import { createAccounts } from './platform/auth/accounts.ts';
import { authHandlers } from './platform/auth/auth.handlers.ts';
import { afterPasswordReset, sendPasswordReset } from './platform/auth/password-reset.ts';
import { createSessionCookie } from './platform/auth/session-cookie.ts';
import { createPools, type DatabaseAddress } from './platform/db/pools.ts';
import { folderStore } from './platform/files/file-store.ts';
import { removeFile } from './platform/files/images.ts';
import { calls } from './platform/http/calls.ts';
import { createServer, type FeatureRoute } from './platform/http/server.ts';
import { createLive } from './platform/live/live.ts';
import { sendMail } from './platform/mail/send-mail.ts';
import type { Platform } from './platform/platform.ts';
import { startQueue } from './platform/queue/queue.ts';
import { startTidying } from './platform/queue/tidy.ts';

/** Everything that answers, put together: the handlers of every feature and every task of the queue. */
const router = calls.router({
  auth: authHandlers,
  company: companyHandlers,
  notifications: notificationsHandlers,
  staff: staffHandlers,
  categories: categoriesHandlers,
  customers: customersHandlers,
  admin: adminHandlers,
});
const tasks = [sendMail, sendPasswordReset, removeFile, removeCompanyFiles];
const routes: readonly FeatureRoute[] = [logoRoute, avatarRoute];

export interface App {
  readonly server: FastifyInstance;
  readonly platform: Platform;
  close(): Promise<void>;
}

export interface AppOptions {
  readonly config: Config;
  readonly database: DatabaseAddress;
  readonly log: Logger;
  readonly now: () => Date;
}

export async function createApp(options: AppOptions): Promise<App> {
  const platform = createPlatform(options);
  const server = await createServer(platform, router, routes);
  await platform.live.started;
  const queue = await startQueue(platform, tasks);
  const tidying = startTidying(platform);
  await warnOfMissingAdmin(platform);
  return {
    server,
    platform,
    /** In the order that loses nothing: no new calls, streams closed, work under way finished, then the connections. */
    async close() {
      tidying.stop();
      await platform.live.stop();
      await finishCalls(server);
      await queue.stop();
      await platform.pools.end();
    },
  };
}

const FINISH_WITHIN_MS = 10_000;
const LOOK_EVERY_MS = 50;

/** Calls under way may finish; a line that hangs, or is kept open for a next call, does not keep the server from stopping. */
async function finishCalls(server: FastifyInstance): Promise<void> {
  const http = server.server;
  const idle = setInterval(() => http.closeIdleConnections(), LOOK_EVERY_MS);
  const late = setTimeout(() => http.closeAllConnections(), FINISH_WITHIN_MS);
  await server.close();
  clearInterval(idle);
  clearTimeout(late);
}

function createPlatform({ config, database, log, now }: AppOptions): Platform {
  const appUrl = config.appUrl ?? `http://localhost:${config.port}`;
  const pools = createPools(database, config.databasePool, (error) =>
    log.warn({ part: 'database', reason: error.message }, 'A connection was lost'),
  );
  const live = createLive(database, pools.system, log, now);
  return {
    config,
    log,
    pools,
    live,
    appUrl,
    now,
    sessionCookie: createSessionCookie(config.sessionSecret, appUrl.startsWith('https://')),
    files: folderStore(join(config.dataDir, 'files'), randomUUID),
    accounts: createAccounts({
      pool: pools.system,
      secret: config.sessionSecret,
      appUrl,
      onPasswordReset: (user) => afterPasswordReset(pools.system, live, user),
    }),
  };
}
