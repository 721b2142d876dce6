import { api } from '../api.ts';
import { contractRoutes } from '../contract-routes.ts';
import { createId } from '../create-id.ts';
import { CallError, getRetryAfterSeconds, hasErrorCode, isServerUnreachable, isSignedOutError } from '../error-messages.ts';
import { type CommandKey, createSamePersonCheck } from '../request-identity.ts';
import { runInOneTab } from '../tab-leader.ts';
import { uploadFileOnce } from '../upload-file.ts';
import { buildUploadLane, type CommandQueue, createCommandQueue, type SendFailure } from './command-queue.ts';
import {
  type CommandStorage,
  createMemoryStorage,
  moveCommands,
  openCommandStorage,
  STORAGE_TIMEOUT_MS,
  withMemoryFallback,
} from './command-storage.ts';
import { type CallName, type CallOutput, type CommandDefinition, findDefinition, getVariables } from './define-command.ts';
import {
  type CommandOwner,
  findDependents,
  type QueuedCommand,
  type Refusal,
  type StoredCommand,
  type StoredFile,
  UPLOAD_CALL,
} from './stored-command.ts';

/** The outcome of a command that is stored, but that the server hasn't answered yet. */
export const UNSENT = Symbol('unsent');
export type Unsent = typeof UNSENT;

/** Rejects a command that started where a refused one would have ended. The refusal has been reported. */
export class TakenBackError extends Error {}

const CHANNEL_NAME = 'callout-commands';
const SENDER_LOCK = 'callout-sender';
/** Somewhat longer than a request may take. After that, the page no longer waits for the answer, but the command does. */
const MAX_WAIT_MS = 25_000;
/** How long a command waits for the outbox, which the page opens as soon as it knows who is signed in. */
const MAX_OPENING_MS = 10_000;

/** Tells other tabs what has happened to a command that this tab has sent or stored. */
type TabMessage =
  | { readonly kind: 'stored' }
  | { readonly kind: 'accepted'; readonly command: QueuedCommand; readonly output: unknown }
  | { readonly kind: 'refused'; readonly command: QueuedCommand }
  | { readonly kind: 'delayed'; readonly ids: readonly string[] };

interface Waiter {
  readonly resolve: (output: unknown) => void;
  readonly reject: (error: unknown) => void;
}

interface Outbox {
  readonly owner: CommandOwner;
  readonly queue: CommandQueue;
  readonly storage: CommandStorage;
  /** Tells the other tabs. Does nothing once the outbox is closed. */
  readonly post: (message: TabMessage) => void;
}

type AcceptedListener = (command: QueuedCommand, output: unknown) => void;

let outbox: Outbox | undefined;
/** Commands that were made before the outbox was open. */
const openListeners = new Set<(opened: Outbox) => void>();
/** When this tab's unsent commands were made, by the page's monotonic clock, which nobody can set back. */
const monotonicTimes = new Map<string, number>();
/** What this tab's commands wait for, by command id. */
const waiters = new Map<string, Waiter>();
const listeners = new Set<() => void>();
const NOBODY: CommandOwner = { person: '', company: '' };
const NO_COMMANDS: readonly QueuedCommand[] = [];

export const listCommands = (): readonly QueuedCommand[] => outbox?.queue.list() ?? NO_COMMANDS;

