import { randomUUID } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { MultipartFile } from '@fastify/multipart';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createFailure } from '../errors/failures.ts';
import type { FileStore } from './file-store.ts';
import { createFolderStore } from './folder-store.ts';
import { receiveUpload } from './receive-upload.ts';

const MB = 1024 * 1024;

let folder: string;
let store: FileStore;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'callout-upload-'));
  store = createFolderStore(folder, randomUUID);
});

afterEach(() => rm(folder, { recursive: true, force: true }));

function* generateMegabytes(count: number) {
  for (let n = 0; n < count; n += 1) yield Buffer.alloc(MB);
}

const createUpload = (file: Readable) => ({ file }) as MultipartFile;

it('checks the free space repeatedly while receiving a file, and stops when the disk is full', async () => {
  const sent = Readable.from(generateMegabytes(25));
  const checkedSizes: number[] = [];
  const receiving = receiveUpload(store, createUpload(sent), async (arrived) => {
    checkedSizes.push(arrived);
    if (arrived >= 6 * MB) throw createFailure('DISK_FULL', 'Full');
  });
  await expect(receiving).rejects.toMatchObject({ code: 'DISK_FULL' });
  expect(checkedSizes).toEqual([2 * MB, 4 * MB, 6 * MB]);
  expect(sent.destroyed).toBe(true);
  expect(await readdir(join(folder, 'incoming'))).toEqual([]);
});

it('receives the whole file if there is enough space', async () => {
  const received = await receiveUpload(store, createUpload(Readable.from(generateMegabytes(5))), async () => undefined);
  expect(received.size).toBe(5 * MB);
});

it('reports an interrupted upload and leaves nothing behind', async () => {
  const broken = Readable.from(
    (async function* () {
      yield Buffer.alloc(100);
      throw new Error('aborted');
    })(),
  );
  await expect(receiveUpload(store, createUpload(broken), async () => undefined)).rejects.toMatchObject({ code: 'UNREADABLE' });
  expect(await readdir(join(folder, 'incoming'))).toEqual([]);
});
