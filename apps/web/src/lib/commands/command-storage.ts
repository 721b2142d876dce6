import { type DBSchema, deleteDB, type IDBPDatabase, openDB } from 'idb';
import type { QueuedCommand, StoredCommand } from './stored-command.ts';

const DATABASE_NAME = 'callout-commands';
const DATABASE_VERSION = 1;
/** IndexedDB can hang, for example while the browser repairs it. Then, commands are kept in memory. */
export const STORAGE_TIMEOUT_MS = 5_000;

interface CommandDatabase extends DBSchema {
  commands: { key: number; value: StoredCommand & { sequence?: number }; indexes: { id: string } };
  /** Photos and other files. ArrayBuffers, because iOS loses the contents of stored File objects. */
  blobs: { key: string; value: { readonly id: string; readonly bytes: ArrayBuffer } };
}

/** Keeps commands and the files that they upload until the server has answered. */
export interface CommandStorage {
  /** True if what is stored survives a closed tab. */
  readonly isDurable: boolean;
  list(): Promise<QueuedCommand[]>;
  /** Adds the command with its files, all or nothing. Resolves once they are stored. */
  add(command: StoredCommand, files?: ReadonlyMap<string, ArrayBuffer>): Promise<QueuedCommand>;
  /** Replaces a command, unless it has been removed. */
  replace(command: QueuedCommand): Promise<void>;
  /** Removes commands and the files that only they use. */
  remove(commands: readonly QueuedCommand[]): Promise<void>;
  findFile(id: string): Promise<ArrayBuffer | undefined>;
  close(): void;
}

/** Steps of sequences in memory. Stored commands have whole numbers, between which there is room for a million. */
const MEMORY_STEP = 2 ** -20;

/** Returns true if only this tab has the command, so that no other tab can send it. */
export const isInMemory = ({ sequence }: QueuedCommand) => !Number.isInteger(sequence);

/** The file that a command uploads has the id of its input. */
const getFileId = ({ input }: StoredCommand) =>
  typeof input === 'object' && input !== null && 'id' in input && typeof input.id === 'string' ? input.id : undefined;

export async function openCommandStorage(): Promise<CommandStorage> {
  let opening: Promise<IDBPDatabase<CommandDatabase>> | undefined;
  const forget = () => {
    opening = undefined;
  };
  const connect = () =>
    (opening ??= openDB<CommandDatabase>(DATABASE_NAME, DATABASE_VERSION, {
      upgrade(created) {
        const commands = created.createObjectStore('commands', { keyPath: 'sequence', autoIncrement: true });
        commands.createIndex('id', 'id', { unique: true });
        created.createObjectStore('blobs', { keyPath: 'id' });
      },
      // Phones end the connections of pages in the background.
      terminated: forget,
      // Lets a newer version of the page, in another tab, open the database.
      blocking: (_current, _blocked, { target }) => {
        forget();
        (target as IDBDatabase).close();
      },
    }));
  await connect();
  return createIndexedDbStorage(connect);
}

/** Deletes everything that this browser has stored, of all people. */
export const deleteCommandStorage = () => deleteDB(DATABASE_NAME);

function createIndexedDbStorage(connect: () => Promise<IDBPDatabase<CommandDatabase>>): CommandStorage {
  // Without 'strict', a commit may still be in the operating system's memory, which a flat battery would lose.
  const write = async () => (await connect()).transaction(['commands', 'blobs'], 'readwrite', { durability: 'strict' });
  return {
    isDurable: true,
    list: async () => (await (await connect()).getAll('commands')) as QueuedCommand[],
    async add(command, files = new Map()) {
      const transaction = await write();
      const [sequence] = await Promise.all([
        transaction.objectStore('commands').add(command),
        ...[...files].map(([id, bytes]) => transaction.objectStore('blobs').put({ id, bytes })),
        transaction.done,
      ]);
      return { ...command, sequence };
    },
    async replace(command) {
      const transaction = await write();
      const commands = transaction.objectStore('commands');
      if (await commands.getKey(command.sequence)) await commands.put(command);
      await transaction.done;
    },
    async remove(removed) {
      const transaction = await write();
      await Promise.all([
        ...removed.map(({ sequence }) => transaction.objectStore('commands').delete(sequence)),
        ...removed.map(getFileId).map((id) => id !== undefined && transaction.objectStore('blobs').delete(id)),
        transaction.done,
      ]);
    },
    findFile: async (id) => (await (await connect()).get('blobs', id))?.bytes,
    close: () => void connect().then((database) => database.close()),
  };
}