export function subscribeToCommands(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** False if closing the tab would lose something unsent, because the browser stores nothing or has no room left. */
export const isOutboxDurable = () => outbox?.storage.isDurable ?? false;

/**
 * Opens the outbox of the person who is signed in and starts sending what earlier visits have left. `onAccepted` is called in every tab, in
 * the task in which the command leaves the list. Returns a function that closes the outbox.
 */
export function openOutbox(
  owner: CommandOwner,
  onAccepted: AcceptedListener,
  openStorage: () => Promise<CommandStorage> = openCommandStorage,
): () => void {
  const closing = new AbortController();
  void openAndConnect(owner, onAccepted, openStorage(), closing.signal);
  return () => closing.abort();
}

async function openAndConnect(
  owner: CommandOwner,
  onAccepted: AcceptedListener,
  opening: Promise<CommandStorage>,
  signal: AbortSignal,
): Promise<void> {
  const opened = opening.then(withMemoryFallback).catch(() => createMemoryStorage());
  const timeout = new Promise<undefined>((resolve) => setTimeout(resolve, STORAGE_TIMEOUT_MS));
  const memory = (await Promise.race([opened, timeout])) ? undefined : createMemoryStorage();
  if (memory && !signal.aborted) {
    const untilOpened = new AbortController();
    const queue = connect(memory, owner, onAccepted, AbortSignal.any([signal, untilOpened.signal]));
    await opened;
    untilOpened.abort();
    // Waits for a command that is just being kept.
    await queue.reload();
  }
  const storage = await opened;
  if (signal.aborted) return storage.close();
  // It follows what earlier visits have left.
  if (memory) await moveCommands(memory, storage);
  connect(storage, owner, onAccepted, signal);
}

function connect(storage: CommandStorage, owner: CommandOwner, onAccepted: AcceptedListener, signal: AbortSignal): CommandQueue {
  const tabs = new BroadcastChannel(CHANNEL_NAME);
  const post = (message: TabMessage) => signal.aborted || tabs.postMessage(message);
  const queue = createCommandQueue({
    storage,
    owner,
    send: (command) => sendCommand(command, storage),
    judge: judgeFailure,
    onChange: () => {
      for (const listener of listeners) listener();
    },
    onAnswer: (command, answer) => {
      monotonicTimes.delete(command.id);
      if ('refusal' in answer) {
        if (!rejectWaiter(command)) post({ kind: 'refused', command });
        return;
      }
      post({ kind: 'accepted', command, output: answer.output });
      onAccepted(command, answer.output);
      if (findDefinition(command.call)?.endsAsShown?.(answer.output as never, getVariables(command)) === false) takeBackChained(command);
      settleWaiter(command.id, answer.output);
    },
    onDelay: (commands) => {
      const ids = commands.map(({ id }) => id);
      post({ kind: 'delayed', ids });
      for (const id of ids) settleWaiter(id, UNSENT);
    },
  });
  tabs.addEventListener('message', ({ data }: MessageEvent<TabMessage>) => {
    if (data.kind === 'delayed') for (const id of data.ids) settleWaiter(id, UNSENT);
    else if (data.kind === 'refused') void queue.reload().then(() => rejectWaiter(data.command));
    else {
      if (data.kind === 'accepted' && queue.list().some(({ id }) => id === data.command.id)) onAccepted(data.command, data.output);
      if (data.kind === 'accepted') settleWaiter(data.command.id, data.output);
      void queue.reload();
    }
  });
  const resume = () => queue.resume();
  window.addEventListener('online', resume, { signal });
  document.addEventListener('visibilitychange', () => document.hidden || resume(), { signal });
  const stopSending = runInOneTab(SENDER_LOCK, () => {
    queue.start();
    return () => queue.stop();
  });
  const opened: Outbox = { owner, queue, storage, post };
  outbox = opened;
  signal.addEventListener('abort', () => {
    stopSending();
    queue.close();
    // After what is just being stored.
    void queue.reload().then(storage.close);
    tabs.close();
    outbox = undefined;
    // Their answers will never come to this tab.
    for (const id of waiters.keys()) settleWaiter(id, UNSENT);
  });
  void queue.reload();
  for (const resolve of openListeners) resolve(opened);
  openListeners.clear();
  return queue;
}

function settleWaiter(id: string, output: unknown): void {
  waiters.get(id)?.resolve(output);
  waiters.delete(id);
}

/**
 * Reports a refusal to whoever waits for it. Returns true if they decide what happens. Otherwise, the command stays among the unsent changes.
 */
function rejectWaiter(command: QueuedCommand): boolean {
  const { id, call, refusal } = command;
  if (!refusal) return false;
  if (call === UPLOAD_CALL) rejectUploaders(command, refusal);
  const waiter = waiters.get(id);
  if (!waiter) return false;
  takeBackChained(command);
  if (!findDefinition(call)?.keepsRefused) {
    takeBack(command, toError(refusal));
    return true;
  }
  waiters.delete(id);
  waiter.reject(toError(refusal));
  return false;
}

/** Removes a command, whoever waits for it. */
function takeBack({ id }: QueuedCommand, reason: Error): void {
  void outbox?.queue.discard(id).then(() => outbox?.post({ kind: 'stored' }));
  waiters.get(id)?.reject(reason);
  waiters.delete(id);
}

/** Takes back the commands that start where this one should have ended, and that this page still waits for. */
function takeBackChained({ call, lane, sequence }: QueuedCommand): void {
  if (!findDefinition(call)?.isChained) return;
  const later = listCommands().filter((other) => other.call === call && other.lane === lane && other.sequence > sequence);
  for (const command of later.filter(({ id }) => waiters.has(id)))
    takeBack(command, new TakenBackError('An earlier change was not accepted'));
}

/** Reports a refused file to whoever waits for the command that needs it. */
function rejectUploaders({ id: uploadId, lane }: QueuedCommand, refusal: Refusal): void {
  for (const { id, after } of findDependents(listCommands(), uploadId)) {
    if (!after.includes(lane)) continue;
    waiters.get(id)?.reject(toUploadError(refusal));
    waiters.delete(id);
  }
}

export const toError = ({ code, status, message, data }: Refusal) => new CallError(code, { status, message, data });

/** The server has refused a file that the command needs. */
export class UploadError extends CallError {}
const toUploadError = ({ code, status, message, data }: Refusal) => new UploadError(code, { status, message, data });

/** Sends what waits, because the server has just answered something else. */
export const resumeSending = () => outbox?.queue.resume();
export const reloadCommands = async () => outbox?.queue.reload();
export const retryCommand = async (id: string, input?: unknown) => outbox?.queue.retry(id, input);
export const discardCommand = async (id: string, withDependents = false) => outbox?.queue.discard(id, withDependents);

/** Undefined if someone else has signed in meanwhile: nobody sees another person's files. */
const openStorage = async () => (outbox ?? (await waitForOutbox().catch(() => undefined)))?.storage;

/** Stores a file for a command. Returns false if there is no room, so that closing the page would lose it. */
export const storeFile = async (id: string, bytes: ArrayBuffer) => (await openStorage())?.putFile(id, bytes) ?? false;
export const findStoredFile = async (id: string) => (await openStorage())?.findFile(id);
export const removeStoredFiles = async (ids: readonly string[]) => (await openStorage())?.removeFiles(ids);

/**
 * Makes a change. Resolves with the server's answer, or with `UNSENT` once the command is stored and can't be sent now. Rejects if the server
 * refuses the change while the page waits. `onAccepted` is called only for a command that was sent without being stored.
 */
export async function runCommand<Name extends CallName, Variables>(
  definition: CommandDefinition<Name, Variables>,
  variables: Variables,
  onAccepted: (command: QueuedCommand, output: unknown) => void,
): Promise<CallOutput<Name> | Unsent> {
  const { call, toInput, lane, after } = definition;
  const files = definition.files?.(variables) ?? [];
  const id = createId();
  const [madeAt, madeAtMonotonic] = [Date.now(), performance.now()];
  const opened = outbox ?? (await waitForOutbox());
  const owner = opened?.owner ?? NOBODY;
  const uploads = files.map((file): StoredCommand => {
    const { id: fileId } = file;
    return { ...owner, id: createId(), call: UPLOAD_CALL, input: file, files: [file], lane: buildUploadLane(fileId), after: [], madeAt };
  });
  const command: StoredCommand = {
    ...owner,
    id,
    call,
    input: toInput ? toInput(variables) : variables,
    ...(toInput && { details: variables }),
    ...(files.length > 0 && { files }),
    lane: lane(variables),
    after: [...(after?.(variables) ?? []), ...uploads.map((upload) => upload.lane)],
    madeAt,
  };
  if (!opened) {
    const output = await sendCall(command);
    onAccepted({ ...command, sequence: 0 }, output);
    return output as CallOutput<Name>;
  }
  const answer = new Promise((resolve, reject) => waiters.set(id, { resolve, reject }));
  monotonicTimes.set(id, madeAtMonotonic);
  try {
    await opened.queue.append(...uploads, command);
  } catch (error) {
    waiters.delete(id);
    throw error;
  }
  opened.post({ kind: 'stored' });
  if (!navigator.onLine) settleWaiter(id, UNSENT);
  const timer = setTimeout(() => settleWaiter(id, UNSENT), MAX_WAIT_MS);
  return (await answer.finally(() => clearTimeout(timer))) as CallOutput<Name> | Unsent;
}

/** Returns undefined if the page doesn't open the outbox. Throws if someone else has signed in: nobody sends another person's work. */
async function waitForOutbox(): Promise<Outbox | undefined> {
  const isSamePerson = createSamePersonCheck();
  const opened = await new Promise<Outbox | undefined>((resolve) => {
    openListeners.add(resolve);
    setTimeout(() => resolve(openListeners.delete(resolve) ? undefined : outbox), MAX_OPENING_MS);
  });
  if (!isSamePerson()) throw new CallError('UNAUTHENTICATED', { status: 401 });
  return opened;
}

type Calls = Record<string, Record<string, (input: unknown, options: { context: { command: CommandKey } }) => Promise<unknown>>>;

async function sendCall(command: StoredCommand): Promise<unknown> {
  const [feature = '', name = ''] = command.call.split('.');
  const calls: unknown = api;
  const call = (calls as Calls)[feature]?.[name];
  const isKnown = name in ((contractRoutes as Record<string, object>)[feature] ?? {});
  if (!call || !isKnown) throw new CallError('NOT_FOUND', { status: 404, message: 'This version of Callout no longer has this function.' });
  try {
    return await call(command.input, { context: { command } });
  } catch (error) {
    if (findDefinition(command.call)?.ignores?.some((code) => hasErrorCode(error, code))) return undefined;
    throw error;
  }
}

/**
 * Returns when the command was made, by what the device's clock shows now. A clock that has been set back since would otherwise make it seem
 * newer. One that was set forward can't be told from a device that slept, in which the monotonic clock stands still.
 */
function getMadeAt({ id, madeAt }: QueuedCommand): number {
  const monotonic = monotonicTimes.get(id);
  return monotonic === undefined ? madeAt : Math.min(madeAt, Date.now() - Math.floor(performance.now() - monotonic));
}

async function sendCommand(command: QueuedCommand, storage: CommandStorage): Promise<unknown> {
  if (command.call !== UPLOAD_CALL) return sendCall({ ...command, madeAt: getMadeAt(command) });
  return sendFile(command.input as StoredFile, storage);
}

async function sendFile({ id, name, type }: StoredFile, storage: CommandStorage): Promise<unknown> {
  const bytes = await storage.findFile(id);
  if (!bytes) throw new CallError('NOT_FOUND', { status: 404, message: 'The browser has deleted this file. Please add it again.' });
  return uploadFileOnce(`/files/${id}`, new File([bytes], name, { type }));
}

function judgeFailure(error: unknown): SendFailure {
  if (isSignedOutError(error)) return { kind: 'signed-out' };
  const hasAnswered = error instanceof CallError && !(isServerUnreachable(error) && !hasErrorCode(error, 'UNAVAILABLE'));
  if (!hasAnswered) return { kind: 'unreachable' };
  const { code, status, message, data } = error;
  if (status >= 500 || status === 429 || status === 408) {
    const seconds = getRetryAfterSeconds(error);
    return { kind: 'busy', retryAfterMs: seconds === undefined ? undefined : seconds * 1000 };
  }
  return { kind: 'refused', refusal: { code, status, message, ...(data !== undefined && { data }) } };
}
