import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer, text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { HOUR_MS } from '@callout/domain/time/time-units';
import { afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { openPausableProxy } from '../../../test/pausable-proxy.ts';
import { type S3Server, startS3Server } from '../../../test/s3-server.ts';
import { readDataConfig } from '../../config.ts';
import { createLogger } from '../../log.ts';
import { createFileStore, openFileStore } from './create-file-store.ts';
import { type FileStore, FileStoreError, FileStoreSettingsError } from './file-store.ts';
import { createFolderStore } from './folder-store.ts';
import { translateStreamErrors } from './s3-errors.ts';

let folder: string;
let s3: S3Server;

beforeAll(async () => {
  s3 = await startS3Server();
});

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'callout-files-'));
});

afterEach(() => rm(folder, { recursive: true, force: true }));

const pathTo = (...parts: string[]) => join(folder, 'files', ...parts);

/** Each store has a prefix of its own, because the tests share the bucket. */
async function openS3Store(changes: Record<string, string> = {}): Promise<{ store: FileStore; prefix: string }> {
  const prefix = randomUUID();
  const environment = { ...s3.environment, DATA_DIR: folder, FILES_URL: `${s3.environment['FILES_URL']}/${prefix}`, ...changes };
  return { prefix, store: await createFileStore(readDataConfig(environment), () => new Date()) };
}

const STORES: Record<string, () => Promise<FileStore>> = {
  'a folder': async () => createFolderStore(pathTo(), randomUUID),
  'a bucket': async () => (await openS3Store()).store,
};

async function save(store: FileStore, key: string, bytes: Buffer | string = key): Promise<void> {
  const received = await store.receive(Readable.from([bytes]));
  await received.transfer('one');
  await received.saveAs(key);
  await received.discard();
}

async function listKeys(store: FileStore, time: Date): Promise<string[]> {
  const keys: string[] = [];
  for await (const key of store.listKeysBefore(time)) keys.push(key);
  return keys.toSorted();
}

const readText = async (store: FileStore, key: string) => {
  const bytes = await store.open(key);
  return bytes && text(bytes);
};

const getLater = () => new Date(Date.now() + HOUR_MS);
/** Longer than a connection to the bucket may be idle before the response. */
const READER_PAUSE_MS = 25_000;
const LONG_AGO = new Date('2026-11-13T00:00:00Z');
const YESTERDAY = new Date('2026-11-14T00:00:00Z');

