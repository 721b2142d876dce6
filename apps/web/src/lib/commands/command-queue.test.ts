import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { stubIndexedDb } from '../../../test/indexed-db.ts';
import { createId } from '../create-id.ts';
import { buildUploadLane, type CommandAnswer, createCommandQueue, type SendFailure } from './command-queue.ts';
import { type CommandStorage, createMemoryStorage, deleteCommandStorage, openCommandStorage } from './command-storage.ts';
import type { CommandOwner, QueuedCommand, StoredCommand } from './stored-command.ts';

const SAM = { person: 'sam', company: 'hart' };

class Unreachable extends Error {}
class Refused extends Error {}
class Busy extends Error {}
class SignedOut extends Error {}

function judge(error: unknown): SendFailure {
  if (error instanceof Unreachable) return { kind: 'unreachable' };
  if (error instanceof Busy) return { kind: 'busy' };
  if (error instanceof SignedOut) return { kind: 'signed-out' };
  if (error instanceof Refused) return { kind: 'refused', refusal: { code: 'NOT_FOUND', status: 404, message: error.message } };
  throw error;
}

const buildCommand = (input: string, lane: string, options: Partial<StoredCommand> = {}): StoredCommand => ({
  ...SAM,
  id: createId(),
  call: 'jobs.update',
  input,
  lane,
  after: [],
  madeAt: Date.now(),
  ...options,
});

/** A server that keeps each request open until the test answers it. */
function createServer() {
  const requests: { input: unknown; resolve: (output?: unknown) => void; reject: (error: Error) => void }[] = [];
  const sent: unknown[] = [];
  return {
    sent,
    send: ({ input }: QueuedCommand) => {
      sent.push(input);
      return new Promise((resolve, reject) => requests.push({ input, resolve, reject }));
    },
    listOpen: () => requests.map(({ input }) => input),
    async answer(input: string, error?: Error) {
      const index = requests.findIndex((request) => request.input === input);
      const [request] = requests.splice(index, 1);
      if (!request) throw new Error(`${input} was not sent`);
      if (error) request.reject(error);
      else request.resolve(`saved ${input}`);
      await settled();
    },
  };
}

/** Lets the storage finish, whose events are macrotasks. */
const settled = async () => {
  for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
};

const closeCallbacks: (() => void)[] = [];

function openQueue(storage: CommandStorage, server: ReturnType<typeof createServer>, owner: CommandOwner = SAM) {
  const answers: [unknown, CommandAnswer][] = [];
  const delays: unknown[] = [];
  const queue = createCommandQueue({
    storage,
    owner,
    send: server.send,
    judge,
    onChange: () => undefined,
    onAnswer: ({ input }, answer) => answers.push([input, answer]),
    onDelay: (delayed) => delays.push(delayed.map(({ input }) => input)),
  });
  closeCallbacks.push(queue.close);
  queue.start();
  return { ...queue, answers, delays, listInputs: () => queue.list().map(({ input }) => input) };
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  stubIndexedDb();
});
afterEach(async () => {
  for (const close of closeCallbacks.splice(0)) close();
  vi.useRealTimers();
  await deleteCommandStorage();
});

