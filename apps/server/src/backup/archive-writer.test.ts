import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { type ArchiveWriter, createArchive } from './archive-writer.ts';

const END = { rows: {}, files: { count: 0, bytes: 0 }, missing: [] };

async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'callout-archive-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

async function startArchives(target: string, count: number): Promise<ArchiveWriter[]> {
  const archives: ArchiveWriter[] = [];
  for (let n = 0; n < count; n += 1) archives.push(await createArchive(target, new Date(), new AbortController().signal));
  return archives;
}

it('keeps one of several archives written under the same name at once and reports the others', async () => {
  const folder = await makeFolder();
  const target = join(folder, 'backup.tar.gz');
  const archives = await startArchives(target, 8);
  const outcomes = await Promise.allSettled(archives.map((archive) => archive.finish(END)));
  const refused = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [String(outcome.reason)] : []));
  expect(refused).toEqual(
    Array.from({ length: 7 }, () => `BackupError: ${target} already exists: choose another name, nothing is overwritten.`),
  );
  for (const archive of archives) await archive.discard();
  expect(await readdir(folder)).toEqual(['backup.tar.gz']);
});

it('leaves a file alone that appears while the archive is being written', async () => {
  const folder = await makeFolder();
  const target = join(folder, 'backup.tar.gz');
  const [archive] = await startArchives(target, 1);
  await writeFile(target, 'somebody else’s');
  await expect(archive?.finish(END)).rejects.toThrow('nothing is overwritten');
  await archive?.discard();
  expect([await readdir(folder), await readFile(target, 'utf8')]).toEqual([['backup.tar.gz'], 'somebody else’s']);
});