describe.each(Object.entries(STORES))('%s', (_, openStore) => {
  let store: FileStore;

  beforeEach(async () => {
    store = await openStore();
  });

  it('returns the bytes that were saved under a key, and nothing for other keys', async () => {
    const large = randomBytes(700_000);
    await save(store, 'one/large', large);
    await save(store, 'one/small', 'small');
    await save(store, 'one/empty', Buffer.alloc(0));
    expect((await buffer((await store.open('one/large')) ?? Readable.from([]))).equals(large)).toBe(true);
    expect([await readText(store, 'one/small'), await readText(store, 'one/empty')]).toEqual(['small', '']);
    expect([await store.open('one/other'), await store.has('one/other'), await store.has('one/small')]).toEqual([null, false, true]);
  });

  it('saves the same bytes again when a transaction is retried, even if others were saved in between', async () => {
    const [mine, theirs] = [randomBytes(400_000).toString('hex'), 'theirs'];
    const received = [await store.receive(Readable.from([mine])), await store.receive(Readable.from([theirs]))] as const;
    await Promise.all(received.map((file) => file.transfer('one')));
    for (const file of [received[0], received[0], received[1]]) await file.saveAs('company/file');
    expect(await readText(store, 'company/file')).toBe(theirs);
    expect(await text(received[0].peek())).toBe(mine);
    await received[0].saveAs('company/file');
    await Promise.all(received.map((file) => file.discard()));
    expect(await readText(store, 'company/file')).toBe(mine);
  });

  it('keeps nothing of a file that was received but never saved', async () => {
    const received = await store.receive(Readable.from([randomBytes(400_000)]));
    await received.transfer('one');
    await received.discard();
    expect(await listKeys(store, getLater())).toEqual([]);
    expect(await readdir(pathTo('incoming'))).toEqual([]);
  });

  it('removes several files at once, including ones that do not exist', async () => {
    for (const key of ['one/a', 'one/b', 'two/a']) await save(store, key);
    await store.remove(['one/a', 'one/missing', 'two/a']);
    await store.remove([]);
    expect(await listKeys(store, getLater())).toEqual(['one/b']);
  });

  it('removes all files of a company and no others, even if its id is the start of another', async () => {
    for (const key of ['one/a', 'one/b', 'one2/a']) await save(store, key);
    await store.removeCompany('one');
    await store.removeCompany('nobody');
    expect(await listKeys(store, getLater())).toEqual(['one2/a']);
  });

  it('lists the keys of files saved before a given time', async () => {
    expect(await listKeys(store, getLater())).toEqual([]);
    for (const key of ['one/a', 'one/b', 'two/a']) await save(store, key);
    expect(await listKeys(store, getLater())).toEqual(['one/a', 'one/b', 'two/a']);
    expect(await listKeys(store, YESTERDAY)).toEqual([]);
  });

  it('reports the free space for incoming files before any file is stored', async () => {
    expect(await store.freeBytes()).toBeGreaterThan(0);
  });

  it.each(['../outside', 'company/../../outside', '/etc', 'company/file/more', '', '.'])('rejects the invalid key "%s"', async (key) => {
    const received = await store.receive(Readable.from(['mine']));
    const uses = [() => store.removeCompany(key), () => store.remove([key]), () => store.open(key), () => store.has(key)];
    for (const use of [...uses, () => received.saveAs(key)]) {
      await expect((async () => use())()).rejects.toThrow('Not a valid file or company key');
    }
    await received.discard();
  });

  it('is restored into only if it is empty, and is empty again after a restore that failed', async () => {
    await store.requireEmpty();
    const failed = await store.startRestore();
    for (let n = 0; n < 20; n += 1) expect(await failed.save(`one/${n}`, Readable.from([`file ${n}`]))).toBeGreaterThan(5);
    await failed.discard();
    await store.requireEmpty();
    expect(await listKeys(store, getLater())).toEqual([]);

    // A killed restore never calls `discard` or `finish`.
    const killed = await store.startRestore();
    await killed.save('one/killed', Readable.from(['killed']));
    await store.requireEmpty();
    const restore = await store.startRestore();
    await restore.save('one/restored', Readable.from(['restored']));
    await restore.finish();
    await restore.complete();
    expect(await listKeys(store, getLater())).toEqual(['one/restored']);
    await expect(store.requireEmpty()).rejects.toThrow(/already contains files\. Restore into an empty (folder|one)\.$/);
  });
});

describe('a folder', () => {
  it('discards only old uploads that were never saved', async () => {
    const names = ['old', 'new', 'kept'];
    const store = createFolderStore(pathTo(), () => names.shift() ?? randomUUID());
    await store.receive(Readable.from(['old']));
    await store.receive(Readable.from(['new']));
    await save(store, 'company/file');
    await utimes(pathTo('incoming', 'old'), LONG_AGO, LONG_AGO);
    await utimes(pathTo('kept', 'company', 'file'), LONG_AGO, LONG_AGO);
    await store.discardUploadsBefore(YESTERDAY);
    expect(await readdir(pathTo('incoming'))).toEqual(['new']);
    expect(await listKeys(store, YESTERDAY)).toEqual(['company/file']);
  });

  it('creates files that other accounts on the machine cannot read', async () => {
    const store = createFolderStore(pathTo(), randomUUID);
    const received = await store.receive(Readable.from(['bytes']));
    await received.saveAs('company/file');
    const readMode = async (...parts: string[]) => (await stat(pathTo(...parts))).mode & 0o777;
    expect(await Promise.all([readMode(), readMode('incoming'), readMode('kept'), readMode('kept', 'company')])).toEqual([
      0o700, 0o700, 0o700, 0o700,
    ]);
    expect(await readMode('kept', 'company', 'file')).toBe(0o600);
    for (const name of await readdir(pathTo('incoming'))) expect(await readMode('incoming', name)).toBe(0o600);
  });
});