describe.each([
  ['IndexedDB', openCommandStorage],
  ['memory', async () => createMemoryStorage()],
])('with storage in %s', (_, openStorage) => {
  let storage: CommandStorage;
  let server: ReturnType<typeof createServer>;
  beforeEach(async () => {
    storage = await openStorage();
    closeCallbacks.push(() => storage.close());
    server = createServer();
  });

  test('sends the commands of a lane one after the other, in the order in which they were made', async () => {
    const queue = openQueue(storage, server);
    for (const input of ['start', 'pause', 'complete']) await queue.append(buildCommand(input, 'job:1'));
    expect(server.listOpen()).toEqual(['start']);
    await server.answer('start');
    expect(server.listOpen()).toEqual(['pause']);
    await server.answer('pause');
    await server.answer('complete');
    expect(queue.list()).toEqual([]);
    expect(queue.answers.map(([input]) => input)).toEqual(['start', 'pause', 'complete']);
    expect(queue.answers[0]).toEqual(['start', { output: 'saved start' }]);
  });

  test('sends up to three lanes at a time, and uploads besides', async () => {
    const queue = openQueue(storage, server);
    for (const job of ['1', '2', '3', '4']) await queue.append(buildCommand(`job ${job}`, `job:${job}`));
    for (const photo of ['1', '2', '3']) await queue.append(buildCommand(`photo ${photo}`, buildUploadLane(photo)));
    expect(server.listOpen()).toEqual(['job 1', 'job 2', 'job 3', 'photo 1', 'photo 2']);
    await server.answer('photo 1');
    await server.answer('job 2');
    expect(server.listOpen()).toEqual(['job 1', 'job 3', 'photo 2', 'photo 3', 'job 4']);
  });

  test('sends a command after the earlier commands of the lanes that it names, which do not wait for it', async () => {
    const queue = openQueue(storage, server);
    await queue.append(buildCommand('photo', buildUploadLane('1')));
    await queue.append(buildCommand('new job', 'job:1'));
    await queue.append(buildCommand('comment', 'comments:1', { after: ['job:1', buildUploadLane('1')] }));
    await queue.append(buildCommand('start', 'job:1'));
    expect(server.listOpen()).toEqual(['photo', 'new job']);
    await server.answer('new job');
    expect(server.listOpen()).toEqual(['photo', 'start']);
    await server.answer('photo');
    expect(server.listOpen()).toEqual(['start', 'comment']);
  });

  test('waits while the server is unreachable, then sends everything in order', async () => {
    const queue = openQueue(storage, server);
    for (const input of ['start', 'pause']) await queue.append(buildCommand(input, 'job:1'));
    await queue.append(buildCommand('other', 'job:2'));
    await server.answer('start', new Unreachable());
    await server.answer('other', new Unreachable());
    expect(queue.listInputs()).toEqual(['start', 'pause', 'other']);
    expect(queue.delays).toEqual([
      ['start', 'pause', 'other'],
      ['start', 'pause', 'other'],
    ]);
    expect(server.listOpen()).toEqual([]);
    queue.resume();
    await server.answer('start');
    await server.answer('other');
    await server.answer('pause');
    expect(queue.list()).toEqual([]);
  });

  test('tries again by itself, less and less often', async () => {
    const queue = openQueue(storage, server);
    await queue.append(buildCommand('start', 'job:1'));
    for (const delayMs of [1_000, 2_000, 4_000]) {
      await server.answer('start', new Unreachable());
      vi.advanceTimersByTime(delayMs - 1);
      expect(server.listOpen()).toEqual([]);
      vi.advanceTimersByTime(1);
      expect(server.listOpen()).toEqual(['start']);
    }
  });

  test('a busy server delays one lane, not the others', async () => {
    const queue = openQueue(storage, server);
    await queue.append(buildCommand('start', 'job:1'));
    await queue.append(buildCommand('pause', 'job:1'));
    await server.answer('start', new Busy());
    expect(queue.delays).toEqual([['start', 'pause']]);
    await queue.append(buildCommand('other', 'job:2'));
    expect(server.listOpen()).toEqual(['other']);
    vi.advanceTimersByTime(1_000);
    expect(server.listOpen()).toEqual(['other', 'start']);
  });

  test('a refused command stays with its reason and stops its lane only', async () => {
    const queue = openQueue(storage, server);
    for (const input of ['start', 'pause']) await queue.append(buildCommand(input, 'job:1'));
    await queue.append(buildCommand('comment', 'comments:1', { after: ['job:1'] }));
    await queue.append(buildCommand('other', 'job:2'));
    await server.answer('start', new Refused('Job not found'));
    await server.answer('other');
    expect(queue.list().map(({ input, refusal }) => [input, refusal?.message])).toEqual([
      ['start', 'Job not found'],
      ['pause', undefined],
      ['comment', undefined],
    ]);
    expect(server.listOpen()).toEqual([]);
    await queue.discard(queue.list()[0]?.id ?? '');
    expect(server.listOpen()).toEqual(['pause']);
  });

  test('discards a refused command together with those that build on it', async () => {
    const queue = openQueue(storage, server);
    for (const input of ['start', 'pause']) await queue.append(buildCommand(input, 'job:1'));
    await queue.append(buildCommand('comment', 'comments:1', { after: ['job:1'] }));
    await queue.append(buildCommand('other', 'job:2'));
    await server.answer('start', new Refused('Job not found'));
    await queue.discard(queue.list()[0]?.id ?? '', true);
    expect(queue.listInputs()).toEqual(['other']);
    expect(await storage.list()).toHaveLength(1);
  });

  test('a command that is discarded when its refusal arrives leaves the list', async () => {
    const queue = openQueue(storage, server);
    await queue.append(buildCommand('start', 'job:1'), buildCommand('pause', 'job:1'));
    const id = queue.list()[0]?.id ?? '';
    const answering = server.answer('start', new Refused('No'));
    await Promise.resolve();
    await Promise.all([queue.discard(id), answering]);
    expect(queue.listInputs()).toEqual(['pause']);
    expect(server.listOpen()).toEqual(['pause']);
  });

  test('a change no longer builds on the version that a discarded change of the same record would have led to', async () => {
    const queue = openQueue(storage, server);
    const send = async (command: StoredCommand, error?: Error) => {
      await queue.append(command);
      const { input } = command;
      return { answer: () => server.answer(input as string, error) };
    };
    const refused = buildCommand('', 'job:1', { input: { id: 'job', version: 1 } });
    const first = await send(refused, new Refused('Someone else has changed this record.'));
    await send(buildCommand('', 'job:1', { input: { id: 'job', version: 2 } }));
    await send(buildCommand('', 'job:1', { input: { id: 'other', version: 2 } }));
    await first.answer();
    await queue.discard(refused.id);
    const versions = [
      { id: 'job', version: 1 },
      { id: 'other', version: 2 },
    ];
    expect(queue.list().map(({ input }) => input)).toEqual(versions);
    expect((await storage.list()).map(({ input }) => input)).toEqual(versions);
    expect(server.sent.at(-1)).toEqual({ id: 'job', version: 1 });
  });

  test('sends a refused command again with another input and the same key', async () => {
    const queue = openQueue(storage, server);
    await queue.append(buildCommand('start', 'job:1'));
    await server.answer('start', new Refused('No'));
    const id = queue.list()[0]?.id ?? '';
    await queue.retry(id, 'start later');
    await server.answer('start later');
    expect(queue.answers.at(-1)).toEqual(['start later', { output: 'saved start later' }]);
  });

  test('sends nothing after the session has ended', async () => {
    const queue = openQueue(storage, server);
    await queue.append(buildCommand('start', 'job:1'));
    await server.answer('start', new SignedOut());
    await queue.append(buildCommand('other', 'job:2'));
    vi.advanceTimersByTime(60_000);
    expect(server.listOpen()).toEqual([]);
    queue.close();
    const next = openQueue(storage, server);
    await next.reload();
    expect(server.listOpen()).toEqual(['start', 'other']);
  });

  test("neither sends nor lists another person's commands, or those for another company", async () => {
    const queue = openQueue(storage, server);
    await queue.append(buildCommand('start', 'job:1'));
    queue.close();
    for (const owner of [
      { ...SAM, person: 'mia' },
      { ...SAM, company: 'other' },
    ]) {
      const other = openQueue(storage, createServer(), owner);
      await other.reload();
      expect(other.list()).toEqual([]);
    }
  });

  test('a queue that does not send lists what the sending one has stored', async () => {
    const queue = openQueue(storage, server);
    const mirror = openQueue(storage, createServer());
    mirror.stop();
    await queue.append(buildCommand('start', 'job:1'));
    await mirror.reload();
    expect(mirror.listInputs()).toEqual(['start']);
    await server.answer('start');
    await mirror.reload();
    expect(mirror.list()).toEqual([]);
  });

  describe('a command with a file', () => {
    const lane = buildUploadLane('photo-1');
    const files = [{ id: 'photo-1', name: 'leak.jpg', type: 'image/jpeg' }];
    const appendWithFile = async () => {
      await storage.putFile('photo-1', new Uint8Array([1, 2, 3]).buffer);
      const queue = openQueue(storage, server);
      const comment = buildCommand('comment', 'comments:1', { after: [lane], files });
      await queue.append(buildCommand('photo', lane, { files }), comment);
      return { queue, comment };
    };
    const readFile = async () => {
      const bytes = await storage.findFile('photo-1');
      return bytes && [...new Uint8Array(bytes)];
    };

    test('keeps it after the upload, until the command itself is answered', async () => {
      await appendWithFile();
      expect(server.listOpen()).toEqual(['photo']);
      await server.answer('photo');
      expect(server.listOpen()).toEqual(['comment']);
      expect(await readFile()).toEqual([1, 2, 3]);
      await server.answer('comment');
      expect(await readFile()).toBeUndefined();
    });

    test('is discarded together with the file and its upload', async () => {
      const { queue, comment } = await appendWithFile();
      await server.answer('photo', new Refused('Not a photo'));
      await queue.discard(comment.id);
      expect(queue.list()).toEqual([]);
      expect(await storage.list()).toEqual([]);
      expect(await readFile()).toBeUndefined();
    });
  });
});

