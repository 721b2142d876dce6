import { readdir, rename, statfs, truncate, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { makeFolder, urlOf } from '../../test/backup.ts';
import { startTestApp, type TestApp } from '../../test/test-app.ts';
import { createLog } from '../log.ts';
import { ARCHIVE_NAME } from './archive-format.ts';
import { runNightlyBackup } from './nightly-backup.ts';

let test: TestApp;

beforeAll(async () => {
  test = await startTestApp();
});

async function runNightly(dir: string, keep: number, minFreeBytes = 0): Promise<{ failure: string; logged: Record<string, unknown>[] }> {
  const logged: Record<string, unknown>[] = [];
  const failure = await runNightlyBackup({
    nightlyBackup: { dir, keep, at: { hour: 2, minute: 30 } },
    minFreeBytes,
    environment: { DATABASE_URL: urlOf(test.database), DATA_DIR: test.app.platform.config.dataDir },
    log: createLog('info', { write: (line) => void logged.push(JSON.parse(line) as Record<string, unknown>) }),
    now: () => new Date(),
  }).then(
    () => '',
    (error: Error) => error.message,
  );
  return { failure, logged };
}

const OLD = [
  'callout-backup-2026-01-01T023000Z.tar.gz',
  'callout-backup-2026-01-02T023000Z.tar.gz',
  'callout-backup-2026-01-03T023000Z.tar.gz',
];
const OTHERS = ['callout-backup-before-update.tar.gz', 'notes.txt', 'photos.tar.gz'];

async function folderWith(names: readonly string[]): Promise<string> {
  const folder = await makeFolder();
  for (const name of names) await writeFile(join(folder, name), 'old');
  return folder;
}

describe('the nightly backup', () => {
  it('keeps the newest backups and touches no other files', async () => {
    const folder = await folderWith([...OLD, ...OTHERS]);
    const { failure, logged } = await runNightly(folder, 2);
    expect(failure).toBe('');
    const names = await readdir(folder);
    const fresh = names.find((name) => ARCHIVE_NAME.test(name) && !OLD.includes(name)) ?? 'nothing new';
    expect(new Set(names)).toEqual(new Set([OLD[2], fresh, ...OTHERS]));
    expect(logged).toEqual([expect.objectContaining({ level: 30, deleted: OLD.slice(0, 2), msg: expect.stringMatching(/^Backed up/) })]);
  });

  it('removes what a killed backup left behind, but not a backup in progress', async () => {
    const [dead, alive] = [
      'callout-backup-2026-01-01T023000Z.tar.gz.0a1b2c3d.partial',
      'callout-backup-2026-01-02T023000Z.tar.gz.0a1b2c3e.partial',
    ];
    const folder = await folderWith([dead, alive]);
    await utimes(join(folder, dead), new Date('2026-01-01'), new Date('2026-01-01'));
    await runNightly(folder, 2);
    expect(await readdir(folder)).toEqual([alive, expect.stringMatching(ARCHIVE_NAME)]);
  });

  it('keeps the new backup and the newest older one when the clock has jumped back by years', async () => {
    const future = OLD.map((name) => name.replace('2026', '2096'));
    const folder = await folderWith(future);
    for (const kept of [1, 0]) {
      const { failure } = await runNightly(folder, 2);
      expect(failure).toBe('');
      const names = await readdir(folder);
      expect(names.filter((name) => future.includes(name))).toEqual(kept ? [future[2]] : []);
      expect(names).toHaveLength(2);
      // The next backup needs a different second in its name.
      for (const name of names.filter((found) => !future.includes(found))) await rename(join(folder, name), join(folder, OLD[0] ?? ''));
    }
  });

  it('does not start when it would nearly fill the disk, and says so in one line', async () => {
    const folder = await folderWith(OLD);
    const { bavail, bsize } = await statfs(folder);
    // Another archive of the same size would leave less than the required free space.
    await truncate(join(folder, OLD[2] ?? ''), 1_000_000_000);
    const { failure, logged } = await runNightly(folder, 1, bavail * bsize - 500_000_000);
    expect(failure).toMatch(
      / is nearly full: \S+ [KMGT]B are free, the backup needs about 953\.7 MB and \S+ [KMGT]B are to stay free\. Nothing was written\.$/,
    );
    expect(logged).toEqual([expect.objectContaining({ level: 50, msg: 'The nightly backup failed', reason: failure })]);
    expect(await readdir(folder)).toEqual(OLD);
  });

  it('deletes nothing when it fails, and logs why in one line', async () => {
    const folder = await folderWith(OLD);
    const dir = join(folder, OLD[0] ?? '', 'below a file');
    const { failure, logged } = await runNightly(dir, 1);
    expect(failure).toMatch(/below a file can't be used \(ENOTDIR\)\.$/);
    expect(logged).toEqual([expect.objectContaining({ level: 50, msg: 'The nightly backup failed', reason: failure })]);
    expect(await readdir(folder)).toEqual(OLD);
  });
});
