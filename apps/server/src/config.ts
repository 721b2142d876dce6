import { randomBytes } from 'node:crypto';
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { isIP, isIPv6 } from 'node:net';
import { join, resolve } from 'node:path';
import { isEmail } from '@callout/domain/validation/text-rules';
import type { EmbeddedPostgresError } from '@callout/embedded-postgres/errors';
import { z } from 'zod';
import { FILE_SETTINGS, type FilesConfig, listFileProblems, toFilesConfig } from './platform/files/file-settings.ts';

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
const MIN_SECRET_LENGTH = 32;

const urlSetting = (schemes: readonly string[], message: string) =>
  z.string().refine((text) => {
    const parsed = URL.parse(text);
    return parsed !== null && schemes.includes(parsed.protocol) && parsed.host !== '';
  }, message);

const databaseUrlSetting = urlSetting(['postgres:', 'postgresql:'], 'must be a URL like postgres://user:password@host:5432/database');

const MB = 1024 * 1024;
const megabytesSetting = (minimum: number) =>
  z
    .string()
    .regex(/^\d{1,9}$/, `must be a number of megabytes, at least ${minimum}`)
    .transform(Number)
    .refine((count) => count >= minimum, `must be a number of megabytes, at least ${minimum}`);

const daysSetting = z
  .string()
  .regex(/^[1-9]\d{0,3}$/, 'must be a number of days from 1 to 9999')
  .transform(Number);

/** One secret, or several with commas between them: the first is used for new things, and all are accepted. */
export type Secrets = readonly [string, ...string[]];

const parseSecrets = (text: string): Secrets => {
  const [first, ...rest] = text.split(',').map((secret) => secret.trim());
  return [first ?? '', ...rest];
};

const areLongEnough = (secrets: Secrets) => secrets.every((secret) => secret.length >= MIN_SECRET_LENGTH);

const secretsSetting = z
  .string()
  .transform(parseSecrets)
  .refine(areLongEnough, `must have at least ${MIN_SECRET_LENGTH} characters, also between commas`);

const flagSetting = z.enum(['0', '1'], 'must be 0 or 1').transform((text) => text === '1');

/** The number of proxies in front of the server, or the networks they are in. */
const proxiesSetting = z
  .string()
  .transform((text) => (/^\d{1,2}$/.test(text) ? Number(text) : text.split(',').map((network) => toNetwork(network.trim()))))
  .refine(
    (trusted) => typeof trusted === 'number' || trusted.every(isNetwork),
    'must be a number of proxies or a list of networks like 10.0.0.0/8, 192.168.1.5',
  );

/** Converts a single IP address to a network that contains only this address. Leaves other text unchanged. */
function toNetwork(text: string): string {
  return isIP(text) ? `${text}/${isIPv6(text) ? 128 : 32}` : text;
}

function isNetwork(text: string): boolean {
  const [address = '', prefix = '', ...rest] = text.split('/');
  const maxPrefix = isIPv6(address) ? 128 : 32;
  return isIP(address) !== 0 && /^[1-9]\d{0,2}$/.test(prefix) && Number(prefix) <= maxPrefix && rest.length === 0;
}

const portSetting = z
  .string()
  .regex(/^\d{1,5}$/, 'must be a port number from 0 to 65535')
  .transform(Number)
  .refine((port) => port <= 65_535, 'must be a port number from 0 to 65535');

