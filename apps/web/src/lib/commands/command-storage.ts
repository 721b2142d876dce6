import { DAY_MS } from '@callout/domain/time/time-units';
import { type DBSchema, deleteDB, type IDBPDatabase, openDB } from 'idb';
import { createId } from '../create-id.ts';
import type { QueuedCommand, StoredCommand } from './stored-command.ts';

const DATABASE_NAME = 'callout-commands';
const DATABASE_VERSION = 1;
/** IndexedDB can hang, for example while the browser repairs it. Then, commands are kept in memory. */
export const STORAGE_TIMEOUT_MS = 5_000;
/** A file that no command uses belongs to something that is still being written. After that time, it has been forgotten. */
const MAX_UNUSED_FILE_AGE_MS = 30 * DAY_MS;

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
  /** Adds the commands, all or none. Resolves once they are stored. */
  add(...commands: readonly StoredCommand[]): Promise<QueuedCommand[]>;
  /** Replaces a command, unless it has been removed. */
  replace(command: QueuedCommand): Promise<void>;
  /** Removes commands and the files that only they use. */
  remove(commands: readonly QueuedCommand[]): Promise<void>;
  /** Stores a file under an id from `createId`. Returns false if there is no room: the file is then only kept until the page is closed. */
  putFile(id: string, bytes: ArrayBuffer): Promise<boolean>;
  findFile(id: string): Promise<ArrayBuffer | undefined>;
  removeFiles(ids: readonly string[]): Promise<void>;
  close(): void;
}

/** Steps of sequences in memory. Stored commands have whole numbers, between which there is room for a million. */
const MEMORY_STEP = 2 ** -20;

/** Returns true if only this tab has the command, so that no other tab can send it. */
export const isInMemory = ({ sequence }: QueuedCommand) => !Number.isInteger(sequence);

const listFileIds = (commands: readonly StoredCommand[]) => commands.flatMap(({ files = [] }) => files.map(({ id }) => id));

/** Returns the ids of the removed commands' files that no remaining command uses. */
function listUnusedFileIds(removed: readonly StoredCommand[], remaining: readonly StoredCommand[]): string[] {
  const used = new Set(listFileIds(remaining));
  return listFileIds(removed).filter((id) => !used.has(id));
}

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
  const close = () => void opening?.then((database) => database.close()).catch(() => undefined);
  void removeForgottenFiles(await connect()).catch(() => undefined);
  return createIndexedDbStorage(connect, close);
}

/** Ids start with the time at which they were created. */
async function removeForgottenFiles(database: IDBPDatabase<CommandDatabase>): Promise<void> {
  const transaction = database.transaction(['commands', 'blobs'], 'readwrite');
  const blobs = transaction.objectStore('blobs');
  const old = await blobs.getAllKeys(IDBKeyRange.upperBound(createId(Date.now() - MAX_UNUSED_FILE_AGE_MS)));
  const used = new Set(old.length > 0 ? listFileIds(await transaction.objectStore('commands').getAll()) : []);
  await Promise.all([...old.filter((id) => !used.has(id)).map((id) => blobs.delete(id)), transaction.done]);
}

/** Deletes everything that this browser has stored, of all people. */
export const deleteCommandStorage = () => deleteDB(DATABASE_NAME);