describe('a server that stores files in a bucket', () => {
  /** Opens the store as a start does, and returns the warnings. */
  async function start(changes: Record<string, string>): Promise<string[]> {
    const lines: string[] = [];
    const log = createLogger('warn', { write: (line) => void lines.push(line) });
    await openFileStore(readDataConfig({ ...s3.environment, DATA_DIR: folder, ...changes }), () => new Date(), log);
    return lines;
  }

  it('starts without a warning if the store answers', async () => {
    expect(await start({})).toEqual([]);
  });

  it('does not start if the store refuses its settings, or if the endpoint is no file store', async () => {
    await expect(start({ FILES_URL: 's3://unknown' })).rejects.toThrow(FileStoreSettingsError);
    await expect(start({ FILES_URL: 'file:///tmp', FILES_FROM_URL: 's3://unknown' })).rejects.toThrow(FileStoreSettingsError);
    const other = createHttpServer((_request, response) => void response.writeHead(404).end('<html>Not found</html>'));
    onTestFinished(() => void other.close());
    await new Promise<void>((resolve) => void other.listen(0, '127.0.0.1', resolve));
    const { port } = other.address() as AddressInfo;
    await expect(start({ S3_ENDPOINT: `http://127.0.0.1:${port}` })).rejects.toThrow(/Check FILES_URL, S3_ENDPOINT and S3_REGION\.$/);
  });

  it('starts with a warning while the store is down', async () => {
    const [line = ''] = await start({ S3_ENDPOINT: 'http://127.0.0.1:1' });
    expect(JSON.parse(line)).toMatchObject({ part: 'files', reason: 'The file store cannot be reached (ECONNREFUSED).' });
  });
});

describe('a folder that is a mount point or has a slash at the end', () => {
  it('is restored into without being replaced itself', async () => {
    const environment = { DATA_DIR: folder, FILES_URL: `file://${pathTo()}/` };
    await mkdir(pathTo());
    const { ino } = await stat(pathTo());
    const store = await createFileStore(readDataConfig(environment), () => new Date());
    await store.requireEmpty();
    const restore = await store.startRestore();
    await restore.save('one/a', Readable.from(['a']));
    await restore.finish();
    await restore.complete();
    expect([(await stat(pathTo())).ino, await readdir(folder), await readdir(pathTo())]).toEqual([ino, ['files'], ['kept']]);
    expect(await readText(store, 'one/a')).toBe('a');
  });
});

describe('a bucket in which a restore was killed', () => {
  let store: FileStore;

  beforeEach(async () => {
    ({ store } = await openS3Store());
    const killed = await store.startRestore();
    await killed.save('one/restored', Readable.from(['restored']));
    await killed.finish();
  });

  it('keeps files that people have uploaded since, because the next restore refuses it', async () => {
    await save(store, 'one/uploaded');
    await expect(store.requireEmpty()).rejects.toThrow('already contains files');
    await expect(store.startRestore()).rejects.toThrow('already contains files');
    expect(await listKeys(store, getLater())).toEqual(['one/restored', 'one/uploaded']);
  });

  it('keeps the restored files once a server has started on them', async () => {
    await store.endKilledRestore();
    await expect(store.requireEmpty()).rejects.toThrow('already contains files');
    expect(await listKeys(store, getLater())).toEqual(['one/restored']);
  });

  it('is restored into again before that', async () => {
    const restore = await store.startRestore();
    await restore.save('one/other', Readable.from(['other']));
    await restore.finish();
    await restore.complete();
    expect(await listKeys(store, getLater())).toEqual(['one/other']);
  });

  it('keeps uploads also if a running restore is stopped', async () => {
    const restore = await store.startRestore();
    await restore.save('one/other', Readable.from(['other']));
    await save(store, 'one/uploaded');
    await restore.discard();
    expect(await listKeys(store, getLater())).toEqual(['one/uploaded']);
  });
});

