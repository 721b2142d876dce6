import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { DAY_MS } from '@callout/domain/time/time-units';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { runNightlyBackup } from './backup/nightly-backup.ts';
import type { Config } from './config.ts';
import { adminHandlers } from './features/admin/admin.handlers.ts';
import { removeUnfinishedCompanies } from './features/admin/remove-company.ts';
import { authHandlers } from './features/auth/auth.handlers.ts';
import { mailPasswordReset, sendPasswordReset } from './features/auth/reset-password.ts';
import { boardHandlers } from './features/board/board.handlers.ts';
import { calendarHandlers, statusHandlers } from './features/calendar/calendar.handlers.ts';
import { calendarFeedRoute } from './features/calendar/calendar-feed.route.ts';
import { categoriesHandlers } from './features/categories/categories.handlers.ts';
import { commentsHandlers } from './features/comments/comments.handlers.ts';
import { companyHandlers } from './features/company/company.handlers.ts';
import { logoRoute } from './features/company/logo.route.ts';
import { customersHandlers } from './features/customers/customers.handlers.ts';
import { dashboardHandlers } from './features/dashboard/dashboard.handlers.ts';
import { fileRoutes } from './features/files/files.route.ts';
import { createUnattachedSweep, removeBytes, removeCompanyFiles, removeFile, removeStrayBytes } from './features/files/remove-files.ts';
import { invoiceCsvRoute } from './features/invoices/invoice-csv.route.ts';
import { invoicePdfRoutes } from './features/invoices/invoice-pdf.route.ts';
import { invoicesHandlers, paymentsHandlers, publicInvoicesHandlers } from './features/invoices/invoices.handlers.ts';
import { invoicePdfMaker } from './features/invoices/make-invoice-pdf.ts';
import { recordInvoiceMail } from './features/invoices/record-invoice-mail.ts';
import { mailInvoiceReminder, remindInvoice, remindInvoices } from './features/invoices/remind-invoices.ts';
import { recordInvoiceDelivery } from './features/invoices/send-invoice.ts';
import { jobsHandlers } from './features/jobs/jobs.handlers.ts';
import { nameJobs, nameJobsOf } from './features/jobs/name-jobs.ts';
import { notificationsHandlers } from './features/notifications/notifications.handlers.ts';
import { purgeClearedNotifications } from './features/notifications/notifications.sql.ts';
import { publicQuoteFileRoutes } from './features/quotes/public-quote-files.route.ts';
import { quotePdfRoutes } from './features/quotes/quote-pdf.route.ts';
import { publicQuotesHandlers, quotesHandlers, sectionTemplatesHandlers } from './features/quotes/quotes.handlers.ts';
import { recordQuoteMail } from './features/quotes/record-quote-mail.ts';
import { mailReminder, remindQuote, remindQuotes } from './features/quotes/remind-quotes.ts';
import { recordQuoteDelivery } from './features/quotes/send-quote.ts';
import { avatarRoute } from './features/staff/avatar.route.ts';
import { recordDelivery, recordInvitationDelivery } from './features/staff/send-invitation.ts';
import { staffHandlers } from './features/staff/staff.handlers.ts';
import { itemsHandlers, suppliersHandlers } from './features/suppliers/suppliers.handlers.ts';
import { tasksHandlers } from './features/tasks/tasks.handlers.ts';
import { timerHandlers } from './features/timer/timer.handlers.ts';
import { createAccounts, createPasswords, type Passwords } from './platform/auth/accounts.ts';
import { createDeviceCookie } from './platform/auth/device-cookie.ts';
import { purgeEndedSessions } from './platform/auth/session.sql.ts';
import { createSessionCookie } from './platform/auth/session-cookie.ts';
import { warnOfMissingAdmin } from './platform/auth/system-admin.ts';
import { runOutsideBackup } from './platform/db/advisory-locks.ts';
import { type AllPools, createPools, type DatabaseLogins } from './platform/db/pools.ts';
import { folderStore } from './platform/files/file-store.ts';
import { calls } from './platform/http/calls.ts';
import type { Platform } from './platform/http/platform.ts';
import { REQUEST_LIMITS, type RequestLimits } from './platform/http/request-limits.ts';
import { createServer, type FeatureRoute } from './platform/http/server.ts';
import { purgeOldAttempts } from './platform/limits/rate-limit.sql.ts';
import { createLive } from './platform/live/live.ts';
import { sendMail, sendQueuedMail } from './platform/mail/send-mail.ts';
import { createPdfRenderer, type PdfRenderer } from './platform/pdf/pdf-renderer.ts';
import { startQueue } from './platform/queue/queue.ts';
import { handleTask, type ScheduledTask, type TaskHandler } from './platform/queue/task.ts';

