import { randomBytes } from 'node:crypto';
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { isIP, isIPv6 } from 'node:net';
import { join, resolve } from 'node:path';
import { isEmail } from '@callout/domain/validation/text-rules';
import type { EmbeddedPostgresError } from '@callout/embedded-postgres/errors';
import { z } from 'zod';

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
const SECRET_MIN = 32;

const url = (schemes: readonly string[], message: string) =>
  z.string().refine((text) => {
    const parsed = URL.parse(text);
    return parsed !== null && schemes.includes(parsed.protocol) && parsed.host !== '';
  }, message);

const MB = 1024 * 1024;
const megabytes = (least: number) =>
  z
    .string()
    .regex(/^\d{1,9}$/, `must be a number of megabytes, at least ${least}`)
    .transform(Number)
    .refine((count) => count >= least, `must be a number of megabytes, at least ${least}`);

const flag = z.enum(['0', '1'], 'must be 0 or 1').transform((text) => text === '1');

/** How many proxies are in front of us, or the networks they are in. */
const proxies = z
  .string()
  .transform((text) => (/^\d{1,2}$/.test(text) ? Number(text) : text.split(',').map((network) => toNetwork(network.trim()))))
  .refine(
    (trusted) => typeof trusted === 'number' || trusted.every(isNetwork),
    'must be a number of proxies or a list of networks like 10.0.0.0/8, 192.168.1.5',
  );

/** A single address is a network of one. */
function toNetwork(text: string): string {
  return isIP(text) ? `${text}/${isIPv6(text) ? 128 : 32}` : text;
}

function isNetwork(text: string): boolean {
  const [address = '', prefix = '', ...rest] = text.split('/');
  const longest = isIPv6(address) ? 128 : 32;
  return isIP(address) !== 0 && /^[1-9]\d{0,2}$/.test(prefix) && Number(prefix) <= longest && rest.length === 0;
}

const Environment = z.object({
  PORT: z
    .string()
    .regex(/^\d{1,5}$/, 'must be a port number from 0 to 65535')
    .transform(Number)
    .refine((port) => port <= 65_535, 'must be a port number from 0 to 65535')
    .default(3000),
  HOST: z.string().min(1).default('0.0.0.0'),
  DATA_DIR: z.string().min(1).default('./data'),
  DATABASE_URL: url(['postgres:', 'postgresql:'], 'must be an address like postgres://user:password@host:5432/database').optional(),
  FILE_QUOTA_MB: megabytes(1).default(5000),
  MIN_FREE_DISK_MB: megabytes(0).default(1000),
  DATABASE_POOL: z
    .string()
    .regex(/^\d{1,3}$/, 'must be a number of connections from 2 to 200')
    .transform(Number)
    .refine((size) => size >= 2 && size <= 200, 'must be a number of connections from 2 to 200')
    .default(12),
  APP_URL: url(['http:', 'https:'], 'must be an address like https://work.example.com')
    .transform((text) => text.replace(/\/+$/, ''))
    .optional(),
  SESSION_SECRET: z.string().min(SECRET_MIN, `must have at least ${SECRET_MIN} characters`).optional(),
  SMTP_URL: url(['smtp:', 'smtps:'], 'must be an address like smtp://user:password@host:587').optional(),
  MAIL_FROM: z
    .string()
    .regex(/^(?:[^<>\r\n]*<[^\s<>@,]+@[^\s<>@,]+>|[^\s<>@,]+@[^\s<>@,]+)$/, 'must be a sender like Callout <callout@example.com>')
    .optional(),
  ADMIN_EMAIL: z
    .string()
    .refine(isEmail, 'must be an e-mail address')
    .transform((text) => text.toLowerCase())
    .optional(),
  TRUST_PROXY: proxies.default(0),
  LOG_LEVEL: z.enum(LOG_LEVELS, `must be one of ${LOG_LEVELS.join(', ')}`).default('info'),
  DEMO: flag.default(false),
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

/** Where data and backups are stored: all that backup and restore need. */
export interface DataConfig {
  readonly dataDir: string;
  readonly databaseUrl: string | undefined;
  /** Undefined: no nightly backup. */
  readonly nightlyBackup: NightlyBackupConfig | undefined;
}

export interface NightlyBackupConfig {
  readonly dir: string;
  /** How many backups are kept. */
  readonly keep: number;
  /** Time of day in UTC. */
  readonly at: { readonly hour: number; readonly minute: number };
}

export interface Config extends DataConfig {
  readonly port: number;
  readonly host: string;
  readonly databasePool: number;
  /** Storage quota per company. */
  readonly fileQuotaBytes: number;
  /** Uploads are refused below this, to leave space for the database. */
  readonly minFreeDiskBytes: number;
  /** The public URL of Callout, used in mailed links. */
  readonly appUrl: string | undefined;
  readonly sessionSecret: string;
  readonly smtpUrl: string | undefined;
  readonly mailFrom: string;
  readonly adminEmail: string | undefined;
  /** How many proxies are in front of us, or the networks they are in. */
  readonly trustProxy: number | readonly string[];
  readonly logLevel: (typeof LOG_LEVELS)[number];
  readonly demo: boolean;
}

/** Thrown with one line per invalid or missing value. */
export class ConfigError extends Error {
  readonly lines: readonly string[];
  constructor(lines: readonly string[]) {
    super(lines.join('\n'));
    this.lines = lines;
  }
}

export function readConfig(environment: Record<string, string | undefined>, workingDir = process.cwd()): Config {
  const values = parseEnvironment(environment);
  const data = dataConfigOf(values, workingDir);
  return {
    ...data,
    port: values.PORT,
    host: values.HOST,
    databasePool: values.DATABASE_POOL,
    fileQuotaBytes: values.FILE_QUOTA_MB * MB,
    minFreeDiskBytes: values.MIN_FREE_DISK_MB * MB,
    appUrl: values.APP_URL,
    sessionSecret: values.SESSION_SECRET ?? readOrCreateSecret(data.dataDir),
    smtpUrl: values.SMTP_URL,
    mailFrom: values.MAIL_FROM ?? 'Callout <callout@localhost>',
    adminEmail: values.ADMIN_EMAIL,
    trustProxy: values.TRUST_PROXY,
    logLevel: values.LOG_LEVEL,
    demo: values.DEMO,
  };
}

/** Makes no session secret, and so writes nothing. */
export function readDataConfig(environment: Record<string, string | undefined>, workingDir = process.cwd()): DataConfig {
  return dataConfigOf(parseEnvironment(environment), workingDir);
}

function parseEnvironment(environment: Record<string, string | undefined>): z.output<typeof Environment> {
  const filled = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== undefined && value.trim() !== ''));
  const parsed = Environment.safeParse(filled);
  const wrong = parsed.error?.issues.map((issue) => `${issue.path.join('.')} ${issue.message}`) ?? [];
  if (filled['SMTP_URL'] && !filled['MAIL_FROM']) wrong.push('MAIL_FROM is missing: with SMTP_URL every mail needs a sender');
  if (!parsed.success || wrong.length > 0) throw new ConfigError(wrong);
  return parsed.data;
}

