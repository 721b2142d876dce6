import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { type ArchiveWriter, createArchiveWriter } from './archive-writer.ts';

const TRAILER = { rows: {}, files: { count: 0, bytes: 0 }, missing: [] };

async function createTempFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'callout-archive-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

async function createArchives(target: string, count: number): Promise<ArchiveWriter[]> {
  const archives: ArchiveWriter[] = [];
  for (let n = 0; n < count; n += 1) archives.push(await createArchiveWriter(target, new Date(), new AbortController().signal));
  return archives;
}

it('accepts only one of several archives written concurrently to the same path', async () => {
  const folder = await createTempFolder();
  const target = join(folder, 'backup.tar.gz');
  const archives = await createArchives(target, 8);
  const outcomes = await Promise.allSettled(archives.map((archive) => archive.finish(TRAILER)));
  const errors = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [String(outcome.reason)] : []));
  expect(errors).toEqual(
    Array.from({ length: 7 }, () => `BackupError: ${target} already exists and was not overwritten. Choose another name.`),
  );
  for (const archive of archives) await archive.discard();
  expect(await readdir(folder)).toEqual(['backup.tar.gz']);
});

it('does not overwrite a file that appears while the archive is being written', async () => {
  const folder = await createTempFolder();
  const target = join(folder, 'backup.tar.gz');
  const [archive] = await createArchives(target, 1);
  await writeFile(target, 'another file');
  await expect(archive?.finish(TRAILER)).rejects.toThrow('was not overwritten');
  await archive?.discard();
  expect([await readdir(folder), await readFile(target, 'utf8')]).toEqual([['backup.tar.gz'], 'another file']);
});
