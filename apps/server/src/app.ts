import type { Server } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { DAY_MS } from '@callout/domain/time/time-units';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { runNightlyBackup } from './backup/nightly-backup.ts';
import type { Config } from './config.ts';
import { adminHandlers, companyDeletionHandlers } from './features/admin/admin.handlers.ts';
import { checkStoredTotals, reportWrongTotals, reportWrongTotalsTask } from './features/admin/check-totals.ts';
import { removeAbandonedCompanies, removeClosedCompanies } from './features/admin/remove-company.ts';
import { authHandlers } from './features/auth/auth.handlers.ts';
import { passwordResetMailTask, sendPasswordResetMail } from './features/auth/reset-password.ts';
import { boardHandlers } from './features/board/board.handlers.ts';
import { calendarHandlers } from './features/calendar/calendar.handlers.ts';
import { registerCalendarFeedRoute } from './features/calendar/calendar-feed.route.ts';
import { changeJobStatus, changeTaskStatus } from './features/calendar/change-status.ts';
import { categoriesHandlers } from './features/categories/categories.handlers.ts';
import { commentsHandlers } from './features/comments/comments.handlers.ts';
import { companyHandlers } from './features/company/company.handlers.ts';
import { registerLogoRoute } from './features/company/logo.route.ts';
import { customersHandlers } from './features/customers/customers.handlers.ts';
import { dashboardHandlers } from './features/dashboard/dashboard.handlers.ts';
import { addUpCountChanges } from './features/dashboard/dashboard.sql.ts';
import { resumeDeletions, unlinkDeletedRecord, unlinkDeletedRecordTask } from './features/deletions/delete-record.ts';
import type { DocumentKind } from './features/documents/document-kind.ts';
import { recordDelivery } from './features/documents/record-delivery.ts';
import { queueReminders, sendReminder } from './features/documents/send-reminders.ts';
import { registerFileRoutes } from './features/files/files.route.ts';
import {
  createUnattachedFileSweep,
  removeCompanyFilesTask,
  removeFileTask,
  removeOrphanedBytes,
  sweepOrphanedBytes,
} from './features/files/remove-files.ts';
import { registerInvoiceCsvRoute } from './features/invoices/invoice-csv.route.ts';
import { createInvoicePdfMaker, registerInvoicePdfRoutes } from './features/invoices/invoice-pdf.route.ts';
import { invoicesHandlers, publicInvoicesHandlers } from './features/invoices/invoices.handlers.ts';
import { INVOICE_DOCUMENT } from './features/invoices/send-invoice.ts';
import { createJobStatusHandlers, jobsHandlers, jobViewsHandlers } from './features/jobs/jobs.handlers.ts';
import { repriceJobs, repriceJobsTask } from './features/jobs/reprice-jobs.ts';
import { updateJobSortKeys, updateJobSortKeysTask } from './features/jobs/update-job-sort-keys.ts';
import { notificationsHandlers } from './features/notifications/notifications.handlers.ts';
import { purgeNotifications } from './features/notifications/notifications.sql.ts';
import { completeEarlierPayments } from './features/payments/earlier-payments.sql.ts';
import { registerPaymentCsvRoute } from './features/payments/payment-csv.route.ts';
import { paymentsHandlers } from './features/payments/payments.handlers.ts';
import { registerPublicQuoteFileRoutes } from './features/quotes/public-quote-files.route.ts';
import { registerQuotePdfRoutes } from './features/quotes/quote-pdf.route.ts';
import { publicQuotesHandlers, quotesHandlers, sectionTemplatesHandlers } from './features/quotes/quotes.handlers.ts';
import { QUOTE_DOCUMENT } from './features/quotes/send-quote.ts';
import { registerAvatarRoutes } from './features/staff/avatar.route.ts';
import { recordInvitationDelivery, recordInvitationDeliveryTask } from './features/staff/send-invitation.ts';
import { staffHandlers } from './features/staff/staff.handlers.ts';
import { itemsHandlers, suppliersHandlers } from './features/suppliers/suppliers.handlers.ts';
import { createTaskStatusHandlers, tasksHandlers } from './features/tasks/tasks.handlers.ts';
import { timerHandlers } from './features/timer/timer.handlers.ts';
import { createAccountService } from './platform/auth/accounts.ts';
import { createDeviceCookie } from './platform/auth/device-cookie.ts';
import { createPasswordHasher, type PasswordHasher } from './platform/auth/password-hasher.ts';
import { purgeExpiredSessionsAndLinks } from './platform/auth/session.sql.ts';
import { createSessionCookie } from './platform/auth/session-cookie.ts';
import { warnIfAdminMissing } from './platform/auth/system-admin.ts';
import { purgeCommands } from './platform/db/commands.sql.ts';
import { runOutsideBackup } from './platform/db/locks.sql.ts';
import { type AllPools, createPools, type DatabaseLogins, FILE_WORKER_COUNT, MAIL_WORKER_COUNT } from './platform/db/pools.ts';
import { openFileStore } from './platform/files/create-file-store.ts';
import type { FileStore } from './platform/files/file-store.ts';
import { calls } from './platform/http/calls.ts';
import type { Platform } from './platform/http/platform.ts';
import { createRenderedPages } from './platform/http/rendered-pages.ts';
import { REQUEST_LIMITS, type RequestLimits } from './platform/http/request-limits.ts';
import { createServer, type RoutePlugin } from './platform/http/server.ts';
import { addServerMetrics } from './platform/http/server-metrics.ts';
import { purgeOldAttempts } from './platform/limits/rate-limit.sql.ts';
import { createLiveUpdates } from './platform/live/live.ts';
import { deleteOldMailTexts } from './platform/mail/outbox.sql.ts';
import { createMailer, sendMailTask } from './platform/mail/send-mail.ts';
import { createPdfRenderer, type PdfRenderer } from './platform/pdf/pdf-renderer.ts';
import { startQueue } from './platform/queue/queue.ts';
import { createTaskHandler, type ScheduledTask, type TaskHandler } from './platform/queue/task.ts';
import { startTelemetry, type Telemetry } from './platform/telemetry/telemetry.ts';

