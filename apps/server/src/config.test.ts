import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EmbeddedPostgresError } from '@callout/embedded-postgres/errors';
import { afterEach, beforeEach, describe, expect, it, test } from 'vitest';
import { ConfigError, describeDatabaseError, readConfig } from './config.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'callout-config-'));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

const SECRET = 's'.repeat(32);
const DATABASE_SECRET = 'd'.repeat(32);

function listProblems(environment: Record<string, string>): readonly string[] {
  try {
    readConfig({ DATA_DIR: folder, ...environment });
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.lines;
    throw error;
  }
}

describe('a configuration without settings', () => {
  it('uses the defaults', () => {
    const { sessionSecrets: _, databaseSecrets: __, ...config } = readConfig({}, folder);
    expect(config).toEqual({
      port: 3000,
      host: '0.0.0.0',
      dataDir: join(folder, 'data'),
      databaseUrl: undefined,
      databasePoolUrl: undefined,
      databasePoolSize: 12,
      usesNamedStatements: true,
      fileQuotaBytes: 5_242_880_000,
      minFreeDiskBytes: 1_048_576_000,
      appUrl: undefined,
      smtpUrl: undefined,
      mailFrom: 'Callout <callout@localhost>',
      adminEmail: undefined,
      trustProxy: 0,
      logLevel: 'info',
      metricsPort: undefined,
      traceCollectorUrl: undefined,
      shutdownDelayMs: 0,
      isDemo: false,
      retention: { mailTextDays: 365, readNotificationDays: 90, commandKeyDays: 30 },
      nightlyBackup: undefined,
      files: {
        location: { kind: 'folder', path: join(folder, 'data', 'files') },
        from: undefined,
        signedReads: false,
        s3: { endpoint: undefined, region: 'us-east-1', credentials: undefined },
      },
    });
  });

  it('stores files in DATA_DIR, in another folder or in a bucket', () => {
    const readFiles = (environment: Record<string, string>) => readConfig({ DATA_DIR: folder, ...environment }).files;
    expect(readFiles({}).location).toEqual({ kind: 'folder', path: join(folder, 'files') });
    expect(readFiles({ FILES_URL: 'file:///mnt/my%20files' }).location).toEqual({ kind: 'folder', path: '/mnt/my files' });
    expect(readFiles({ FILES_URL: 's3://bucket' }).location).toEqual({ kind: 's3', bucket: 'bucket', prefix: '' });
  });

  it('rejects settings of files that do not go together', () => {
    const invalid = 'FILES_URL must be a URL like s3://bucket/prefix or file:///folder';
    for (const url of [
      's3://',
      's3://B',
      '/folder',
      'file://host/folder',
      's3://bucket//x',
      's3://bucket/../other/',
      'file:///',
      'https://bucket',
    ])
      expect(listProblems({ FILES_URL: url })).toEqual([invalid]);
    expect(listProblems({ S3_ENDPOINT: 'minio:9000' })).toEqual(['S3_ENDPOINT must be a URL like https://s3.example.com']);
    const endpoint = 'S3_ENDPOINT must not contain a user. Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY instead';
    expect(listProblems({ S3_ENDPOINT: 'https://id:key@s3.example.com' })).toEqual([endpoint]);
    const pair = 'AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY must be set together';
    expect(
      listProblems({ FILES_FROM_URL: 's3://bucket', FILES_URL: 's3://bucket/', AWS_ACCESS_KEY_ID: 'id', FILES_SIGNED_READS: '1' }),
    ).toEqual(['FILES_FROM_URL must differ from FILES_URL', pair]);
    const same = ['FILES_FROM_URL must differ from FILES_URL'];
    expect(listProblems({ FILES_FROM_URL: 'file:///mnt/f/', FILES_URL: 'file:///mnt/f' })).toEqual(same);
    expect(listProblems({ FILES_FROM_URL: `file://${folder}/files` })).toEqual(same);
    expect(listProblems({ FILES_SIGNED_READS: '1' })).toEqual(['FILES_SIGNED_READS needs FILES_URL to be a URL like s3://bucket/prefix']);
  });

  it('rejects a secret of spaces and two servers on one port', () => {
    expect(listProblems({ SESSION_SECRET: ' '.repeat(40) })).toEqual(['SESSION_SECRET must not consist of spaces']);
    expect(listProblems({ PORT: '3000', METRICS_PORT: '3000' })).toEqual(['METRICS_PORT must differ from PORT']);
  });

  it('treats an empty value as missing', () => {
    const names = ['PORT', 'HOST', 'DATABASE_URL', 'DATABASE_POOL', 'APP_URL', 'SMTP_URL', 'MAIL_FROM', 'ADMIN_EMAIL', 'LOG_LEVEL', 'DEMO'];
    const empty = Object.fromEntries(names.map((name, index) => [name, index % 2 ? '' : '  ']));
    expect(readConfig({ ...empty, DATA_DIR: folder })).toEqual(readConfig({ DATA_DIR: folder }));
  });
});