const EnvironmentSchema = z.object({
  PORT: portSetting.default(3000),
  HOST: z.string().min(1).default('0.0.0.0'),
  DATA_DIR: z.string().min(1).default('./data'),
  DATABASE_URL: databaseUrlSetting.optional(),
  DATABASE_POOL_URL: databaseUrlSetting.optional(),
  DATABASE_SECRET: secretsSetting.optional(),
  DATABASE_NAMED_STATEMENTS: flagSetting.default(true),
  ...FILE_SETTINGS,
  FILE_QUOTA_MB: megabytesSetting(1).default(5000),
  MIN_FREE_DISK_MB: megabytesSetting(0).default(1000),
  DATABASE_POOL: z
    .string()
    .regex(/^\d{1,3}$/, 'must be a number of connections from 2 to 200')
    .transform(Number)
    .refine((size) => size >= 2 && size <= 200, 'must be a number of connections from 2 to 200')
    .default(12),
  APP_URL: urlSetting(['http:', 'https:'], 'must be a URL like https://work.example.com')
    .transform((text) => text.replace(/\/+$/, ''))
    .optional(),
  SESSION_SECRET: secretsSetting.optional(),
  SMTP_URL: urlSetting(['smtp:', 'smtps:'], 'must be a URL like smtp://user:password@host:587').optional(),
  MAIL_FROM: z
    .string()
    .regex(/^(?:[^<>\r\n]*<[^\s<>@,]+@[^\s<>@,]+>|[^\s<>@,]+@[^\s<>@,]+)$/, 'must be a sender like Callout <callout@example.com>')
    .optional(),
  ADMIN_EMAIL: z
    .string()
    .refine(isEmail, 'must be an email address')
    .transform((text) => text.toLowerCase())
    .optional(),
  TRUST_PROXY: proxiesSetting.default(0),
  LOG_LEVEL: z.enum(LOG_LEVELS, `must be one of ${LOG_LEVELS.join(', ')}`).default('info'),
  METRICS_PORT: portSetting.optional(),
  OTEL_EXPORTER_OTLP_ENDPOINT: urlSetting(['http:', 'https:'], 'must be a URL like http://localhost:4318').optional(),
  SHUTDOWN_DELAY_MS: z
    .string()
    .regex(/^\d{1,5}$/, 'must be a number of milliseconds up to 99999')
    .transform(Number)
    .default(0),
  DEMO: flagSetting.default(false),
  MAIL_TEXT_DAYS: daysSetting.default(365),
  READ_NOTIFICATION_DAYS: daysSetting.default(90),
  COMMAND_KEY_DAYS: daysSetting.default(30),
  BACKUP_DIR: z.string().min(1).optional(),
  BACKUP_KEEP: z
    .string()
    .regex(/^[1-9]\d{0,2}$/, 'must be a number of backups from 1 to 999')
    .transform(Number)
    .default(14),
  BACKUP_AT: z
    .string()
    .regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time like 02:30')
    .transform((time) => ({ hour: Number(time.slice(0, 2)), minute: Number(time.slice(3)) }))
    .default({ hour: 2, minute: 30 }),
});

/** The part of the configuration that backups and restores need. */
export interface DataConfig {
  readonly dataDir: string;
  readonly databaseUrl: string | undefined;
  readonly files: FilesConfig;
  /** If undefined, nightly backups are turned off. */
  readonly nightlyBackup: NightlyBackupConfig | undefined;
}

export interface NightlyBackupConfig {
  readonly dir: string;
  /** Number of backups to keep; older ones are deleted. */
  readonly keepCount: number;
  /** The time of day in UTC. */
  readonly timeOfDay: { readonly hour: number; readonly minute: number };
}

