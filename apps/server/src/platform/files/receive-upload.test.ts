import { randomUUID } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { MultipartFile } from '@fastify/multipart';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { failure } from '../errors/failures.ts';
import { type FileStore, folderStore } from './file-store.ts';
import { receiveUpload } from './receive-upload.ts';

const MB = 1024 * 1024;

let folder: string;
let store: FileStore;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'callout-upload-'));
  store = folderStore(folder, randomUUID);
});

afterEach(() => rm(folder, { recursive: true, force: true }));

function* megabytes(count: number) {
  for (let n = 0; n < count; n += 1) yield Buffer.alloc(MB);
}

const uploadOf = (file: Readable) => ({ file }) as MultipartFile;

it('checks for free space repeatedly while a file arrives, and stops when there is none', async () => {
  const sent = Readable.from(megabytes(25));
  const looked: number[] = [];
  const receiving = receiveUpload(store, uploadOf(sent), async (arrived) => {
    looked.push(arrived);
    if (arrived >= 6 * MB) throw failure('DISK_FULL', 'Full');
  });
  await expect(receiving).rejects.toMatchObject({ code: 'DISK_FULL' });
  expect(looked).toEqual([2 * MB, 4 * MB, 6 * MB]);
  expect(sent.destroyed).toBe(true);
  expect(await readdir(join(folder, 'incoming'))).toEqual([]);
});

it('receives the whole file while there is space', async () => {
  const received = await receiveUpload(store, uploadOf(Readable.from(megabytes(5))), async () => undefined);
  expect(received.size).toBe(5 * MB);
});

it('reports an interrupted connection as such and leaves nothing behind', async () => {
  const broken = Readable.from(
    (async function* () {
      yield Buffer.alloc(100);
      throw new Error('aborted');
    })(),
  );
  await expect(receiveUpload(store, uploadOf(broken), async () => undefined)).rejects.toMatchObject({ code: 'UNREADABLE' });
  expect(await readdir(join(folder, 'incoming'))).toEqual([]);
});