it('parses every setting', () => {
  const config = readConfig({
    PORT: '0',
    HOST: '127.0.0.1',
    DATA_DIR: folder,
    DATABASE_URL: 'postgres://ana:secret@db.example.com:5432/callout',
    DATABASE_POOL_URL: 'postgres://pool.example.com:6432/callout',
    DATABASE_POOL: '40',
    DATABASE_SECRET: `${DATABASE_SECRET}, ${SECRET}`,
    DATABASE_NAMED_STATEMENTS: '0',
    FILES_URL: 's3://my.bucket/a/b/',
    FILES_FROM_URL: 's3://bucket/',
    FILES_SIGNED_READS: '1',
    S3_ENDPOINT: 'https://s3.example.com',
    S3_REGION: 'auto',
    AWS_ACCESS_KEY_ID: 'id',
    AWS_SECRET_ACCESS_KEY: 'key',
    FILE_QUOTA_MB: '10',
    MIN_FREE_DISK_MB: '0',
    APP_URL: 'https://work.example.com/',
    SESSION_SECRET: SECRET,
    SMTP_URL: 'smtps://ana:secret@mail.example.com:465',
    MAIL_FROM: 'Callout <callout@example.com>',
    ADMIN_EMAIL: 'Admin@Example.com',
    TRUST_PROXY: '1',
    LOG_LEVEL: 'warn',
    METRICS_PORT: '9464',
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318',
    SHUTDOWN_DELAY_MS: '5000',
    DEMO: '1',
    MAIL_TEXT_DAYS: '30',
    READ_NOTIFICATION_DAYS: '7',
    COMMAND_KEY_DAYS: '3',
    BACKUP_DIR: join(folder, 'nightly'),
    BACKUP_KEEP: '7',
    BACKUP_AT: '23:05',
  });
  expect(config).toEqual({
    port: 0,
    host: '127.0.0.1',
    dataDir: folder,
    databaseUrl: 'postgres://ana:secret@db.example.com:5432/callout',
    databasePoolUrl: 'postgres://pool.example.com:6432/callout',
    databasePoolSize: 40,
    usesNamedStatements: false,
    databaseSecrets: [DATABASE_SECRET, SECRET],
    fileQuotaBytes: 10_485_760,
    minFreeDiskBytes: 0,
    appUrl: 'https://work.example.com',
    sessionSecrets: [SECRET],
    smtpUrl: 'smtps://ana:secret@mail.example.com:465',
    mailFrom: 'Callout <callout@example.com>',
    adminEmail: 'admin@example.com',
    trustProxy: 1,
    logLevel: 'warn',
    metricsPort: 9464,
    traceCollectorUrl: 'http://collector:4318',
    shutdownDelayMs: 5000,
    isDemo: true,
    retention: { mailTextDays: 30, readNotificationDays: 7, commandKeyDays: 3 },
    nightlyBackup: { dir: join(folder, 'nightly'), keepCount: 7, timeOfDay: { hour: 23, minute: 5 } },
    files: {
      location: { kind: 's3', bucket: 'my.bucket', prefix: 'a/b/' },
      from: { kind: 's3', bucket: 'bucket', prefix: '' },
      signedReads: true,
      s3: { endpoint: 'https://s3.example.com', region: 'auto', credentials: { accessKeyId: 'id', secretAccessKey: 'key' } },
    },
  });
});

