import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { mkdir, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { HOUR_MS } from '@callout/domain/time/time-units';
import fc from 'fast-check';
import { beforeAll, beforeEach, expect, it } from 'vitest';
import { createRestoreTarget, createTempFolder, runBackup, toDatabaseUrl } from '../../test/backup.ts';
import { runBackupCommand } from '../../test/backup-process.ts';
import { withOwnerClient } from '../../test/database.ts';
import { createFirm, type Firm } from '../../test/factories/people.ts';
import { type S3Server, startS3Server } from '../../test/s3-server.ts';
import { buildPdf } from '../../test/sample-files.ts';
import { startTestApp, type TestApp } from '../../test/test-app.ts';
import { uploadFile } from '../../test/upload.ts';
import { readDataConfig } from '../config.ts';
import { removeUnattachedFiles } from '../features/files/remove-files.ts';
import { createMoveStores } from '../platform/files/create-file-store.ts';
import { buildFileKey, type FileStore } from '../platform/files/file-store.ts';
import { moveFiles } from './move-files.ts';
import { openOwnerDatabase } from './owner-database.sql.ts';
import { restoreBackup } from './restore-backup.ts';

const SESSION_SECRET = 'one secret for both servers which share sessions';

let s3: S3Server;
/** The server before the move, with its files in a folder. */
let before: TestApp;
/** A server that was restarted for the move. */
let during: TestApp;
let environment: Record<string, string>;
let stores: { target: FileStore; source: FileStore };
let firm: Firm;

beforeAll(async () => {
  s3 = await startS3Server();
  before = await startTestApp({ SESSION_SECRET });
  const folder = join(before.app.platform.config.dataDir, 'files');
  environment = {
    ...s3.environment,
    SESSION_SECRET,
    FILES_URL: `${s3.environment['FILES_URL']}/moved`,
    FILES_FROM_URL: `file://${folder}`,
  };
  during = await startTestApp(environment, { database: before.database, isDatabaseShared: true });
  const { target, source } = await createMoveStores(during.app.platform.config, () => new Date());
  if (!source) throw new Error('FILES_FROM_URL is not set');
  stores = { target, source };
});

beforeEach(async () => {
  // Each test has its own files. Rows are deleted together with the company's bytes in both stores.
  await before.owner.query('delete from files');
  for (const store of [stores.source, stores.target])
    for await (const key of store.listKeysBefore(new Date('2100-01-01'))) await store.remove([key]);
  // Uploads of all tests come from one network.
  await before.owner.query('delete from rate_limits');
  firm = await createFirm(before);
});

async function upload(test: TestApp, bytes = buildPdf(200 + randomBytes(1).readUInt8())): Promise<string> {
  const id = randomUUID();
  expect((await uploadFile(test, `/api/files/${id}`, firm.people.staff.cookie, 'plan.pdf', bytes)).statusCode).toBe(201);
  return id;
}

const remove = (test: TestApp, id: string) =>
  removeUnattachedFiles({ files: test.app.platform.files, pool: test.app.platform.pools.system }, firm.companyId, [id]);

function move(options: { report?: (line: string) => Promise<void>; target?: FileStore; signal?: AbortSignal } = {}): Promise<string> {
  const { report = async () => undefined, signal = new AbortController().signal } = options;
  return withOwnerClient(before.database, (client) => moveFiles({ client, ...stores, startedAt: new Date(), ...options, report, signal }));
}

async function hashStored(store: FileStore, key: string): Promise<string | null> {
  const bytes = await store.open(key);
  return (
    bytes &&
    createHash('sha256')
      .update(await buffer(bytes))
      .digest('hex')
  );
}

async function listTargetKeys(): Promise<string[]> {
  const keys: string[] = [];
  for await (const key of stores.target.listKeysBefore(new Date('2100-01-01'))) keys.push(key);
  return keys.toSorted();
}

async function readFileKeys(): Promise<string[]> {
  const { rows } = await before.owner.query<{ key: string }>(`select company_id || '/' || id as key from files order by 1`);
  return rows.map(({ key }) => key);
}

it('moves every file of the database, whatever is uploaded and removed in the meantime', async () => {
  const step = fc.record({ kind: fc.constantFrom('upload', 'upload-late', 'remove-old', 'remove-new'), pick: fc.nat() });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 15 }), async (steps) => {
      const hashes = new Map<string, string>();
      const ids = { old: [] as string[], new: [] as string[] };
      const add = async (test: TestApp, kind: 'old' | 'new') => {
        const bytes = buildPdf(100 + ids.old.length * 7 + ids.new.length);
        const id = await upload(test, bytes);
        hashes.set(buildFileKey(firm.companyId, id), createHash('sha256').update(bytes).digest('hex'));
        ids[kind].push(id);
      };
      for (let n = 0; n < 8; n += 1) await add(before, 'old');
      const work = async () => {
        for (const { kind, pick } of steps) {
          if (kind === 'upload') await add(during, 'new');
          // A server that was not restarted in time still writes to the old store.
          else if (kind === 'upload-late') await add(before, 'new');
          else {
            const list = kind === 'remove-old' ? ids.old : ids.new;
            const [id] = list.splice(pick % Math.max(1, list.length), 1);
            if (id) await remove(during, id);
          }
        }
      };
      const [line] = await Promise.all([move(), work()]);
      expect(line).toMatch(/, 0 missing or damaged\. Now remove FILES_FROM_URL from the settings of every server\.$/);
      // A server that was restarted too late may have written to the old store after the first move. A second move finds that.
      await move();
      const keys = await readFileKeys();
      expect(await listTargetKeys()).toEqual(keys);
      for (const key of keys) expect([key, await hashStored(stores.target, key)]).toEqual([key, hashes.get(key)]);
      await before.owner.query('delete from files');
      await stores.target.remove(keys);
      await before.owner.query('delete from rate_limits');
    }),
    { numRuns: 2 },
  );
});