test('commands survive a closed tab, in order and with their refusals', async () => {
  const server = createServer();
  const storage = await openCommandStorage();
  const queue = openQueue(storage, server);
  for (const input of ['start', 'pause']) await queue.append(buildCommand(input, 'job:1'));
  await server.answer('start', new Refused('Job not found'));
  await queue.append(buildCommand('other', 'job:2'));
  queue.close();
  storage.close();

  const reopened = await openCommandStorage();
  closeCallbacks.push(() => reopened.close());
  const restarted = createServer();
  const next = openQueue(reopened, restarted);
  await next.reload();
  expect(next.list().map(({ input, refusal }) => [input, refusal?.message])).toEqual([
    ['start', 'Job not found'],
    ['pause', undefined],
    ['other', undefined],
  ]);
  expect(restarted.listOpen()).toEqual(['other']);
});

test('forgets a file that was stored a month ago and is not part of any command', async () => {
  const [old, used, recent] = [createId(Date.now() - 31 * 86_400_000), createId(Date.now() - 31 * 86_400_000), createId()];
  const storage = await openCommandStorage();
  for (const id of [old, used, recent]) await storage.putFile(id, new ArrayBuffer(1));
  await storage.add(buildCommand('comment', 'comments:1', { files: [{ id: used, name: 'leak.jpg', type: 'image/jpeg' }] }));
  storage.close();

  const reopened = await openCommandStorage();
  closeCallbacks.push(() => reopened.close());
  await settled();
  const found = await Promise.all([old, used, recent].map(async (id) => (await reopened.findFile(id)) !== undefined));
  expect(found).toEqual([false, true, true]);
});