function createIndexedDbStorage(connect: () => Promise<IDBPDatabase<CommandDatabase>>, close: () => void): CommandStorage {
  // Without 'strict', a commit may still be in the operating system's memory, which a flat battery would lose.
  const write = async () => (await connect()).transaction(['commands', 'blobs'], 'readwrite', { durability: 'strict' });
  return {
    isDurable: true,
    list: async () => (await (await connect()).getAll('commands')) as QueuedCommand[],
    async add(...commands) {
      const transaction = await write();
      const adding = commands.map((command) => ({ command, sequence: transaction.objectStore('commands').add(command) }));
      await Promise.all([...adding.map(({ sequence }) => sequence), transaction.done]);
      return Promise.all(adding.map(async ({ command, sequence }) => ({ ...command, sequence: await sequence })));
    },
    async replace(command) {
      const transaction = await write();
      const commands = transaction.objectStore('commands');
      const put = async () => (await commands.getKey(command.sequence)) && commands.put(command);
      await Promise.all([put(), transaction.done]);
    },
    async remove(removed) {
      const transaction = await write();
      const commands = transaction.objectStore('commands');
      await Promise.all(removed.map(({ sequence }) => commands.delete(sequence)));
      const hasFiles = removed.some(({ files }) => files);
      const unused = hasFiles ? listUnusedFileIds(removed, await commands.getAll()) : [];
      await Promise.all([...unused.map((id) => transaction.objectStore('blobs').delete(id)), transaction.done]);
    },
    async putFile(id, bytes) {
      const transaction = await write();
      await Promise.all([transaction.objectStore('blobs').put({ id, bytes }), transaction.done]);
      return true;
    },
    findFile: async (id) => (await (await connect()).get('blobs', id))?.bytes,
    async removeFiles(ids) {
      const transaction = await write();
      await Promise.all([...ids.map((id) => transaction.objectStore('blobs').delete(id)), transaction.done]);
    },
    close,
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
    async add(...added) {
      const start = Math.max(lastSequence, getStart());
      const queued = added.map((command, index) => ({ ...command, sequence: start + (index + 1) * MEMORY_STEP }));
      lastSequence = start + added.length * MEMORY_STEP;
      commands = [...commands, ...queued];
      return queued;
    },
    async replace(command) {
      commands = commands.map((other) => (other.sequence === command.sequence ? command : other));
    },
    async remove(removed) {
      const sequences = new Set(removed.map(({ sequence }) => sequence));
      commands = commands.filter(({ sequence }) => !sequences.has(sequence));
      for (const id of listUnusedFileIds(removed, commands)) files.delete(id);
    },
    async putFile(id, bytes) {
      files.set(id, bytes);
      return true;
    },
    findFile: async (id) => files.get(id),
    async removeFiles(ids) {
      for (const id of ids) files.delete(id);
    },
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
    async add(...commands) {
      try {
        const queued = await limitTime(stored.add(...commands));
        lastSequence = Math.max(lastSequence, ...queued.map(({ sequence }) => sequence));
        return queued;
      } catch {
        hasUnstored = true;
        return memory.add(...commands);
      }
    },
    replace: (command) => (isInMemory(command) ? memory.replace(command) : limitTime(stored.replace(command))),
    async remove(removed) {
      const inMemory = removed.filter(isInMemory);
      await memory.remove(inMemory);
      const unused = listUnusedFileIds(inMemory, await listUnstored());
      // Their files may have been stored while there was room. If not now, they are removed after a while.
      if (unused.length > 0) await limitTime(stored.removeFiles(unused)).catch(() => undefined);
      const durable = removed.filter((command) => !isInMemory(command));
      if (durable.length > 0) await limitTime(stored.remove(durable));
    },
    async putFile(id, bytes) {
      try {
        return await limitTime(stored.putFile(id, bytes));
      } catch {
        await memory.putFile(id, bytes);
        return false;
      }
    },
    async removeFiles(ids) {
      await memory.removeFiles(ids);
      await limitTime(stored.removeFiles(ids));
    },
    findFile: async (id) => (await memory.findFile(id)) ?? limitTime(stored.findFile(id)),
    close: () => stored.close(),
  };
}

/** Moves everything to another storage, where it follows what is there. */
export async function moveCommands(from: CommandStorage, to: CommandStorage): Promise<void> {
  const commands = await from.list();
  for (const id of new Set(listFileIds(commands))) {
    const bytes = await from.findFile(id);
    if (bytes) await to.putFile(id, bytes);
  }
  await to.add(...commands.map(({ sequence: _sequence, ...command }) => command));
}
