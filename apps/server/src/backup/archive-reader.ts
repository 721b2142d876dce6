import { createHash, type Hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { extract } from 'tar-stream';
import { AnyManifest, END_NAME, End, FORMAT, keyOfEntry, MANIFEST_NAME, Manifest, tableOfEntry } from './archive-format.ts';
import { BackupError } from './backup-messages.ts';

type Bytes = AsyncIterable<Buffer>;

/** Callbacks for the contents; without them the archive is only verified. */
export interface ArchiveVisitor {
  rows?(table: string, bytes: Bytes): Promise<void>;
  file?(key: string, bytes: Bytes): Promise<void>;
  /** Called for every chunk read from disk. */
  read?(bytes: number): void;
}

export interface ArchiveContents {
  readonly manifest: Manifest;
  readonly end: End;
}

/** Verifies a whole archive before it is used. Throws a one-line error for anything but a complete backup. */
export async function verifyArchive(path: string, read: (bytes: number) => void): Promise<ArchiveContents> {
  let started = false;
  try {
    return await readArchive(path, { read }, () => (started = true));
  } catch (error) {
    if (error instanceof BackupError || !(error instanceof Error)) throw error;
    const code = 'code' in error ? String(error.code) : '';
    if ('syscall' in error) throw new BackupError(code === 'ENOENT' ? `There is no file ${path}.` : `${path} can't be read (${code}).`);
    if (code === 'Z_BUF_ERROR') throw cutOff(path);
    throw started ? damaged(path) : noBackup(path);
  }
}

/** Throws at the end when the checksum does not match, so commit nothing before it returns. */
export async function readArchive(path: string, visitor: ArchiveVisitor, onManifest?: () => void): Promise<ArchiveContents> {
  const tar = extract();
  const file = createReadStream(path);
  if (visitor.read) file.on('data', (piece) => visitor.read?.(piece.length));
  const feeding = pipeline(file, createGunzip(), tar);
  feeding.catch(() => undefined);
  const hash = createHash('sha256');
  let manifest: Manifest | undefined;
  let end: End | undefined;
  for await (const entry of tar) {
    const { name, size } = entry.header;
    if (end) throw damaged(path);
    if (name === END_NAME) {
      end = End.parse(JSON.parse(await text(entry)));
      continue;
    }
    hash.update(`${name} ${size}\n`);
    const bytes = hashed(entry as Bytes, hash);
    if (!manifest) {
      manifest = await readManifest(path, name, bytes);
      onManifest?.();
      continue;
    }
    await visit(visitor, name, bytes);
    // Skip what the visitor did not read.
    for await (const piece of bytes) void piece;
  }
  await feeding;
  if (!manifest) throw noBackup(path);
  if (!end) throw cutOff(path);
  if (end.sha256 !== hash.digest('hex')) throw damaged(path);
  return { manifest, end };
}

async function readManifest(path: string, name: string, bytes: Bytes): Promise<Manifest> {
  if (name !== MANIFEST_NAME) throw noBackup(path);
  const said: unknown = JSON.parse(await text(bytes));
  const { format, version } = AnyManifest.parse(said);
  if (format > FORMAT) throw madeByNewer(path, version);
  return Manifest.parse(said);
}

async function visit(visitor: ArchiveVisitor, name: string, bytes: Bytes): Promise<void> {
  const table = tableOfEntry(name);
  if (table !== undefined) return visitor.rows?.(table, bytes);
  const key = keyOfEntry(name);
  if (key === undefined) throw new BackupError(`The backup holds '${name}', which is neither rows nor a file of Callout.`);
  return visitor.file?.(key, bytes);
}

async function* hashed(bytes: Bytes, hash: Hash): AsyncGenerator<Buffer> {
  for await (const piece of bytes) {
    hash.update(piece);
    yield piece;
  }
}

const noBackup = (path: string) => new BackupError(`${path} is not a backup made by Callout.`);
const cutOff = (path: string) => new BackupError(`${path} is cut off: the backup is not complete.`);
const damaged = (path: string) => new BackupError(`${path} is damaged: the backup is not what was written.`);
export const madeByNewer = (path: string, version: string) =>
  new BackupError(`${path} was made by a newer Callout (${version}): update this one first.`);