/** The handlers of every feature. */
const router = calls.router({
  auth: authHandlers,
  company: companyHandlers,
  notifications: notificationsHandlers,
  staff: staffHandlers,
  categories: categoriesHandlers,
  customers: customersHandlers,
  suppliers: suppliersHandlers,
  items: itemsHandlers,
  jobs: { ...jobsHandlers, ...statusHandlers.jobs },
  timer: timerHandlers,
  board: boardHandlers,
  tasks: { ...tasksHandlers, ...statusHandlers.tasks },
  calendar: calendarHandlers,
  comments: commentsHandlers,
  quotes: quotesHandlers,
  sectionTemplates: sectionTemplatesHandlers,
  publicQuotes: publicQuotesHandlers,
  invoices: invoicesHandlers,
  payments: paymentsHandlers,
  publicInvoices: publicInvoicesHandlers,
  dashboard: dashboardHandlers,
  admin: adminHandlers,
});
const uploadRoutes: readonly FeatureRoute[] = [
  fileRoutes,
  logoRoute,
  avatarRoute,
  publicQuoteFileRoutes,
  quotePdfRoutes,
  invoicePdfRoutes,
  invoiceCsvRoute,
  calendarFeedRoute,
];

/** The queue's tasks, each handled by its feature. */
function taskHandlers(platform: Platform, pools: AllPools): TaskHandler[] {
  const { files, log, config, appUrl } = platform;
  const mail = { pool: pools.work, log, settings: { ...config, appUrl }, attachmentMakers: [invoicePdfMaker(platform)] };
  return [
    handleTask(sendMail, ({ id }, attempt) => sendQueuedMail(mail, id, attempt)),
    handleTask(recordInvitationDelivery, (report) => recordDelivery(platform, report)),
    handleTask(recordQuoteDelivery, (report) => recordQuoteMail(platform, report)),
    handleTask(remindQuote, (due) => mailReminder(platform, due)),
    handleTask(recordInvoiceDelivery, (report) => recordInvoiceMail(platform, report)),
    handleTask(remindInvoice, (due) => mailInvoiceReminder(platform, due)),
    handleTask(sendPasswordReset, ({ email }) => mailPasswordReset({ pool: pools.work, appUrl, config }, email)),
    handleTask(nameJobs, (renamed, attempt) => nameJobsOf(platform, renamed, attempt)),
    handleTask(removeFile, ({ key }) =>
      runOutsideBackup(pools.work, async () => void (await removeBytes({ files, pool: pools.work }, [key]))),
    ),
    handleTask(removeCompanyFiles, ({ company_id }) => runOutsideBackup(pools.work, () => files.removeAllOf(company_id))),
  ];
}

