import { randomUUID } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, stat, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createFolderStore, type FileStore } from './file-store.ts';

let folder: string;
let store: FileStore;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'callout-files-'));
  store = createFolderStore(join(folder, 'files'), randomUUID);
});

afterEach(() => rm(folder, { recursive: true, force: true }));

const pathTo = (...parts: string[]) => join(folder, 'files', ...parts);
const listKeys = async (time: Date) => {
  const keys: string[] = [];
  for await (const key of store.listKeysBefore(time)) keys.push(key);
  return keys.toSorted();
};
const LONG_AGO = new Date('2026-11-13T00:00:00Z');
const YESTERDAY = new Date('2026-11-14T00:00:00Z');

it('discards only old uploads that were never saved', async () => {
  const names = ['old', 'new', 'kept'];
  store = createFolderStore(pathTo(), () => names.shift() ?? randomUUID());
  await store.receive(Readable.from(['old']));
  await store.receive(Readable.from(['new']));
  const received = await store.receive(Readable.from(['kept']));
  await received.saveAs('company/file');
  await received.discard();
  await utimes(pathTo('incoming', 'old'), LONG_AGO, LONG_AGO);
  await utimes(pathTo('kept', 'company', 'file'), LONG_AGO, LONG_AGO);
  await store.discardUploadsBefore(YESTERDAY);
  expect(await readdir(pathTo('incoming'))).toEqual(['new']);
  expect(await readdir(pathTo('kept', 'company'))).toEqual(['file']);
});

it('saves the same bytes again when a transaction is retried, even if others were saved in between', async () => {
  const [mine, theirs] = [await store.receive(Readable.from(['mine'])), await store.receive(Readable.from(['theirs']))];
  await mine.saveAs('company/file');
  await mine.saveAs('company/file');
  expect(await readFile(pathTo('kept', 'company', 'file'), 'utf8')).toBe('mine');
  await theirs.saveAs('company/file');
  expect(await text(mine.peek())).toBe('mine');
  await mine.saveAs('company/file');
  expect(await readFile(pathTo('kept', 'company', 'file'), 'utf8')).toBe('mine');
  await Promise.all([mine.discard(), theirs.discard()]);
  expect(await readdir(pathTo('incoming'))).toEqual([]);
  expect(await readFile(pathTo('kept', 'company', 'file'), 'utf8')).toBe('mine');
});

it('creates files that other accounts on the machine cannot read', async () => {
  const received = await store.receive(Readable.from(['bytes']));
  await received.saveAs('company/file');
  const readMode = async (...parts: string[]) => (await stat(pathTo(...parts))).mode & 0o777;
  expect(await Promise.all([readMode(), readMode('incoming'), readMode('kept'), readMode('kept', 'company')])).toEqual([
    0o700, 0o700, 0o700, 0o700,
  ]);
  expect(await readMode('kept', 'company', 'file')).toBe(0o600);
  for (const name of await readdir(pathTo('incoming'))) expect(await readMode('incoming', name)).toBe(0o600);
});

it('lists the keys of files saved before a given time', async () => {
  for (const key of ['one/old', 'one/new', 'two/old']) {
    const received = await store.receive(Readable.from([key]));
    await received.saveAs(key);
    await received.discard();
    if (key.endsWith('old')) await utimes(pathTo('kept', key), LONG_AGO, LONG_AGO);
  }
  expect(await listKeys(YESTERDAY)).toEqual(['one/old', 'two/old']);
});

it('lists no files and reports the free space before any file is stored', async () => {
  expect(await listKeys(new Date())).toEqual([]);
  expect(await store.freeBytes()).toBeGreaterThan(0);
});

it.each(['../outside', 'company/../../outside', '/etc', 'company/file/more', '', '.'])('rejects the invalid key "%s"', async (key) => {
  const received = await store.receive(Readable.from(['mine']));
  for (const work of [() => store.removeCompany(key), () => store.remove(key), () => store.open(key), () => received.saveAs(key)]) {
    await expect((async () => work())()).rejects.toThrow('Not a valid file or company key');
  }
  await received.discard();
});
