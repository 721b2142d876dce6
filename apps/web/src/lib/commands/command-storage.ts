import { type DBSchema, deleteDB, type IDBPDatabase, openDB } from 'idb';
import type { QueuedCommand, StoredCommand } from './stored-command.ts';

const DATABASE_NAME = 'callout-commands';
const DATABASE_VERSION = 1;

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

/** The file that a command uploads has the id of its input. */
const getFileId = ({ input }: StoredCommand) =>
  typeof input === 'object' && input !== null && 'id' in input && typeof input.id === 'string' ? input.id : undefined;

export async function openCommandStorage(): Promise<CommandStorage> {
  const database = await openDB<CommandDatabase>(DATABASE_NAME, DATABASE_VERSION, {
    upgrade(created) {
      const commands = created.createObjectStore('commands', { keyPath: 'sequence', autoIncrement: true });
      commands.createIndex('id', 'id', { unique: true });
      created.createObjectStore('blobs', { keyPath: 'id' });
    },
  });
  return createIndexedDbStorage(database);
}

/** Deletes everything that this browser has stored, of all people. */
export const deleteCommandStorage = () => deleteDB(DATABASE_NAME);

function createIndexedDbStorage(database: IDBPDatabase<CommandDatabase>): CommandStorage {
  // Without 'strict', a commit may still be in the operating system's memory, which a flat battery would lose.
  const write = () => database.transaction(['commands', 'blobs'], 'readwrite', { durability: 'strict' });
  return {
    isDurable: true,
    list: async () => (await database.getAll('commands')) as QueuedCommand[],
    async add(command, files = new Map()) {
      const transaction = write();
      const [sequence] = await Promise.all([
        transaction.objectStore('commands').add(command),
        ...[...files].map(([id, bytes]) => transaction.objectStore('blobs').put({ id, bytes })),
        transaction.done,
      ]);
      return { ...command, sequence };
    },
    async replace(command) {
      const transaction = write();
      const commands = transaction.objectStore('commands');
      if (await commands.getKey(command.sequence)) await commands.put(command);
      await transaction.done;
    },
    async remove(removed) {
      const transaction = write();
      await Promise.all([
        ...removed.map(({ sequence }) => transaction.objectStore('commands').delete(sequence)),
        ...removed.map(getFileId).map((id) => id !== undefined && transaction.objectStore('blobs').delete(id)),
        transaction.done,
      ]);
    },
    findFile: async (id) => (await database.get('blobs', id))?.bytes,
    close: () => database.close(),
  };
}

/** For browsers that store nothing, such as some private windows: commands are sent, but closing the tab loses those that wait. */
export function createMemoryStorage(): CommandStorage {
  let commands: readonly QueuedCommand[] = [];
  const files = new Map<string, ArrayBuffer>();
  let lastSequence = 0;
  return {
    isDurable: false,
    list: async () => [...commands],
    async add(command, added = new Map()) {
      lastSequence += 1;
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