it.each([
  ['0', 0],
  ['1', 1],
  ['2', 2],
  ['10.0.0.0/8', ['10.0.0.0/8']],
  ['10.0.0.0/8, fd00::/8,192.168.1.5', ['10.0.0.0/8', 'fd00::/8', '192.168.1.5/32']],
])('accepts TRUST_PROXY=%s as a number of proxies or their networks', (text, trustProxy) => {
  expect(readConfig({ DATA_DIR: folder, TRUST_PROXY: text })).toMatchObject({ trustProxy });
});

describe('an invalid setting', () => {
  it.each([
    ['PORT', 'abc', 'must be a port number from 0 to 65535'],
    ['PORT', '65536', 'must be a port number from 0 to 65535'],
    ['PORT', '-1', 'must be a port number from 0 to 65535'],
    ['DATABASE_URL', 'mysql://x/y', 'must be a URL like postgres://user:password@host:5432/database'],
    ['DATABASE_URL', 'localhost', 'must be a URL like postgres://user:password@host:5432/database'],
    ['DATABASE_POOL', '1', 'must be a number of connections from 2 to 200'],
    ['DATABASE_POOL', 'many', 'must be a number of connections from 2 to 200'],
    ['FILE_QUOTA_MB', '0', 'must be a number of megabytes, at least 1'],
    ['FILE_QUOTA_MB', '1.5', 'must be a number of megabytes, at least 1'],
    ['MIN_FREE_DISK_MB', '-1', 'must be a number of megabytes, at least 0'],
    ['APP_URL', 'work.example.com', 'must be a URL like https://work.example.com'],
    ['APP_URL', 'ftp://work.example.com', 'must be a URL like https://work.example.com'],
    ['SESSION_SECRET', 'short', 'must have at least 32 characters, also between commas'],
    ['SESSION_SECRET', `${SECRET},short`, 'must have at least 32 characters, also between commas'],
    ['DATABASE_SECRET', `${SECRET},`, 'must have at least 32 characters, also between commas'],
    ['DATABASE_NAMED_STATEMENTS', 'no', 'must be 0 or 1'],
    ['ADMIN_EMAIL', 'admin', 'must be an email address'],
    ['MAIL_FROM', 'Callout', 'must be a sender like Callout <callout@example.com>'],
    ['MAIL_FROM', 'a@b.co\r\nBcc: c@d.co', 'must be a sender like Callout <callout@example.com>'],
    ['TRUST_PROXY', 'yes', 'must be a number of proxies or a list of networks like 10.0.0.0/8, 192.168.1.5'],
    ['TRUST_PROXY', '10.0.0.0/33', 'must be a number of proxies or a list of networks like 10.0.0.0/8, 192.168.1.5'],
    ['TRUST_PROXY', '10.0.0.0/8,', 'must be a number of proxies or a list of networks like 10.0.0.0/8, 192.168.1.5'],
    ['TRUST_PROXY', '0.0.0.0/0', 'must be a number of proxies or a list of networks like 10.0.0.0/8, 192.168.1.5'],
    ['DEMO', 'true', 'must be 0 or 1'],
    ['MAIL_TEXT_DAYS', '0', 'must be a number of days from 1 to 9999'],
    ['READ_NOTIFICATION_DAYS', '1.5', 'must be a number of days from 1 to 9999'],
    ['COMMAND_KEY_DAYS', 'never', 'must be a number of days from 1 to 9999'],
    ['BACKUP_KEEP', '0', 'must be a number of backups from 1 to 999'],
    ['BACKUP_KEEP', 'all', 'must be a number of backups from 1 to 999'],
    ['BACKUP_AT', '24:00', 'must be a time like 02:30'],
    ['BACKUP_AT', '2:30', 'must be a time like 02:30'],
    ['LOG_LEVEL', 'loud', 'must be one of fatal, error, warn, info, debug, trace, silent'],
  ])('is reported in one line: %s=%j', (name, value, message) => {
    expect(listProblems({ [name]: value })).toEqual([`${name} ${message}`]);
  });

  it('is reported in one line: SMTP_URL', () => {
    expect(listProblems({ SMTP_URL: 'http://mail.example.com', MAIL_FROM: 'a@b.co' })).toEqual([
      'SMTP_URL must be a URL like smtp://user:password@host:587',
    ]);
  });

  it('is never echoed, because it may contain a secret', () => {
    expect(listProblems({ SESSION_SECRET: 'hunter2', DATABASE_URL: 'mysql://ana:hunter2@db/x' }).join('\n')).not.toContain('hunter2');
  });

  it('is reported if DATABASE_POOL_URL is set without DATABASE_URL', () => {
    expect(listProblems({ DATABASE_POOL_URL: 'postgres://pool.example.com:6432/callout' })).toEqual([
      'DATABASE_URL is required when DATABASE_POOL_URL is set',
    ]);
  });

  it('is reported together with all other invalid and missing settings', () => {
    expect(listProblems({ PORT: 'abc', LOG_LEVEL: 'loud', SMTP_URL: 'smtp://mail.example.com' })).toEqual([
      'PORT must be a port number from 0 to 65535',
      'LOG_LEVEL must be one of fatal, error, warn, info, debug, trace, silent',
      'MAIL_FROM is required when SMTP_URL is set',
    ]);
  });
});

