import { type CommandStorage, isInMemory } from './command-storage.ts';
import {
  type CommandOwner,
  findDependents,
  findSendable,
  isOwnedBy,
  type QueuedCommand,
  type Refusal,
  rebaseOnEarlier,
  type StoredCommand,
} from './stored-command.ts';

/** On a phone's connection, more requests at a time would only slow each other down. */
const MAX_PARALLEL_COMMANDS = 3;
/** Counted separately, so that photos don't hold up everything else. */
const MAX_PARALLEL_UPLOADS = 2;
const UPLOAD_LANE_PREFIX = 'upload:';
const FIRST_RETRY_DELAY_MS = 1_000;
const MAX_RETRY_DELAY_MS = 30_000;

export const buildUploadLane = (fileId: string) => `${UPLOAD_LANE_PREFIX}${fileId}`;
export const isUpload = ({ lane }: StoredCommand) => lane.startsWith(UPLOAD_LANE_PREFIX);

/** What an error of `send` means for the command. */
export type SendFailure =
  /** No answer: nothing can be sent until the connection is back. */
  | { readonly kind: 'unreachable' }
  /** The server could not process this command now. Others can be sent. */
  | { readonly kind: 'busy'; readonly retryAfterMs?: number | undefined }
  /** The session has ended. Nothing is sent until the same person has signed in again. */
  | { readonly kind: 'signed-out' }
  | { readonly kind: 'refused'; readonly refusal: Refusal };

export type CommandAnswer = { readonly output: unknown } | { readonly refusal: Refusal };

interface CommandQueueOptions {
  readonly storage: CommandStorage;
  readonly owner: CommandOwner;
  readonly send: (command: QueuedCommand) => Promise<unknown>;
  readonly judge: (error: unknown) => SendFailure;
  /** Called after each change of the list. */
  readonly onChange: () => void;
  /** Called when the server has answered, before the list changes: an accepted command is about to leave it. */
  readonly onAnswer: (command: QueuedCommand, answer: CommandAnswer) => void;
  /** Called with the commands that could not be sent, or wait for one that could not. They are tried again. */
  readonly onDelay: (commands: readonly QueuedCommand[]) => void;
}

export type CommandQueue = ReturnType<typeof createCommandQueue>;

/**
 * Sends one person's commands in the order in which they were made, each until the server has answered. Stored first, they outlive the page.
 * One tab of a browser sends (`start`); the queues of other tabs mirror the list.
 */
