import { DAY_MS, HOUR_MS } from '@callout/domain/time/time-units';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { stubIndexedDb } from '../../../test/indexed-db.ts';
import { mockUploads } from '../../../test/mock-upload.ts';
import { clearEndedPerson, setSignedInPerson } from '../request-identity.ts';
import { announceSessionEnd } from '../session-end.ts';
import { type CommandStorage, deleteCommandStorage, openCommandStorage, STORAGE_TIMEOUT_MS } from './command-storage.ts';
import { type CallName, type CommandDefinition, defineCommand } from './define-command.ts';
import { isOutboxDurable, listCommands, openOutbox, runCommand as runWith, storeFile, UNSENT } from './outbox.ts';
import type { CommandOwner, StoredFile } from './stored-command.ts';

const SAM: CommandOwner = { person: 'sam', company: 'hart' };
const accepted: [string, unknown][] = [];
const server = { isReachable: true, urls: [] as string[], keys: [] as (string | null)[], ages: [] as (string | null)[] };
let close = () => {};

const runCommand = <Name extends CallName, Variables>(definition: CommandDefinition<Name, Variables>, variables: Variables) =>
  runWith(definition, variables, () => undefined);

const open = (owner = SAM, openStorage?: () => Promise<CommandStorage>) => {
  setSignedInPerson(owner.person);
  close = openOutbox(owner, ({ call }, output) => void accepted.push([call, output]), openStorage);
};

const completeTask = defineCommand<'tasks.setStatus'>({
  call: 'tasks.setStatus',
  lane: ({ id }) => `task:${id}`,
  describe: () => 'Complete task',
});
const complete = (number: number) =>
  runCommand(completeTask, { id: `018f0000-0000-7000-8000-${String(number).padStart(12, '0')}`, status: 'completed' });
const getNumbers = (urls: readonly string[]) => urls.map((url) => Number(/(\d+)\/status$/.exec(url)?.[1]));

beforeEach(() => {
  // Forgets the person of another file's tests.
  announceSessionEnd('expired');
  clearEndedPerson();
  stubIndexedDb();
  accepted.length = 0;
  Object.assign(server, { isReachable: true, urls: [], keys: [], ages: [] });
  vi.stubGlobal('fetch', async (request: Request) => {
    if (!server.isReachable) throw new TypeError('Failed to fetch');
    server.urls.push(request.url);
    server.keys.push(request.headers.get('idempotency-key'));
    server.ages.push(request.headers.get('x-callout-made-ago'));
    return Response.json({ id: 'answer' });
  });
});
afterEach(async () => {
  close();
  vi.useRealTimers();
  announceSessionEnd('expired');
  // Waits until everything is closed.
  await deleteCommandStorage();
  vi.unstubAllGlobals();
});

test('a change made before the outbox is open is stored in it, then sent', async () => {
  const [first, second] = [complete(1), complete(2)];
  expect(server.urls).toEqual([]);
  open();
  await Promise.all([first, second]);
  expect(getNumbers(server.urls)).toEqual([1, 2]);
  expect(accepted).toHaveLength(2);
});

test("a change made before someone else's outbox opens is not sent in that person's name", async () => {
  setSignedInPerson('sam');
  const change = complete(1);
  announceSessionEnd('expired');
  open({ ...SAM, person: 'mia' });
  await expect(change).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
  expect(server.urls).toEqual([]);
});

test('if the storage hangs, a change is kept in memory and sent, and moves into the storage once that opens', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  server.isReachable = false;
  const opening = Promise.withResolvers<CommandStorage>();
  open(SAM, () => opening.promise);
  const change = complete(1);
  await vi.advanceTimersByTimeAsync(STORAGE_TIMEOUT_MS);
  expect(await change).toBe(UNSENT);
  expect(isOutboxDurable()).toBe(false);
  vi.useRealTimers();
  opening.resolve(await openCommandStorage());
  await vi.waitFor(() => expect(isOutboxDurable()).toBe(true));
  const reopened = await openCommandStorage();
  expect(await reopened.list()).toMatchObject([{ call: 'tasks.setStatus', sequence: 1 }]);
  reopened.close();
});