function dataConfigOf(values: z.output<typeof Environment>, workingDir: string): DataConfig {
  const { BACKUP_DIR: dir, BACKUP_KEEP: keep, BACKUP_AT: at } = values;
  return {
    dataDir: resolve(workingDir, values.DATA_DIR),
    databaseUrl: values.DATABASE_URL,
    nightlyBackup: dir === undefined ? undefined : { dir: resolve(workingDir, dir), keep, at },
  };
}

/** Created on first start and kept with the data, so that a restart signs nobody out. */
function readOrCreateSecret(dataDir: string): string {
  const path = join(dataDir, 'session-secret');
  if (!existsSync(path)) makeSecret(dataDir, path);
  const secret = readFileSync(path, 'utf8');
  if (secret.length >= SECRET_MIN) return secret;
  throw new ConfigError([`DATA_DIR holds a damaged file ${path}: delete it, and everybody signs in once more`]);
}

/** Written atomically: with a partial secret, sessions could be forged. */
function makeSecret(dataDir: string, path: string): void {
  const half = `${path}.${randomBytes(6).toString('hex')}`;
  try {
    mkdirSync(dataDir, { recursive: true });
    writeFileSync(half, randomBytes(SECRET_MIN).toString('base64url'), { flag: 'wx', mode: 0o600, flush: true });
    linkSync(half, path);
  } catch (error) {
    const madeMeanwhile = error instanceof Error && 'code' in error && error.code === 'EEXIST' && existsSync(path);
    if (!madeMeanwhile) throw new ConfigError([`DATA_DIR ${dataDir} cannot be written to`]);
  } finally {
    if (existsSync(half)) rmSync(half);
  }
}

/** Names that stay as they are: data folders in use have been made with them. */
export const EMBEDDED_DATABASE = { appName: 'Callout', superuser: 'callout', database: 'callout' } as const;

/** The package knows what is wrong; which of our settings helps is added here. */
const SETTING_HINTS = {
  'data-folder': ' The data folder is set by DATA_DIR.',
  'not-installed': ' Or set DATABASE_URL to a PostgreSQL server of your own.',
  other: '',
} as const;

export function describeDatabaseError({ message, problem }: EmbeddedPostgresError): string {
  return message + SETTING_HINTS[problem];
}