export function createCommandQueue({ storage, owner, send, judge, onChange, onAnswer, onDelay }: CommandQueueOptions) {
  let commands: readonly QueuedCommand[] = [];
  /** That of the latest stored command which this tab has heard of. */
  let lastSequence = 0;
  let isSender = false;
  let isSignedOut = false;
  let isClosed = false;
  const inFlight = new Set<string>();
  /** Commands that are shown already, but not sent before they are stored. */
  const unstored = new Set<string>();
  /** Commands that wait before they are sent again, while others are sent. */
  const delayed = new Map<string, ReturnType<typeof setTimeout>>();
  /** Set while the server is unreachable. */
  let reconnectTimer: ReturnType<typeof setTimeout> | undefined;
  let failures = 0;

  // Reading the list during a write would bring back a command that is about to be removed.
  let lastAccess: Promise<unknown> = Promise.resolve();
  const access = <Result>(work: () => Promise<Result>): Promise<Result> => {
    const result = lastAccess.then(work, work);
    lastAccess = result.catch(() => undefined);
    return result;
  };

  const setCommands = (next: readonly QueuedCommand[]) => {
    if (isClosed) return;
    commands = next;
    lastSequence = Math.max(lastSequence, ...next.flatMap(({ id, sequence }) => (unstored.has(id) ? [] : [sequence])));
    onChange();
    sendNext();
  };

  /** Keeps the list if the storage can't be read, such as in a tab that the browser is closing. */
  const reload = () =>
    access(async () => {
      const stored = (await storage.list()).filter((command) => isOwnedBy(command, owner));
      const isMissing = ({ id }: QueuedCommand) => unstored.has(id) && !stored.some((other) => other.id === id);
      setCommands([...stored, ...commands.filter(isMissing)]);
    }).catch(() => undefined);

  const getBackoffMs = () => Math.min(FIRST_RETRY_DELAY_MS * 2 ** failures, MAX_RETRY_DELAY_MS);

  function sendNext(): void {
    if (isSignedOut || isClosed || reconnectTimer !== undefined) return;
    const isMine = (command: QueuedCommand) => (isSender || isInMemory(command)) && !unstored.has(command.id);
    const ready = findSendable(commands).filter((command) => isMine(command) && !inFlight.has(command.id) && !delayed.has(command.id));
    const running = commands.filter(({ id }) => inFlight.has(id));
    const uploads = running.filter(isUpload).length;
    const next = [
      ...ready.filter(isUpload).slice(0, MAX_PARALLEL_UPLOADS - uploads),
      ...ready.filter((command) => !isUpload(command)).slice(0, MAX_PARALLEL_COMMANDS - (running.length - uploads)),
    ];
    for (const command of next) void sendCommand(command);
  }

  async function sendCommand(command: QueuedCommand): Promise<void> {
    inFlight.add(command.id);
    try {
      const output = await send(command);
      failures = 0;
      // If the command can't be removed, it is sent again after the next start, and gets the same answer.
      await access(() => storage.remove([command])).catch(() => undefined);
      settle(command, { output });
    } catch (error) {
      if (!isClosed) await handleFailure(command, error);
    } finally {
      inFlight.delete(command.id);
      sendNext();
    }
  }

  async function handleFailure(command: QueuedCommand, error: unknown): Promise<void> {
    const failure = judge(error);
    if (failure.kind === 'refused') {
      const refused = { ...command, refusal: failure.refusal };
      await access(() => storage.replace(refused)).catch(() => undefined);
      return settle(refused, { refusal: failure.refusal });
    }
    if (failure.kind === 'signed-out') isSignedOut = true;
    else if (failure.kind === 'unreachable') {
      clearTimeout(reconnectTimer);
      reconnectTimer = setTimeout(reconnect, getBackoffMs());
    } else {
      const retry = () => {
        delayed.delete(command.id);
        sendNext();
      };
      delayed.set(command.id, setTimeout(retry, Math.min(failure.retryAfterMs ?? getBackoffMs(), MAX_RETRY_DELAY_MS)));
    }
    failures += 1;
    onDelay(failure.kind === 'busy' ? [command, ...findDependents(commands, command.id)] : commands);
  }

  /** Takes note of an answer, which may have come to another tab. */
  function settle(command: QueuedCommand, answer: CommandAnswer): void {
    if (isClosed) return;
    onAnswer(command, answer);
    const isSettled = (other: QueuedCommand) => other.id === command.id;
    setCommands(
      'refusal' in answer ? commands.map((other) => (isSettled(other) ? command : other)) : commands.filter((other) => !isSettled(other)),
    );
  }

  /** Tries again now. */
  function reconnect(): void {
    clearTimeout(reconnectTimer);
    reconnectTimer = undefined;
    sendNext();
  }

  function stopTimers(): void {
    clearTimeout(reconnectTimer);
    reconnectTimer = undefined;
    for (const timer of delayed.values()) clearTimeout(timer);
    delayed.clear();
  }

  return {
    list: () => commands,
    reload,
    /** Tries again now, because the server can probably be reached. */
    resume(): void {
      failures = 0;
      reconnect();
    },
    settle,
    /** Stores the commands, all or none. Resolves once they can't be lost anymore, and rejects if there is no room for them. */
    async append(...added: readonly StoredCommand[]): Promise<void> {
      for (const { id } of added) unstored.add(id);
      const last = Number.MAX_SAFE_INTEGER - added.length;
      setCommands([...commands, ...added.map((command, index) => ({ ...command, sequence: last + index }))]);
      let stored: readonly QueuedCommand[] = [];
      try {
        stored = await access(() => storage.add(...added));
        // Another tab has just stored something that may have to be sent before.
        if ((stored[0]?.sequence ?? 0) > lastSequence + 1) await reload();
      } finally {
        for (const { id } of added) unstored.delete(id);
        const others = commands.filter((command) => !added.some(({ id }) => id === command.id));
        setCommands([...others, ...stored].toSorted((one, other) => one.sequence - other.sequence));
      }
    },
    /** Sends a refused command again, possibly with another input. */
    async retry(id: string, input?: unknown): Promise<void> {
      const command = commands.find((other) => other.id === id);
      if (!command) return;
      const { refusal: _refusal, ...rest } = command;
      const retried = { ...rest, ...(input !== undefined && { input }) };
      await access(() => storage.replace(retried));
      setCommands(commands.map((other) => (other.id === id ? retried : other)));
    },
    /** Removes a command and its uploads, with those that were made on the assumption that it succeeds if `withDependents`. */
    async discard(id: string, withDependents = false): Promise<void> {
      const roots = commands.filter((other) => other.id === id);
      const dependents = findDependents(commands, id);
      const chosen = [...roots, ...(withDependents ? dependents : [])];
      const discarded = commands.filter(
        (command) => chosen.includes(command) || (isUpload(command) && chosen.some(({ after }) => after.includes(command.lane))),
      );
      const rebased = withDependents ? [] : dependents.flatMap((dependent) => rebaseOnEarlier(dependent, roots[0]) ?? []);
      const updateList = () => {
        const remaining = commands.filter((command) => !discarded.some((other) => other.id === command.id));
        setCommands(
          remaining.map((command) => (command.refusal ? command : (rebased.find((other) => other.id === command.id) ?? command))),
        );
      };
      updateList();
      await access(async () => {
        for (const command of rebased) await storage.replace(command);
        await storage.remove(discarded);
      });
      // The list may have been read again before they were removed from the storage.
      updateList();
    },
    /** Makes this queue the one that sends. */
    start(): void {
      isSender = true;
      sendNext();
    },
    stop(): void {
      isSender = false;
      stopTimers();
    },
    /** Ends the queue. An answer that is still on its way is ignored: after a new start, the command is sent again and gets the same one. */
    close(): void {
      isClosed = true;
      isSender = false;
      stopTimers();
      commands = [];
    },
  };
}