export interface Config extends DataConfig {
  readonly port: number;
  readonly host: string;
  /** Where calls connect instead of `databaseUrl`, such as PgBouncer. */
  readonly databasePoolUrl: string | undefined;
  readonly databasePoolSize: number;
  /** False if the connection pooler doesn't support prepared statements with names. */
  readonly usesNamedStatements: boolean;
  /** The passwords of the application's database logins are derived from these. */
  readonly databaseSecrets: Secrets;
  readonly fileQuotaBytes: number;
  /** Uploads are rejected if less disk space than this is free, so that the database doesn't run out of space. */
  readonly minFreeDiskBytes: number;
  /** The public URL of the app, used for links in emails. */
  readonly appUrl: string | undefined;
  /** These sign the cookies of sessions and devices. */
  readonly sessionSecrets: Secrets;
  readonly smtpUrl: string | undefined;
  readonly mailFrom: string;
  readonly adminEmail: string | undefined;
  /** The number of proxies in front of the server, or the networks they are in. */
  readonly trustProxy: number | readonly string[];
  readonly logLevel: (typeof LOG_LEVELS)[number];
  /** The port that serves metrics. If undefined, nothing is measured. */
  readonly metricsPort: number | undefined;
  /** The OpenTelemetry collector that receives traces. If undefined, nothing is traced. */
  readonly traceCollectorUrl: string | undefined;
  /** How long to keep serving calls after a signal to stop, so that load balancers notice first that the server is no longer ready. */
  readonly shutdownDelayMs: number;
  readonly isDemo: boolean;
  readonly retention: RetentionConfig;
}

/** How many days to keep data that nobody needs forever. Documents and history are never deleted. */
export interface RetentionConfig {
  /** Days from sending an email until its text is deleted. */
  readonly mailTextDays: number;
  readonly readNotificationDays: number;
  /** Days for which a command's id is kept, so that a retry has no effect. */
  readonly commandKeyDays: number;
}

/** Thrown with one line for each invalid or missing setting. */
export class ConfigError extends Error {
  readonly lines: readonly string[];
  constructor(lines: readonly string[]) {
    super(lines.join('\n'));
    this.lines = lines;
  }
}

export function readConfig(environment: Record<string, string | undefined>, workingDir = process.cwd()): Config {
  const values = parseEnvironment(environment, workingDir);
  const data = toDataConfig(values, workingDir);
  return {
    ...data,
    port: values.PORT,
    host: values.HOST,
    databasePoolUrl: values.DATABASE_POOL_URL,
    databasePoolSize: values.DATABASE_POOL,
    usesNamedStatements: values.DATABASE_NAMED_STATEMENTS,
    // Processes on several machines shared only SESSION_SECRET before there was a second secret.
    databaseSecrets: values.DATABASE_SECRET ?? values.SESSION_SECRET ?? readOrCreateSecrets(data.dataDir, 'database-secret'),
    fileQuotaBytes: values.FILE_QUOTA_MB * MB,
    minFreeDiskBytes: values.MIN_FREE_DISK_MB * MB,
    appUrl: values.APP_URL,
    sessionSecrets: values.SESSION_SECRET ?? readOrCreateSecrets(data.dataDir, 'session-secret'),
    smtpUrl: values.SMTP_URL,
    mailFrom: values.MAIL_FROM ?? 'Callout <callout@localhost>',
    adminEmail: values.ADMIN_EMAIL,
    trustProxy: values.TRUST_PROXY,
    logLevel: values.LOG_LEVEL,
    metricsPort: values.METRICS_PORT,
    traceCollectorUrl: values.OTEL_EXPORTER_OTLP_ENDPOINT,
    shutdownDelayMs: values.SHUTDOWN_DELAY_MS,
    isDemo: values.DEMO,
    retention: {
      mailTextDays: values.MAIL_TEXT_DAYS,
      readNotificationDays: values.READ_NOTIFICATION_DAYS,
      commandKeyDays: values.COMMAND_KEY_DAYS,
    },
  };
}

/** Reads part of the configuration. Unlike `readConfig`, never creates secrets, so nothing is written to disk. */
export function readDataConfig(environment: Record<string, string | undefined>, workingDir = process.cwd()): DataConfig {
  return toDataConfig(parseEnvironment(environment, workingDir), workingDir);
}