it('removes a copy whose file was deleted while it was copied', async () => {
  const [id, otherId] = [await upload(before), await upload(before)];
  const slowTarget: FileStore = {
    ...stores.target,
    async receive(bytes) {
      const received = await stores.target.receive(bytes);
      return {
        ...received,
        async saveAs(key) {
          if (key.endsWith(id)) await remove(during, id);
          await received.saveAs(key);
        },
      };
    },
  };
  expect(await move({ target: slowTarget })).toMatch(/^Copied 1 file /);
  expect(await listTargetKeys()).toEqual([buildFileKey(firm.companyId, otherId)]);
});

it('continues after it was stopped, and copies a file again if the copy is damaged', async () => {
  const ids: string[] = [];
  for (let n = 0; n < 4; n += 1) ids.push(await upload(before));
  const stopping = new AbortController();
  const stopped = move({ signal: stopping.signal, report: async (line) => void (line.startsWith('Files:') && stopping.abort()) });
  await expect(stopped).rejects.toThrow('aborted');
  const damaged = await stores.target.receive(Readable.from(['half']));
  await damaged.saveAs(buildFileKey(firm.companyId, ids[0] ?? ''));
  await damaged.discard();
  await move();
  for (const key of await readFileKeys()) expect(await hashStored(stores.target, key)).toBe(await hashStored(stores.source, key));
  expect(await move()).toBe(
    'Copied 0 files (0.0 B), 4 already there, 0 missing or damaged. Now remove FILES_FROM_URL from the settings of every server.',
  );
});

it('reads files from the old store until they are moved, and serves them from the new one afterwards', async () => {
  const id = await upload(before);
  const read = () => during.request('GET', `/api/files/${id}`, { cookie: firm.people.staff.cookie });
  expect((await read()).statusCode).toBe(200);
  expect(await listTargetKeys()).toEqual([]);
  const commandEnvironment = { ...environment, DATA_DIR: await createTempFolder(), DATABASE_URL: toDatabaseUrl(before.database) };
  const { code, stdout } = await runBackupCommand('files-move', [], commandEnvironment);
  expect([code, stdout]).toEqual([
    0,
    expect.stringMatching(/^Copied 1 file \([\d.]+ B\), 0 already there, 0 missing or damaged\. Now remove /),
  ]);
  await rm(join(before.app.platform.config.dataDir, 'files'), { recursive: true });
  expect((await read()).statusCode).toBe(200);
});