test('without room, a change waits for those made before it, and its answer is shown', async () => {
  server.isReachable = false;
  const storage = await openCommandStorage();
  let isFull = false;
  const add: CommandStorage['add'] = (...commands) =>
    isFull ? Promise.reject(new DOMException('No room', 'QuotaExceededError')) : storage.add(...commands);
  open(SAM, async () => ({ ...storage, add }));
  expect(await complete(1)).toBe(UNSENT);
  expect(isOutboxDurable()).toBe(true);
  isFull = true;
  expect(await complete(1)).toBe(UNSENT);
  expect(isOutboxDurable()).toBe(false);
  server.isReachable = true;
  window.dispatchEvent(new Event('online'));
  await vi.waitFor(() => expect(listCommands()).toEqual([]));
  expect(accepted).toHaveLength(2);
  expect(new Set(server.keys).size).toBe(2);
  expect(isOutboxDurable()).toBe(true);
});

test('a change that this version of the page no longer knows is refused and holds up no other', async () => {
  const removed = defineCommand<CallName, object>({ call: 'tasks.finish' as CallName, lane: () => 'task', describe: () => 'Finish task' });
  open();
  await expect(runCommand(removed, {})).rejects.toMatchObject({ code: 'NOT_FOUND' });
  await complete(1);
  expect(getNumbers(server.urls)).toEqual([1]);
});

test('says how long ago a change was made, even if the clock is a day off or was set back since', async () => {
  server.isReachable = false;
  const start = Date.now() + DAY_MS;
  vi.useFakeTimers({ toFake: ['Date', 'performance'], now: start });
  open();
  expect(await complete(1)).toBe(UNSENT);
  vi.advanceTimersByTime(HOUR_MS);
  vi.setSystemTime(start - DAY_MS);
  server.isReachable = true;
  window.dispatchEvent(new Event('online'));
  await vi.waitFor(() => expect(server.ages).toHaveLength(1));
  expect(server.ages).toEqual([String(HOUR_MS)]);
});

test('a change that is stored while the session ends is kept for the same person', async () => {
  open();
  await vi.waitFor(() => expect(isOutboxDurable()).toBe(true));
  server.isReachable = false;
  const change = complete(1);
  close();
  expect(await change).toBe(UNSENT);
  const storage = await openCommandStorage();
  await vi.waitFor(async () => expect(await storage.list()).toHaveLength(1));
  storage.close();
});

const addPhoto = defineCommand<'comments.add', StoredFile>({
  call: 'comments.add',
  toInput: ({ id }) => ({ id: 'comment-1', job_id: 'job-1', text: '', file_ids: [id] }),
  files: (file) => [file],
  lane: () => 'comments:job-1',
  describe: () => 'Comment',
});
const PHOTO: StoredFile = { id: 'photo-1', name: 'leak.jpg', type: 'image/jpeg' };

test('a photo is stored, uploaded under its id before its comment, and deleted once that is answered', async () => {
  const uploads = mockUploads();
  open();
  expect(await storeFile(PHOTO.id, new TextEncoder().encode('jpeg').buffer)).toBe(true);
  const change = runCommand(addPhoto, PHOTO);
  await vi.waitFor(() => expect(uploads).toHaveLength(1));
  const [sent] = uploads;
  expect([sent?.url, sent?.file?.name, sent?.file?.type, await sent?.file?.text()]).toEqual([
    '/api/files/photo-1',
    'leak.jpg',
    'image/jpeg',
    'jpeg',
  ]);
  expect(server.urls).toEqual([]);
  const storage = await openCommandStorage();
  expect(await storage.findFile(PHOTO.id)).toBeDefined();
  sent?.respond(201, { id: PHOTO.id });
  await change;
  expect(server.urls).toHaveLength(1);
  await vi.waitFor(async () => expect(await storage.findFile(PHOTO.id)).toBeUndefined());
  storage.close();
});

test('a photo that the browser has deleted is refused with the reason', async () => {
  mockUploads();
  open();
  await expect(runCommand(addPhoto, PHOTO)).rejects.toThrow('The browser has deleted this file. Please add it again.');
});