function parseEnvironment(environment: Record<string, string | undefined>, workingDir: string): z.output<typeof EnvironmentSchema> {
  const nonEmpty = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== undefined && value.trim() !== ''));
  const parsed = EnvironmentSchema.safeParse(nonEmpty);
  const problems = parsed.error?.issues.map((issue) => `${issue.path.join('.')} ${issue.message}`) ?? [];
  if (nonEmpty['DATABASE_POOL_URL'] && !nonEmpty['DATABASE_URL']) problems.push('DATABASE_URL is required when DATABASE_POOL_URL is set');
  if (nonEmpty['SMTP_URL'] && !nonEmpty['MAIL_FROM']) problems.push('MAIL_FROM is required when SMTP_URL is set');
  for (const name of ['SESSION_SECRET', 'DATABASE_SECRET'])
    if (environment[name] && nonEmpty[name] === undefined) problems.push(`${name} must not consist of spaces`);
  if (parsed.data?.METRICS_PORT && parsed.data.METRICS_PORT === parsed.data.PORT) problems.push('METRICS_PORT must differ from PORT');
  if (parsed.success) problems.push(...listFileProblems(parsed.data, resolve(workingDir, parsed.data.DATA_DIR)));
  if (!parsed.success || problems.length > 0) throw new ConfigError(problems);
  return parsed.data;
}

function toDataConfig(values: z.output<typeof EnvironmentSchema>, workingDir: string): DataConfig {
  const { BACKUP_DIR: dir, BACKUP_KEEP: keepCount, BACKUP_AT: timeOfDay } = values;
  const dataDir = resolve(workingDir, values.DATA_DIR);
  return {
    dataDir,
    databaseUrl: values.DATABASE_URL,
    files: toFilesConfig(values, dataDir),
    nightlyBackup: dir === undefined ? undefined : { dir: resolve(workingDir, dir), keepCount, timeOfDay },
  };
}

const LOSSES_BY_SECRET_FILE = {
  'session-secret': ' Everyone will have to sign in again.',
  'database-secret': '',
} as const;

/** Creates the secret on the first start and stores it in the data folder, so that sessions survive a restart. */
function readOrCreateSecrets(dataDir: string, name: keyof typeof LOSSES_BY_SECRET_FILE): Secrets {
  const path = join(dataDir, name);
  if (!existsSync(path)) createSecret(dataDir, path);
  const secrets = parseSecrets(readFileSync(path, 'utf8'));
  if (areLongEnough(secrets)) return secrets;
  throw new ConfigError([`The file ${path} in DATA_DIR is damaged. Delete it to create a new one.${LOSSES_BY_SECRET_FILE[name]}`]);
}

/** Writes the file atomically, because sessions could be forged with an incomplete secret. */
function createSecret(dataDir: string, path: string): void {
  const temporaryPath = `${path}.${randomBytes(6).toString('hex')}`;
  try {
    mkdirSync(dataDir, { recursive: true });
    writeFileSync(temporaryPath, randomBytes(MIN_SECRET_LENGTH).toString('base64url'), { flag: 'wx', mode: 0o600, flush: true });
    linkSync(temporaryPath, path);
  } catch (error) {
    const isCreatedByAnotherProcess = error instanceof Error && 'code' in error && error.code === 'EEXIST' && existsSync(path);
    if (!isCreatedByAnotherProcess) throw new ConfigError([`DATA_DIR ${dataDir} is not writable`]);
  } finally {
    if (existsSync(temporaryPath)) rmSync(temporaryPath);
  }
}

/** These names must never change, because existing data folders were created with them. */
export const EMBEDDED_DATABASE = { appName: 'Callout', superuser: 'callout', database: 'callout' } as const;

/** Hints that name the setting to change, which the embedded-postgres package doesn't know. */
const SETTING_HINTS_BY_PROBLEM = {
  'data-folder': ' Set DATA_DIR to use another folder.',
  'not-installed': ' Or set DATABASE_URL to use your own PostgreSQL server.',
  other: '',
} as const;

export function describeDatabaseError({ message, problem }: EmbeddedPostgresError): string {
  return message + SETTING_HINTS_BY_PROBLEM[problem];
}