it('backs up from both stores during the move, and restores into a bucket', async () => {
  const [oldId] = [await upload(before), await upload(during)];
  await uploadFile(during, '/api/company/logo', firm.people.admin.cookie, 'logo.png', await readLogo());
  const { archive, messages } = await runBackup({ database: before.database, app: during.app });
  expect(messages[0]).toMatch(/^Backed up [\d,]+ rows and 3 files to /);

  const restored = await createRestoreTarget();
  const config = readDataConfig({ ...s3.environment, FILES_URL: `${s3.environment['FILES_URL']}/restored`, DATA_DIR: restored.dataDir });
  const { target } = await createMoveStores(config, () => new Date());
  const restore = (signal = new AbortController().signal) =>
    restoreBackup({
      archive,
      files: target,
      dataDir: restored.dataDir,
      openDatabase: () => openOwnerDatabase({ ...config, databaseUrl: toDatabaseUrl(restored.database), createIfMissing: false }),
      report: () => undefined,
      signal,
    });
  expect(await restore()).toMatch(/^Restored [\d,]+ rows and 3 files from the backup of /);
  for (const key of await readFileKeys()) expect(await hashStored(target, key)).toBe(await hashStored(during.app.platform.files, key));
  await expect(restore()).rejects.toThrow('The bucket in FILES_URL already contains files. Restore into an empty one.');
  expect(await stores.target.has(buildFileKey(firm.companyId, oldId))).toBe(false);
});

async function readLogo(): Promise<Buffer> {
  const { default: sharp } = await import('sharp');
  return sharp({ create: { width: 30, height: 30, channels: 3, background: 'teal' } })
    .png()
    .toBuffer();
}

it('fails and names the records if bytes are missing or damaged in the old store', async () => {
  const [damagedId, missingId] = [await upload(before), await upload(before)];
  await writeFile(join(before.app.platform.config.dataDir, 'files', 'kept', firm.companyId, damagedId), 'half');
  await stores.source.remove([buildFileKey(firm.companyId, missingId)]);
  await expect(move()).rejects.toThrow(
    /^Copied 0 files \(0\.0 B\), 0 already there, but 2 files are missing, damaged or different in both stores: "plan\.pdf" \(.*\), "plan\.pdf" \(.*\)\. Put these files back /,
  );
});

it('overwrites nothing if both stores have different bytes of the right size, and fails', async () => {
  const bytes = buildPdf(300);
  const id = await upload(before, bytes);
  await move();
  const damaged = Buffer.from(bytes);
  damaged[250] = 0;
  await writeFile(join(before.app.platform.config.dataDir, 'files', 'kept', firm.companyId, id), damaged);
  await expect(move()).rejects.toThrow(/1 file is missing, damaged or different in both stores/);
  const key = buildFileKey(firm.companyId, id);
  expect(await hashStored(stores.target, key)).toBe(createHash('sha256').update(bytes).digest('hex'));
  expect(await hashStored(stores.source, key)).toBe(createHash('sha256').update(damaged).digest('hex'));
});

it('removes what a killed move has left in the new store, but no running upload', async () => {
  const { dataDir } = during.app.platform.config;
  const incoming = join(dataDir, 'files', 'incoming');
  await mkdir(incoming, { recursive: true });
  for (const name of ['left', 'running']) await writeFile(join(incoming, name), 'half');
  const threeHoursAgo = new Date(Date.now() - 3 * HOUR_MS);
  await utimes(join(incoming, 'left'), threeHoursAgo, threeHoursAgo);
  await move();
  expect(await readdir(incoming)).toEqual(['running']);
  await rm(join(incoming, 'running'));
});