describe('a bucket', () => {
  it('that hangs fails each request in time', async () => {
    const proxy = await openPausableProxy(s3.endpoint);
    const { store } = await openS3Store({ S3_ENDPOINT: proxy.url });
    for (const key of ['one/a', 'one/kept']) await save(store, key);
    proxy.pause();
    const small = await store.receive(Readable.from(['small']));
    const uses = [store.open('one/a'), store.has('one/a'), store.remove(['one/a']), small.saveAs('one/b')];
    const late = 'FileStoreError: The file store did not answer in time.';
    expect((await Promise.allSettled(uses)).map((result) => 'reason' in result && String(result.reason))).toEqual(uses.map(() => late));
    proxy.resume();
    expect(await readText(store, 'one/kept')).toBe('one/kept');
  });

  it('that a proxy answers for with a page of its own has not saved a file', async () => {
    const page = createHttpServer((request, response) => {
      request
        .resume()
        .on('end', () => response.writeHead(200, { 'content-type': 'text/html' }).end('<html>Sign in to this network</html>'));
    });
    await once(page.listen(0, '127.0.0.1'), 'listening');
    const { store } = await openS3Store({ S3_ENDPOINT: `http://127.0.0.1:${(page.address() as AddressInfo).port}` });
    for (const size of [10, 400_000]) await expect(save(store, 'one/a', randomBytes(size))).rejects.toThrow(FileStoreError);
    page.close();
    page.closeAllConnections();
  });

  it('deletes without a checksum that some services lack', async () => {
    const methods: string[] = [];
    const service = createHttpServer((request, response) => {
      methods.push(`${request.method} ${String(Object.keys(request.headers).some((name) => name.startsWith('x-amz-checksum')))}`);
      request.resume().on('end', () => response.writeHead(204).end());
    });
    await once(service.listen(0, '127.0.0.1'), 'listening');
    const { store } = await openS3Store({ S3_ENDPOINT: `http://127.0.0.1:${(service.address() as AddressInfo).port}` });
    await store.remove(['one/a', 'one/b']);
    expect(methods).toEqual(['DELETE false', 'DELETE false']);
    service.close();
    service.closeAllConnections();
  });

  it('closes the connection of a download that was canceled while it waited for bytes', async () => {
    const proxy = await openPausableProxy(s3.endpoint);
    const { store } = await openS3Store({ S3_ENDPOINT: proxy.url });
    await save(store, 'one/a', randomBytes(20_000_000));
    const before = proxy.countConnections();
    const [unread, waiting] = [await store.open('one/a'), await store.open('one/a')];
    proxy.pause();
    const reading = buffer(waiting ?? Readable.from([])).catch(() => undefined);
    expect(proxy.countConnections()).toBe(before + 2);
    unread?.destroy();
    waiting?.destroy();
    proxy.resume();
    await expect.poll(() => proxy.countConnections()).toBe(before);
    await reading;
  });

  it('keeps a download open while its reader pauses', async () => {
    const { store } = await openS3Store();
    const bytes = randomBytes(20_000_000);
    await save(store, 'one/a', bytes);
    const download = (await store.open('one/a')) ?? Readable.from([]);
    await pause(READER_PAUSE_MS);
    expect((await buffer(download)).equals(bytes)).toBe(true);
  });

  it('rejects a wrong secret, an unknown key and an unknown bucket with a message that contains none of them', async () => {
    const problems: [Record<string, string>, string][] = [
      [{ AWS_SECRET_ACCESS_KEY: 'hunter2' }, 'The file store rejected the secret key. Check AWS_SECRET_ACCESS_KEY and S3_REGION.'],
      [{ AWS_ACCESS_KEY_ID: 'hunter2' }, 'The file store does not know the access key. Check AWS_ACCESS_KEY_ID.'],
      [{ FILES_URL: 's3://hunter2' }, 'The bucket in FILES_URL does not exist.'],
    ];
    for (const [changes, message] of problems) {
      const { store } = await openS3Store(changes);
      await expect(store.requireAccess()).rejects.toThrow(new FileStoreSettingsError(message));
      await expect(save(store, 'one/a')).rejects.toThrow(new FileStoreSettingsError(message));
      await expect(store.open('one/a')).rejects.toThrow(new FileStoreSettingsError(message));
    }
  });

  it('lists and deletes more files than fit into one response', async () => {
    const { store, prefix } = await openS3Store();
    const companyFolder = join(s3.bucketFolder, prefix, 'kept', 'one');
    await mkdir(companyFolder, { recursive: true });
    const ids = Array.from({ length: 1_003 }, () => randomUUID());
    for (const id of ids) await writeFile(join(companyFolder, `${id}._S3rver_object`), 'x');
    await save(store, 'two/a');
    expect(await listKeys(store, getLater())).toEqual([...ids.map((id) => `one/${id}`), 'two/a'].toSorted());
    await store.removeCompany('one');
    expect(await listKeys(store, getLater())).toEqual(['two/a']);
  });

  it('discards old files that were sent but never saved', async () => {
    const { store, prefix } = await openS3Store();
    const received = await store.receive(Readable.from([randomBytes(400_000)]));
    await received.transfer('one');
    const incoming = join(s3.bucketFolder, prefix, 'incoming');
    await store.discardUploadsBefore(YESTERDAY);
    expect(await readdir(incoming)).toHaveLength(3);
    await store.discardUploadsBefore(getLater());
    await expect(readdir(incoming)).rejects.toThrow('ENOENT');
  });

  it('saves a small file while as many large uploads as are sent at a time get no answer', async () => {
    const sockets: Socket[] = [];
    const silent = createServer((socket) => void sockets.push(socket.on('error', () => undefined))).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const { store: stuck } = await openS3Store({ S3_ENDPOINT: `http://127.0.0.1:${(silent.address() as AddressInfo).port}` });
    const large = await Promise.all(Array.from({ length: 16 }, () => stuck.receive(Readable.from([randomBytes(400_000)]))));
    const sending = Promise.allSettled(large.map((file, index) => file.transfer(`firm ${index % 4}`)));
    await expect.poll(() => sockets.length, { timeout: 20_000 }).toBeGreaterThanOrEqual(16);
    const { store } = await openS3Store();
    await save(store, 'one/small', 'small');
    expect(await readText(store, 'one/small')).toBe('small');
    silent.close();
    for (const socket of sockets) socket.destroy();
    expect((await sending).map(({ status }) => status)).toEqual(Array.from({ length: 16 }, () => 'rejected'));
    await Promise.all(large.map((file) => file.discard()));
  });

  it('stores a file in parts, and nothing of one that was interrupted by a crash of the store', async () => {
    const { store } = await openS3Store();
    const bytes = randomBytes(25_000_000);
    const received = await store.receive(Readable.from([bytes]));
    const sending = received.transfer('one');
    sending.catch(() => undefined);
    await expect
      .poll(() => readdir(join(s3.bucketFolder, '._S3rver_uploads'), { recursive: true }).catch(() => []))
      .toContainEqual(expect.stringMatching(/\/1\.md5$/));
    await s3.kill();
    await expect(sending).rejects.toThrow(FileStoreError);
    const down = new FileStoreError('The file store cannot be reached (ECONNREFUSED).');
    const uses = [() => received.transfer('one'), () => store.open('one/a'), () => store.has('one/a'), () => store.remove(['one/a'])];
    for (const use of [...uses, () => listKeys(store, getLater())]) await expect(use()).rejects.toThrow(down);

    await s3.restart();
    expect(await listKeys(store, getLater())).toEqual([]);
    await received.transfer('one');
    await received.saveAs('one/a');
    await received.discard();
    expect((await buffer((await store.open('one/a')) ?? Readable.from([]))).equals(bytes)).toBe(true);
    expect(await readdir(pathTo('incoming'))).toEqual([]);
  });

  it('signs URLs that stay the same for minutes, cannot be altered, and send the given headers', async () => {
    const { store } = await openS3Store({ FILES_SIGNED_READS: '1' });
    await save(store, 'one/a', 'leak');
    const headers = { contentType: 'image/png', contentDisposition: `inline; filename*=UTF-8''leck%20(1).png` };
    const url = (await store.signRead('one/a', headers)) ?? '';
    const response = await fetch(url);
    expect([response.status, await response.text()]).toEqual([200, 'leak']);
    expect([response.headers.get('content-type'), response.headers.get('content-disposition')]).toEqual(Object.values(headers));
    expect(await store.getReadOrigin()).toBe(s3.endpoint);
    expect((await fetch(url.replace('/kept/one/a', '/kept/one/b'))).status).toBe(403);
    expect((await fetch(url.replace('inline', 'attachment'))).status).toBe(403);
    expect(await store.signRead('one/missing', headers)).toBeNull();
    expect(await (await openS3Store()).store.signRead('one/a', headers)).toBeNull();
  });

  it('reports a connection that breaks while a file is read', async () => {
    const { store } = await openS3Store();
    await save(store, 'one/a', randomBytes(20_000_000));
    const bytes = await store.open('one/a');
    await s3.kill();
    await expect(buffer(bytes ?? Readable.from([]))).rejects.toThrow(FileStoreError);
  });

  it('reports a connection that broke before the file was read', async () => {
    const response = new Readable({ read: () => undefined });
    const bytes = translateStreamErrors(response);
    response.destroy(new Error('aborted'));
    await vi.waitUntil(() => bytes.destroyed);
    await expect(buffer(bytes)).rejects.toThrow(FileStoreError);
  });
});
