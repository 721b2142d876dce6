import { randomUUID } from 'node:crypto';
import { mkdtemp, readdir, rm, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { folderStore } from './file-store.ts';

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'callout-files-'));
});

afterAll(() => rm(folder, { recursive: true, force: true }));

it('throws away what came in long ago and was never kept, and nothing else', async () => {
  const names = ['old', 'new', 'kept'];
  const store = folderStore(folder, () => names.shift() ?? randomUUID());
  await store.receive(Readable.from(['old']));
  await store.receive(Readable.from(['new']));
  await (await store.receive(Readable.from(['kept']))).keep('company/file');
  const long = new Date('2026-11-13T00:00:00Z');
  await utimes(join(folder, 'incoming', 'old'), long, long);
  await utimes(join(folder, 'kept', 'company', 'file'), long, long);
  await store.discardOlderThan(new Date('2026-11-14T00:00:00Z'));
  expect(await readdir(join(folder, 'incoming'))).toEqual(['new']);
  expect(await readdir(join(folder, 'kept', 'company'))).toEqual(['file']);
});
