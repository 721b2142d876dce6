import { readdir, rename, statfs, truncate, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { createTempFolder, toDatabaseUrl } from '../../test/backup.ts';
import { createFirm } from '../../test/factories/people.ts';
import { buildPng } from '../../test/sample-files.ts';
import { startTestApp, type TestApp } from '../../test/test-app.ts';
import { uploadFile } from '../../test/upload.ts';
import { createLogger } from '../log.ts';
import { ARCHIVE_NAME_PATTERN, INCOMPLETE_NAME_PATTERN } from './archive-format.ts';
import { runNightlyBackup } from './nightly-backup.ts';

let test: TestApp;

beforeAll(async () => {
  test = await startTestApp();
});

async function runNightly(dir: string, keep: number, minFreeBytes = 0): Promise<{ failure: string; logged: Record<string, unknown>[] }> {
  const logged: Record<string, unknown>[] = [];
  const failure = await runNightlyBackup({
    nightlyBackup: { dir, keepCount: keep, timeOfDay: { hour: 2, minute: 30 } },
    minFreeBytes,
    environment: { DATABASE_URL: toDatabaseUrl(test.database), DATA_DIR: test.app.platform.config.dataDir },
    log: createLogger('info', { write: (line) => void logged.push(JSON.parse(line) as Record<string, unknown>) }),
    now: () => new Date(),
  }).then(
    () => '',
    (error: Error) => error.message,
  );
  return { failure, logged };
}

const OLD_ARCHIVES = [
  'callout-backup-2026-01-01T023000Z.tar.gz',
  'callout-backup-2026-01-02T023000Z.tar.gz',
  'callout-backup-2026-01-03T023000Z.tar.gz',
];
const OTHER_FILES = ['callout-backup-before-update.tar.gz', 'notes.txt', 'photos.tar.gz'];

async function createFolderWith(names: readonly string[]): Promise<string> {
  const folder = await createTempFolder();
  for (const name of names) await writeFile(join(folder, name), 'old');
  return folder;
}

describe('the nightly backup', () => {
  it('keeps the newest backups and deletes no other files', async () => {
    const folder = await createFolderWith([...OLD_ARCHIVES, ...OTHER_FILES]);
    const { failure, logged } = await runNightly(folder, 2);
    expect(failure).toBe('');
    const names = await readdir(folder);
    const fresh = names.find((name) => ARCHIVE_NAME_PATTERN.test(name) && !OLD_ARCHIVES.includes(name)) ?? 'nothing new';
    expect(new Set(names)).toEqual(new Set([OLD_ARCHIVES[2], fresh, ...OTHER_FILES]));
    expect(logged).toEqual([
      expect.objectContaining({ level: 30, deleted: OLD_ARCHIVES.slice(0, 2), msg: expect.stringMatching(/^Backed up/) }),
    ]);
  });

  it('removes partial archives of killed backups, but not of a backup in progress', async () => {
    const [abandoned, inProgress] = [
      'callout-backup-2026-01-01T023000Z.tar.gz.0a1b2c3d.partial',
      'callout-backup-2026-01-02T023000Z.tar.gz.0a1b2c3e.partial',
    ];
    const folder = await createFolderWith([abandoned, inProgress]);
    await utimes(join(folder, abandoned), new Date('2026-01-01'), new Date('2026-01-01'));
    await runNightly(folder, 2);
    expect(await readdir(folder)).toEqual([inProgress, expect.stringMatching(ARCHIVE_NAME_PATTERN)]);
  });

  it('keeps the new backup and the newest older one if the clock was set back by years', async () => {
    const future = OLD_ARCHIVES.map((name) => name.replace('2026', '2096'));
    const folder = await createFolderWith(future);
    for (const futureCount of [1, 0]) {
      const { failure } = await runNightly(folder, 2);
      expect(failure).toBe('');
      const names = await readdir(folder);
      expect(names.filter((name) => future.includes(name))).toEqual(futureCount ? [future[2]] : []);
      expect(names).toHaveLength(2);
      // Archive names are unique only to the second. Rename this archive so that the next backup can't get the same name.
      for (const name of names.filter((found) => !future.includes(found)))
        await rename(join(folder, name), join(folder, OLD_ARCHIVES[0] ?? ''));
    }
  });

  it('does not start if the disk would be nearly full, and logs why in one line', async () => {
    const folder = await createFolderWith(OLD_ARCHIVES);
    const { bavail, bsize } = await statfs(folder);
    // The next backup is expected to be as large as this archive, which would leave too little free space.
    await truncate(join(folder, OLD_ARCHIVES[2] ?? ''), 1_000_000_000);
    const { failure, logged } = await runNightly(folder, 1, bavail * bsize - 500_000_000);
    expect(failure).toMatch(
      / is nearly full: \S+ [KMGT]B is free, but the backup needs about 953\.7 MB and \S+ [KMGT]B must stay free\. No backup was taken\.$/,
    );
    expect(logged).toEqual([expect.objectContaining({ level: 50, msg: 'The nightly backup failed', reason: failure })]);
    expect(await readdir(folder)).toEqual(OLD_ARCHIVES);
  });

  it('deletes no complete backup while files are missing, and keeps only the newest incomplete one', async () => {
    const earlier = 'callout-backup-2026-01-04T023000Z-incomplete.tar.gz';
    const folder = await createFolderWith([...OLD_ARCHIVES, earlier]);
    const firm = await createFirm(test, 'Careless Plumbing');
    await uploadFile(test, '/api/company/logo', firm.people.admin.cookie, 'logo.png', buildPng());
    await test.app.platform.files.removeCompany(firm.companyId);
    const { failure, logged } = await runNightly(folder, 1);
    expect(failure).toMatch(/^The backup is incomplete: 1 file is missing or damaged: "logo" \(Careless Plumbing\)\. /);
    expect(logged).toEqual([expect.objectContaining({ level: 50, msg: 'The nightly backup failed', reason: failure })]);
    const names = await readdir(folder);
    expect(names.filter((name) => ARCHIVE_NAME_PATTERN.test(name))).toEqual(OLD_ARCHIVES);
    expect(names.filter((name) => !OLD_ARCHIVES.includes(name) && name !== earlier)).toEqual([
      expect.stringMatching(INCOMPLETE_NAME_PATTERN),
    ]);
    expect(names).toHaveLength(4);

    await test.owner.query('delete from files where company_id = $1', [firm.companyId]);
    expect((await runNightly(folder, 1)).failure).toBe('');
    expect((await readdir(folder)).filter((name) => OLD_ARCHIVES.includes(name))).toEqual([]);
  });

  it('deletes nothing if it fails, and logs why in one line', async () => {
    const folder = await createFolderWith(OLD_ARCHIVES);
    const dir = join(folder, OLD_ARCHIVES[0] ?? '', 'below a file');
    const { failure, logged } = await runNightly(dir, 1);
    expect(failure).toMatch(/^Cannot use .*below a file \(ENOTDIR\)\.$/);
    expect(logged).toEqual([expect.objectContaining({ level: 50, msg: 'The nightly backup failed', reason: failure })]);
    expect(await readdir(folder)).toEqual(OLD_ARCHIVES);
  });
});
