import type { Readable } from 'node:stream';

/** Stores file contents under keys. Features don't know whether a folder or a bucket is behind it. */
export interface FileStore {
  /** Writes the bytes to the local disk. They have no key until `saveAs` is called. */
  receive(bytes: Readable): Promise<ReceivedFile>;
  /** Returns null if nothing is stored under this key. */
  open(key: string): Promise<Readable | null>;
  has(key: string): Promise<boolean>;
  /** Returns a URL from which a browser can read the file for a few minutes. Returns null if the caller must send the bytes. */
  signRead(key: string, headers: ReadHeaders): Promise<string | null>;
  /** Returns the origin of signed URLs, or null if `signRead` never returns one. */
  getReadOrigin(): Promise<string | null>;
  remove(keys: readonly string[]): Promise<void>;
  /** Removes all of the company's files. */
  removeCompany(companyId: string): Promise<void>;
  /** Removes uploads older than `time` that were never saved because the connection or the server failed. */
  discardUploadsBefore(time: Date): Promise<void>;
  /** Lists the keys of saved files that were received before `time`. */
  listKeysBefore(time: Date): AsyncIterable<string>;
  /** Sends a remote store one small request. Throws a FileStoreSettingsError if these settings can't work. */
  requireAccess(): Promise<void>;
  /** Returns the free space on the disk that receives files. */
  freeBytes(): Promise<number>;
  /** Throws unless a restore may write to this store. */
  requireEmpty(): Promise<void>;
  /** Starts a restore, after removing what a killed one has left behind. */
  startRestore(): Promise<FileRestore>;
  /** Keeps a later restore from removing what a killed one has saved. A server calls this when it starts, because people use the files then. */
  endKilledRestore(): Promise<void>;
}

/** The headers of a response that the store itself sends. */
export interface ReadHeaders {
  readonly contentType: string;
  readonly contentDisposition: string;
}

export interface ReceivedFile {
  readonly size: number;
  /** Reads the received bytes before they are saved, to detect their type. */
  peek(): Readable;
  /** Sends a large file to a remote store. Call this before a transaction, so that `saveAs` in the transaction takes only a short request. */
  transfer(companyId: string): Promise<void>;
  /** Stores the bytes under the key, replacing any others. Idempotent, so a retried transaction may save the same file again. */
  saveAs(key: string): Promise<void>;
  discard(): Promise<void>;
}

/** Files that are being restored into an empty store. */
export interface FileRestore {
  /** Resolves to the file's size in bytes. */
  save(key: string, bytes: Readable): Promise<number>;
  /** Returns once all files are stored durably. */
  finish(): Promise<void>;
  /** Call this once the rows are committed. */
  complete(): Promise<void>;
  /** Removes what was saved. */
  discard(): Promise<void>;
}

/** Thrown if a store fails or refuses. The message is one sentence for the operator, without addresses or secrets. */
export class FileStoreError extends Error {
  override readonly name: string = 'FileStoreError';
}

/** Thrown if the store refuses until someone changes the settings or the rights of the access key. */
export class FileStoreSettingsError extends FileStoreError {
  override readonly name = 'FileStoreSettingsError';
}

/** Returns true if the disk or the store failed, and not the file or the connection that it came from. */
export const isStorageFault = (error: unknown) => error instanceof FileStoreError || (error instanceof Error && 'syscall' in error);

export const buildFileKey = (companyId: string, id: string) => `${companyId}/${id}`;

export const getCompanyId = (key: string) => key.split('/', 1)[0] ?? key;

const UUID_PATTERN = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';
const FILE_KEY_PATTERN = new RegExp(`^(${UUID_PATTERN})/(${UUID_PATTERN})$`);

/** Parses a key that `buildFileKey` built. Returns undefined for any other string. */
export function parseFileKey(key: string): { readonly companyId: string; readonly id: string } | undefined {
  const [, companyId, id] = FILE_KEY_PATTERN.exec(key) ?? [];
  return companyId && id ? { companyId, id } : undefined;
}

/** Matches a company id, optionally followed by a file id. */
const KEY_PATTERN = /^[\w-]+(\/[\w-]+)?$/;

/** Saved files are below this folder or prefix, in every store. */
export const SAVED_FOLDER = 'kept';
/** Files that aren't saved yet are below this folder or prefix. */
export const INCOMING_FOLDER = 'incoming';

/** Returns the key's path inside a store. Keys also come from the queue, so this throws if a key could point elsewhere. */
export function getSavedPath(key: string): string {
  if (!KEY_PATTERN.test(key)) throw new Error('Not a valid file or company key');
  return `${SAVED_FOLDER}/${key}`;
}
