import { randomUUID } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, stat, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type FileStore, folderStore } from './file-store.ts';

let folder: string;
let store: FileStore;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'callout-files-'));
  store = folderStore(join(folder, 'files'), randomUUID);
});

afterEach(() => rm(folder, { recursive: true, force: true }));

const pathTo = (...parts: string[]) => join(folder, 'files', ...parts);
const listed = async (moment: Date) => {
  const keys: string[] = [];
  for await (const key of store.listOlderThan(moment)) keys.push(key);
  return keys.toSorted();
};
const LONG_AGO = new Date('2026-11-13T00:00:00Z');
const YESTERDAY = new Date('2026-11-14T00:00:00Z');

it('discards old uploads that were never kept, and nothing else', async () => {
  const names = ['old', 'new', 'kept'];
  store = folderStore(pathTo(), () => names.shift() ?? randomUUID());
  await store.receive(Readable.from(['old']));
  await store.receive(Readable.from(['new']));
  const received = await store.receive(Readable.from(['kept']));
  await received.keep('company/file');
  await received.discard();
  await utimes(pathTo('incoming', 'old'), LONG_AGO, LONG_AGO);
  await utimes(pathTo('kept', 'company', 'file'), LONG_AGO, LONG_AGO);
  await store.discardOlderThan(YESTERDAY);
  expect(await readdir(pathTo('incoming'))).toEqual(['new']);
  expect(await readdir(pathTo('kept', 'company'))).toEqual(['file']);
});

it('keeps the same bytes when a transaction is retried, whatever was kept in between', async () => {
  const [mine, theirs] = [await store.receive(Readable.from(['mine'])), await store.receive(Readable.from(['theirs']))];
  await mine.keep('company/file');
  await mine.keep('company/file');
  expect(await readFile(pathTo('kept', 'company', 'file'), 'utf8')).toBe('mine');
  await theirs.keep('company/file');
  expect(await text(mine.peek())).toBe('mine');
  await mine.keep('company/file');
  expect(await readFile(pathTo('kept', 'company', 'file'), 'utf8')).toBe('mine');
  await Promise.all([mine.discard(), theirs.discard()]);
  expect(await readdir(pathTo('incoming'))).toEqual([]);
  expect(await readFile(pathTo('kept', 'company', 'file'), 'utf8')).toBe('mine');
});

it('creates files that other accounts on the machine cannot read', async () => {
  const received = await store.receive(Readable.from(['bytes']));
  await received.keep('company/file');
  const modeOf = async (...parts: string[]) => (await stat(pathTo(...parts))).mode & 0o777;
  expect(await Promise.all([modeOf(), modeOf('incoming'), modeOf('kept'), modeOf('kept', 'company')])).toEqual([
    0o700, 0o700, 0o700, 0o700,
  ]);
  expect(await modeOf('kept', 'company', 'file')).toBe(0o600);
  for (const name of await readdir(pathTo('incoming'))) expect(await modeOf('incoming', name)).toBe(0o600);
});

it('lists files kept long ago', async () => {
  for (const key of ['one/old', 'one/new', 'two/old']) {
    const received = await store.receive(Readable.from([key]));
    await received.keep(key);
    await received.discard();
    if (key.endsWith('old')) await utimes(pathTo('kept', key), LONG_AGO, LONG_AGO);
  }
  expect(await listed(YESTERDAY)).toEqual(['one/old', 'two/old']);
});

it('lists nothing and reports the free space before anything was stored', async () => {
  expect(await listed(new Date())).toEqual([]);
  expect(await store.freeBytes()).toBeGreaterThan(0);
});

it.each(['../outside', 'company/../../outside', '/etc', 'company/file/more', '', '.'])(
  'does nothing under the invalid key "%s"',
  async (key) => {
    const received = await store.receive(Readable.from(['mine']));
    for (const work of [() => store.removeAllOf(key), () => store.remove(key), () => store.open(key), () => received.keep(key)]) {
      await expect((async () => work())()).rejects.toThrow('This is not the key of a file or a company');
    }
    await received.discard();
  },
);