/** Scheduled tasks. Missing a run is harmless: expired data is already ignored. */
function scheduledTasks({ pools, files, config, log, now }: Platform, { work }: AllPools): ScheduledTask[] {
  const { nightlyBackup } = config;
  const dayAgo = () => new Date(now().getTime() - DAY_MS);
  const sweepParts = { files, pool: work, log };
  const removeUnattached = createUnattachedSweep(sweepParts, () => performance.now());
  return [
    { name: 'purge-ended-sessions', at: { minute: 7 }, run: () => purgeEndedSessions(pools.system) },
    { name: 'purge-old-attempts', at: { minute: 17 }, run: () => purgeOldAttempts(pools.system) },
    { name: 'purge-cleared-notifications', at: { minute: 22 }, run: () => purgeClearedNotifications(pools.system) },
    { name: 'discard-unfinished-uploads', at: { minute: 27 }, run: () => files.discardOlderThan(dayAgo()) },
    { name: 'remind-quotes', at: { minute: 32 }, run: (signal) => remindQuotes({ pool: work, settings: config, now, signal }) },
    { name: 'remind-invoices', at: { minute: 42 }, run: (signal) => remindInvoices({ pool: work, settings: config, now, signal }) },
    { name: 'remove-unfinished-companies', at: { hour: 3, minute: 37 }, run: () => removeUnfinishedCompanies(work) },
    { name: 'remove-unattached-files', at: { minute: 47 }, run: () => runOutsideBackup(work, () => removeUnattached(dayAgo())) },
    {
      name: 'sweep-files',
      at: { hour: 4, minute: 7 },
      run: () => runOutsideBackup(work, () => removeStrayBytes(sweepParts, dayAgo())),
    },
    ...(nightlyBackup
      ? [
          {
            name: 'nightly-backup',
            at: nightlyBackup.at,
            run: (signal: AbortSignal) =>
              runNightlyBackup({ nightlyBackup, minFreeBytes: config.minFreeDiskBytes, environment: process.env, log, now, signal }),
          },
        ]
      : []),
  ];
}

export interface App {
  readonly server: FastifyInstance;
  readonly platform: Platform;
  close(): Promise<void>;
}

export interface AppOptions {
  readonly config: Config;
  readonly logins: DatabaseLogins;
  readonly log: Logger;
  readonly now: () => Date;
  /** Cheaper to hash than the usual ones, for tests. */
  readonly passwords?: Passwords | undefined;
  /** Closed with the server. Tests give one that outlives it. */
  readonly pdf?: PdfRenderer | undefined;
  /** Other than the usual ones, for tests. */
  readonly requestLimits?: Partial<RequestLimits> | undefined;
}

export async function createApp(options: AppOptions): Promise<App> {
  const { config, logins, log } = options;
  let closed = false;
  const pools = createPools(logins, config.databasePool, (error) => {
    // When the server stops, the database may end a connection before its pool does.
    if (!closed) log.warn({ part: 'database', reason: error.message }, 'A connection was lost');
  });
  const platform = createPlatform(options, pools);
  const server = await createServer(platform, { router, uploadRoutes, limits: { ...REQUEST_LIMITS, ...options.requestLimits } });
  await platform.live.started;
  const queue = await startQueue({ pool: pools.queue, log }, taskHandlers(platform, pools), scheduledTasks(platform, pools));
  await warnOfMissingAdmin(pools.system, config.adminEmail, log);
  return {
    server,
    platform,
    /** Shuts down without losing anything: stop accepting calls, close streams, finish running work, then close connections. */
    async close() {
      await platform.live.stop();
      await finishCalls(server);
      await queue.stop();
      await platform.pdf.close();
      closed = true;
      await pools.end();
    },
  };
}

const SHUTDOWN_TIMEOUT_MS = 10_000;
const SHUTDOWN_POLL_MS = 50;

/** Running calls may finish; hanging or idle keep-alive connections do not delay shutdown. */
async function finishCalls(server: FastifyInstance): Promise<void> {
  const http = server.server;
  const idle = setInterval(() => http.closeIdleConnections(), SHUTDOWN_POLL_MS);
  const late = setTimeout(() => http.closeAllConnections(), SHUTDOWN_TIMEOUT_MS);
  await server.close();
  clearInterval(idle);
  clearTimeout(late);
}

/** Calls get the two pools that serve people, not those of the queue. */
function createPlatform(
  { config, logins, log, now, passwords = createPasswords(), pdf = createPdfRenderer() }: AppOptions,
  { app, system }: AllPools,
): Platform {
  const appUrl = config.appUrl ?? `http://localhost:${config.port}`;
  const https = appUrl.startsWith('https://');
  return {
    config,
    log,
    pools: { app, system },
    live: createLive(logins.callout_system, system, log, now),
    pdf,
    appUrl,
    now,
    sessionCookie: createSessionCookie(config.sessionSecret, https),
    deviceCookie: createDeviceCookie(config.sessionSecret, https),
    files: folderStore(join(config.dataDir, 'files'), randomUUID),
    accounts: createAccounts({ pool: system, secret: config.sessionSecret, appUrl, passwords }),
    passwords,
  };
}