/** For browsers that store nothing, such as some private windows: commands are sent, but closing the tab loses those that wait. */
export function createMemoryStorage(getStart = () => 0): CommandStorage {
  let commands: readonly QueuedCommand[] = [];
  const files = new Map<string, ArrayBuffer>();
  let lastSequence = 0;
  return {
    isDurable: false,
    list: async () => [...commands],
    async add(command, added = new Map()) {
      lastSequence = Math.max(lastSequence, getStart()) + MEMORY_STEP;
      const queued = { ...command, sequence: lastSequence };
      commands = [...commands, queued];
      for (const [id, bytes] of added) files.set(id, bytes);
      return queued;
    },
    async replace(command) {
      commands = commands.map((other) => (other.sequence === command.sequence ? command : other));
    },
    async remove(removed) {
      const sequences = new Set(removed.map(({ sequence }) => sequence));
      commands = commands.filter(({ sequence }) => !sequences.has(sequence));
      for (const id of removed.map(getFileId)) if (id !== undefined) files.delete(id);
    },
    findFile: async (id) => files.get(id),
    close: () => undefined,
  };
}

function limitTime<Result>(work: Promise<Result>): Promise<Result> {
  let timer: ReturnType<typeof setTimeout>;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new DOMException('The storage does not answer', 'TimeoutError')), STORAGE_TIMEOUT_MS);
  });
  return Promise.race([work, timeout]).finally(() => clearTimeout(timer));
}

/**
 * Keeps a command in memory if it can't be stored, because there is no room or the storage doesn't answer. It keeps its position in the
 * order, so it still waits for those made before it.
 */
export function withMemoryFallback(stored: CommandStorage): CommandStorage {
  let lastSequence = 0;
  let hasUnstored = false;
  const memory = createMemoryStorage(() => lastSequence);
  const listUnstored = async () => {
    const commands = await memory.list();
    hasUnstored = commands.length > 0;
    return commands;
  };
  return {
    get isDurable() {
      return stored.isDurable && !hasUnstored;
    },
    async list() {
      const commands = await limitTime(stored.list());
      lastSequence = Math.max(lastSequence, commands.at(-1)?.sequence ?? 0);
      return [...commands, ...(await listUnstored())].toSorted((one, other) => one.sequence - other.sequence);
    },
    async add(command, files) {
      try {
        const queued = await limitTime(stored.add(command, files));
        lastSequence = queued.sequence;
        return queued;
      } catch {
        hasUnstored = true;
        return memory.add(command, files);
      }
    },
    replace: (command) => (isInMemory(command) ? memory.replace(command) : limitTime(stored.replace(command))),
    async remove(removed) {
      await memory.remove(removed.filter(isInMemory));
      await listUnstored();
      const durable = removed.filter((command) => !isInMemory(command));
      if (durable.length > 0) await limitTime(stored.remove(durable));
    },
    findFile: async (id) => (await memory.findFile(id)) ?? limitTime(stored.findFile(id)),
    close: () => stored.close(),
  };
}

/** Moves everything to another storage, where it follows what is there. */
export async function moveCommands(from: CommandStorage, to: CommandStorage): Promise<void> {
  for (const { sequence: _sequence, ...command } of await from.list()) {
    const id = getFileId(command);
    const bytes = id === undefined ? undefined : await from.findFile(id);
    await to.add(command, bytes && id !== undefined ? new Map([[id, bytes]]) : undefined);
  }
}