describe('the secrets', () => {
  const readSecrets = (environment: Record<string, string> = {}) => {
    const { sessionSecrets, databaseSecrets } = readConfig({ DATA_DIR: folder, ...environment });
    return { sessionSecrets, databaseSecrets };
  };

  it('are created on the first start, reused later and readable only by their owner', () => {
    const { sessionSecrets, databaseSecrets } = readSecrets();
    expect(sessionSecrets).toEqual([expect.stringMatching(/^[\w-]{43}$/)]);
    expect(databaseSecrets).toEqual([expect.stringMatching(/^[\w-]{43}$/)]);
    expect(databaseSecrets).not.toEqual(sessionSecrets);
    expect(readSecrets()).toEqual({ sessionSecrets, databaseSecrets });
    expect(readFileSync(join(folder, 'session-secret'), 'utf8')).toBe(sessionSecrets[0]);
    expect(statSync(join(folder, 'session-secret')).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder)).toEqual(['database-secret', 'session-secret']);
  });

  it('differ between data folders', () => {
    const [one, two] = [join(folder, 'one'), join(folder, 'two')];
    expect(readConfig({ DATA_DIR: one }).sessionSecrets).not.toEqual(readConfig({ DATA_DIR: two }).sessionSecrets);
  });

  it('are not created when they are set', () => {
    const environment = { SESSION_SECRET: SECRET, DATABASE_SECRET };
    expect(readSecrets(environment)).toEqual({ sessionSecrets: [SECRET], databaseSecrets: [DATABASE_SECRET] });
    expect(readdirSync(folder)).toEqual([]);
  });

  it('are the same when only SESSION_SECRET is set, as on several machines of earlier versions', () => {
    expect(readSecrets({ SESSION_SECRET: SECRET })).toEqual({ sessionSecrets: [SECRET], databaseSecrets: [SECRET] });
    expect(readdirSync(folder)).toEqual([]);
  });

  it('can be rotated in their files, too', () => {
    writeFileSync(join(folder, 'session-secret'), `${DATABASE_SECRET},${SECRET}\n`);
    expect(readSecrets().sessionSecrets).toEqual([DATABASE_SECRET, SECRET]);
  });

  it.each(['session-secret', 'database-secret'])('are rejected when the file %s is damaged', (name) => {
    writeFileSync(join(folder, name), '');
    expect(listProblems({})).toEqual([expect.stringContaining(name)]);
  });

  it('reports a data folder that is not writable', () => {
    writeFileSync(join(folder, 'file'), '');
    const dataDir = join(folder, 'file', 'data');
    expect(listProblems({ DATA_DIR: dataDir })).toEqual([`DATA_DIR ${dataDir} is not writable`]);
  });
});

test.each([
  ['not-installed', 'DATABASE_URL'],
  ['data-folder', 'DATA_DIR'],
] as const)('a database error of type %s suggests the setting %s', (problem, setting) => {
  const line = describeDatabaseError(new EmbeddedPostgresError('PostgreSQL failed to start.', problem));
  expect(line).toMatch(/^PostgreSQL failed to start\. /);
  expect(line).toContain(setting);
});