test('a command waits for one that another tab has stored just before', async () => {
  const storage = await openCommandStorage();
  const server = createServer();
  const queue = openQueue(storage, server);
  await storage.add(buildCommand('start', 'job:1'));
  await queue.append(buildCommand('pause', 'job:1'));
  await vi.waitFor(() => expect(server.listOpen()).toEqual(['start']));
});

test('a command is listed at once, but sent only when it is stored', async () => {
  const stored = Promise.withResolvers<void>();
  const memory = createMemoryStorage();
  const server = createServer();
  const queue = openQueue({ ...memory, add: (...commands) => stored.promise.then(() => memory.add(...commands)) }, server);
  const appending = queue.append(buildCommand('start', 'job:1'));
  expect([queue.listInputs(), server.listOpen()]).toEqual([['start'], []]);
  stored.resolve();
  await appending;
  expect([queue.listInputs(), server.listOpen()]).toEqual([['start'], ['start']]);
});

test('a command that could not be stored is no longer listed', async () => {
  const queue = openQueue({ ...createMemoryStorage(), add: () => Promise.reject(new Error('No room')) }, createServer());
  await expect(queue.append(buildCommand('start', 'job:1'))).rejects.toThrow('No room');
  expect(queue.list()).toEqual([]);
});

test('a key can be stored only once', async () => {
  const storage = await openCommandStorage();
  closeCallbacks.push(() => storage.close());
  const command = buildCommand('start', 'job:1');
  await storage.add(command);
  await expect(storage.add(command)).rejects.toThrow(/constraint/i);
  expect(await storage.list()).toHaveLength(1);
});