const router = calls.router({
  auth: authHandlers,
  company: { ...companyHandlers, ...companyDeletionHandlers },
  notifications: notificationsHandlers,
  staff: staffHandlers,
  categories: categoriesHandlers,
  customers: customersHandlers,
  suppliers: suppliersHandlers,
  items: itemsHandlers,
  jobs: { ...jobsHandlers, ...createJobStatusHandlers(changeJobStatus) },
  jobViews: jobViewsHandlers,
  timer: timerHandlers,
  board: boardHandlers,
  tasks: { ...tasksHandlers, ...createTaskStatusHandlers(changeTaskStatus) },
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
const featureRoutes: readonly RoutePlugin[] = [
  registerFileRoutes,
  registerLogoRoute,
  registerAvatarRoutes,
  registerPublicQuoteFileRoutes,
  registerQuotePdfRoutes,
  registerInvoicePdfRoutes,
  registerInvoiceCsvRoute,
  registerPaymentCsvRoute,
  registerCalendarFeedRoute,
];

function createTaskHandlers(platform: Platform, pools: AllPools): TaskHandler[] {
  const { config, appUrl } = platform;
  return [
    createTaskHandler(recordInvitationDeliveryTask, (report) => recordInvitationDelivery(platform, report)),
    ...createDocumentTaskHandlers(platform, QUOTE_DOCUMENT),
    ...createDocumentTaskHandlers(platform, INVOICE_DOCUMENT),
    createTaskHandler(passwordResetMailTask, ({ email }) => sendPasswordResetMail({ pool: pools.work, appUrl, config }, email)),
    createTaskHandler(updateJobSortKeysTask, (payload) => updateJobSortKeys(platform, payload)),
    createTaskHandler(repriceJobsTask, (batch) => repriceJobs(platform, batch)),
    createTaskHandler(unlinkDeletedRecordTask, (deletion) => unlinkDeletedRecord(pools.work, deletion)),
    createTaskHandler(reportWrongTotalsTask, reportWrongTotals),
  ];
}

/** These tasks wait for the file store, which may hang. */
function createFileTaskHandlers({ files }: Platform, pools: AllPools): TaskHandler[] {
  return [
    createTaskHandler(removeFileTask, ({ key }) =>
      runOutsideBackup(pools.work, async () => void (await removeOrphanedBytes({ files, pool: pools.work }, [key]))),
    ),
    createTaskHandler(removeCompanyFilesTask, ({ company_id }) => runOutsideBackup(pools.work, () => files.removeCompany(company_id))),
  ];
}

const createDocumentTaskHandlers = <Document>(platform: Platform, kind: DocumentKind<Document>): TaskHandler[] => [
  createTaskHandler(kind.deliveryTask, (report) => recordDelivery(platform, kind, report)),
  createTaskHandler(kind.reminderTask, (due) => sendReminder(platform, kind, due)),
];

/** Creates the scheduled tasks. A missed run is harmless, because expired data is ignored until it is purged. */
function createScheduledTasks({ pools, config, log, now }: Platform, { work }: AllPools): ScheduledTask[] {
  const { nightlyBackup } = config;
  const reminders = { pool: work, settings: config, now };
  return [
    { name: 'purge-ended-sessions', schedule: { minute: 7 }, run: () => purgeExpiredSessionsAndLinks(pools.system) },
    { name: 'resume-deletions', schedule: { minute: 12 }, run: () => resumeDeletions(work) },
    { name: 'add-up-counts', schedule: { minute: 2 }, run: () => addUpCountChanges(work) },
    { name: 'complete-payments', schedule: { minute: 57 }, run: (signal) => completeEarlierPayments(work, signal) },
    { name: 'purge-old-attempts', schedule: { minute: 17 }, run: () => purgeOldAttempts(pools.system) },
    { name: 'purge-notifications', schedule: { minute: 22 }, run: () => purgeNotifications(pools.system, config.retention) },
    { name: 'purge-commands', schedule: { minute: 37 }, run: () => purgeCommands(pools.system, config.retention.commandKeyDays) },
    {
      name: 'delete-old-mail-texts',
      schedule: { hour: 3, minute: 12 },
      run: () => deleteOldMailTexts(work, config.retention.mailTextDays),
    },
    { name: 'remind-quotes', schedule: { minute: 32 }, run: (signal) => queueReminders({ ...reminders, signal }, QUOTE_DOCUMENT) },
    { name: 'remind-invoices', schedule: { minute: 42 }, run: (signal) => queueReminders({ ...reminders, signal }, INVOICE_DOCUMENT) },
    {
      name: 'check-totals',
      schedule: { hour: 2, minute: 47 },
      run: (signal) => checkStoredTotals({ pools, pool: work, now, log, signal }),
    },
    { name: 'remove-unfinished-companies', schedule: { hour: 3, minute: 37 }, run: () => removeAbandonedCompanies(work) },
    { name: 'remove-closed-companies', schedule: { minute: 52 }, run: () => removeClosedCompanies(work, config.adminEmail) },
    ...(nightlyBackup
      ? [
          {
            name: 'nightly-backup',
            schedule: nightlyBackup.timeOfDay,
            run: (signal: AbortSignal) =>
              runNightlyBackup({ nightlyBackup, minFreeBytes: config.minFreeDiskBytes, environment: process.env, log, now, signal }),
          },
        ]
      : []),
  ];
}

function createScheduledFileTasks({ files, log, now }: Platform, { work }: AllPools): ScheduledTask[] {
  const getDayAgo = () => new Date(now().getTime() - DAY_MS);
  const sweepServices = { files, pool: work, log };
  const removeUnattached = createUnattachedFileSweep(sweepServices, () => performance.now());
  return [
    { name: 'discard-unfinished-uploads', schedule: { minute: 27 }, run: () => files.discardUploadsBefore(getDayAgo()) },
    { name: 'remove-unattached-files', schedule: { minute: 47 }, run: () => runOutsideBackup(work, () => removeUnattached(getDayAgo())) },
    {
      name: 'sweep-files',
      schedule: { hour: 4, minute: 7 },
      run: () => runOutsideBackup(work, () => sweepOrphanedBytes(sweepServices, getDayAgo())),
    },
  ];
}

export interface App {
  readonly server: FastifyInstance;
  readonly platform: Platform;
  /** Serves /metrics; null unless METRICS_PORT is set. */
  readonly metricsServer: Server | null;
  close(): Promise<void>;
}

export interface AppOptions {
  readonly config: Config;
  readonly logins: DatabaseLogins;
  readonly log: Logger;
  readonly now: () => Date;
  /** Replaces the database's clock as the time of calls. Only tests set it. */
  readonly callClock?: (() => Date) | undefined;
  /** Closed together with the server. Tests share a cheaper hasher to run faster. */
  readonly passwordHasher?: PasswordHasher | undefined;
  /** Closed together with the server. Tests share one renderer across servers. */
  readonly pdfRenderer?: PdfRenderer | undefined;
  /** How long a call waits for a database that refuses connections. Tests shorten it. */
  readonly maxOutageMs?: number | undefined;
  /** Tests override limits that would take too long to reach. */
  readonly requestLimits?: Partial<RequestLimits> | undefined;
  /** False in tests, which would otherwise depend on the minute in which they run. */
  readonly runsScheduledTasks?: boolean | undefined;
}

export async function createApp(options: AppOptions): Promise<App> {
  const { config, logins, log, runsScheduledTasks } = options;
  let isShuttingDown = false;
  let isClosed = false;
  const onError = (error: Error) => {
    // During a shutdown, the database may close a connection before the pool does, which needs no warning.
    if (!isClosed) log.warn({ part: 'database', reason: error.message }, 'Lost a database connection');
  };
  const files = await openFileStore(config, options.now, log);
  const pools = createPools(logins, config.databasePoolSize, onError, { ...config, maxOutageMs: options.maxOutageMs });
  const telemetry = await startTelemetry(config);
  await files.endKilledRestore().catch((error: unknown) => log.warn({ part: 'files', err: error }, 'The file store failed at startup'));
  const platform = createPlatform(options, pools, telemetry, files);
  const metricsServer = await startMeasuring(platform, pools);
  const limits = { ...REQUEST_LIMITS, ...options.requestLimits };
  const server = await createServer(platform, { router, featureRoutes, limits, isShuttingDown: () => isShuttingDown });
  await platform.live.started;
  const mailer = createMailer({
    pool: pools.work,
    log,
    settings: { ...config, appUrl: platform.appUrl },
    attachmentMakers: [createInvoicePdfMaker(platform)],
    telemetry,
  });
  const sendMail = createTaskHandler(sendMailTask, ({ id }, attempt) => mailer.sendQueuedMail(id, attempt));
  const queueOptions = { pool: pools.queue, log, telemetry, runsScheduledTasks };
  const queues = [
    await startQueue(queueOptions, createTaskHandlers(platform, pools), createScheduledTasks(platform, pools)),
    await startQueue({ ...queueOptions, workers: MAIL_WORKER_COUNT }, [sendMail], []),
    await startQueue(
      { ...queueOptions, workers: FILE_WORKER_COUNT },
      createFileTaskHandlers(platform, pools),
      createScheduledFileTasks(platform, pools),
    ),
  ];
  await warnIfAdminMissing(pools.system, config.adminEmail, log);
  return {
    server,
    platform,
    metricsServer,
    /** Shuts down gracefully: readiness fails first, then running calls and tasks finish before the database connections are closed. */
    async close() {
      isShuttingDown = true;
      await pause(config.shutdownDelayMs);
      await platform.live.stop();
      await closeServer(server);
      await Promise.all(queues.map((queue) => queue.stop()));
      mailer.close();
      await platform.pdfRenderer.close();
      await platform.passwordHasher.close();
      isClosed = true;
      metricsServer?.close();
      metricsServer?.closeAllConnections();
      await telemetry.stop();
      await pools.end();
    },
  };
}

/** Call this before the first statement, so that none is missed. */
async function startMeasuring({ telemetry: { metrics, tracing }, live, config }: Platform, pools: AllPools): Promise<Server | null> {
  for (const pool of [pools.app, pools.system, pools.work, pools.queue]) tracing?.traceStatements(pool);
  if (!metrics || config.metricsPort === undefined) return null;
  addServerMetrics(metrics, { pools, live });
  return metrics.listen(config.metricsPort, config.host);
}

const SHUTDOWN_TIMEOUT_MS = 10_000;
const IDLE_CHECK_INTERVAL_MS = 50;

/** Waits for running calls to finish. Closes idle connections immediately and hanging ones after `SHUTDOWN_TIMEOUT_MS`. */
async function closeServer(server: FastifyInstance): Promise<void> {
  const http = server.server;
  const idleCheck = setInterval(() => http.closeIdleConnections(), IDLE_CHECK_INTERVAL_MS);
  const forcedClose = setTimeout(() => http.closeAllConnections(), SHUTDOWN_TIMEOUT_MS);
  await server.close();
  clearInterval(idleCheck);
  clearTimeout(forcedClose);
}

/** Creates the services for calls, with only the pools that serve people, so that calls can't use up the queue's connections. */
function createPlatform(
  { config, logins, log, now, callClock, passwordHasher = createPasswordHasher(), pdfRenderer = createPdfRenderer() }: AppOptions,
  { app, system, probe }: AllPools,
  telemetry: Telemetry,
  files: FileStore,
): Platform {
  const appUrl = config.appUrl ?? `http://localhost:${config.port}`;
  const isHttps = appUrl.startsWith('https://');
  return {
    config,
    log,
    pools: { app, system, probe },
    live: createLiveUpdates(logins.callout_system, system, log, now),
    pdfRenderer: {
      ...pdfRenderer,
      render: (definition, tenant, input) =>
        telemetry.measureWork('pdf', definition.functionName, () => pdfRenderer.render(definition, tenant, input)),
    },
    telemetry,
    publicPages: createRenderedPages(),
    appUrl,
    now,
    callClock,
    sessionCookie: createSessionCookie(config.sessionSecrets, isHttps),
    deviceCookie: createDeviceCookie(config.sessionSecrets, isHttps),
    files,
    accounts: createAccountService({ pool: system, secret: config.sessionSecrets[0], appUrl, passwordHasher }),
    passwordHasher,
  };
}
