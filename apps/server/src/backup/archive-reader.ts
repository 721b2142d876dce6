import { createHash, type Hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { extract } from 'tar-stream';
import {
  ARCHIVE_FORMAT,
  ArchiveTrailer,
  BaseManifest,
  MANIFEST_NAME,
  Manifest,
  parseFileEntryName,
  parseRowsEntryName,
  TRAILER_NAME,
} from './archive-format.ts';
import { BackupError } from './backup-messages.ts';

type ByteStream = AsyncIterable<Buffer>;

/** Callbacks for an archive's contents. If none is given, the archive is only verified. */
export interface ArchiveVisitor {
  onRows?(table: string, bytes: ByteStream): Promise<void>;
  onFile?(key: string, bytes: ByteStream): Promise<void>;
  /** Called with the size in bytes of each chunk read from disk. */
  onRead?(bytes: number): void;
}

export interface ArchiveSummary {
  readonly manifest: Manifest;
  readonly trailer: ArchiveTrailer;
}

/** Reads the whole archive and throws a one-line error if it is not a complete backup. Call this before restoring anything. */
export async function verifyArchive(path: string, onRead: (bytes: number) => void): Promise<ArchiveSummary> {
  let hasManifest = false;
  try {
    return await readArchive(path, { onRead }, () => (hasManifest = true));
  } catch (error) {
    if (error instanceof BackupError || !(error instanceof Error)) throw error;
    const code = 'code' in error ? String(error.code) : '';
    if ('syscall' in error) throw new BackupError(code === 'ENOENT' ? `${path} does not exist.` : `Cannot read ${path} (${code}).`);
    if (code === 'Z_BUF_ERROR') throw createIncompleteError(path);
    throw hasManifest ? createDamagedError(path) : createNotBackupError(path);
  }
}

/** Passes the archive's contents to `visitor`. The checksum is verified last, so commit nothing before this function returns. */
export async function readArchive(path: string, visitor: ArchiveVisitor, onManifest?: () => void): Promise<ArchiveSummary> {
  const tar = extract();
  const file = createReadStream(path);
  if (visitor.onRead) file.on('data', (chunk) => visitor.onRead?.(chunk.length));
  const extracting = pipeline(file, createGunzip(), tar);
  extracting.catch(() => undefined);
  const hash = createHash('sha256');
  let manifest: Manifest | undefined;
  let trailer: ArchiveTrailer | undefined;
  for await (const entry of tar) {
    const { name, size } = entry.header;
    if (trailer) throw createDamagedError(path);
    if (name === TRAILER_NAME) {
      trailer = ArchiveTrailer.parse(JSON.parse(await text(entry)));
      continue;
    }
    hash.update(`${name} ${size}\n`);
    const bytes = hashChunks(entry as ByteStream, hash);
    if (!manifest) {
      manifest = await readManifest(path, name, bytes);
      onManifest?.();
      continue;
    }
    await visitEntry(visitor, name, bytes);
    // Consume what the visitor didn't read, because the tar stream stalls until the entry has been read completely.
    for await (const chunk of bytes) void chunk;
  }
  await extracting;
  if (!manifest) throw createNotBackupError(path);
  if (!trailer) throw createIncompleteError(path);
  if (trailer.sha256 !== hash.digest('hex')) throw createDamagedError(path);
  return { manifest, trailer };
}

async function readManifest(path: string, name: string, bytes: ByteStream): Promise<Manifest> {
  if (name !== MANIFEST_NAME) throw createNotBackupError(path);
  const json: unknown = JSON.parse(await text(bytes));
  const { format, version } = BaseManifest.parse(json);
  if (format > ARCHIVE_FORMAT) throw createNewerVersionError(path, version);
  return Manifest.parse(json);
}

async function visitEntry(visitor: ArchiveVisitor, name: string, bytes: ByteStream): Promise<void> {
  const table = parseRowsEntryName(name);
  if (table !== undefined) return visitor.onRows?.(table, bytes);
  const key = parseFileEntryName(name);
  if (key === undefined) throw new BackupError(`The backup contains an unexpected entry, '${name}'. Use another backup.`);
  return visitor.onFile?.(key, bytes);
}

async function* hashChunks(bytes: ByteStream, hash: Hash): AsyncGenerator<Buffer> {
  for await (const chunk of bytes) {
    hash.update(chunk);
    yield chunk;
  }
}

const createNotBackupError = (path: string) => new BackupError(`${path} is not a Callout backup.`);
const createIncompleteError = (path: string) => new BackupError(`${path} is incomplete. Copy it again, or use another backup.`);
const createDamagedError = (path: string) => new BackupError(`${path} is damaged. Copy it again, or use another backup.`);
export const createNewerVersionError = (path: string, version: string) =>
  new BackupError(`${path} was made by a newer version of Callout (${version}). Update Callout first.`);
