import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { DataConfig } from '../../config.ts';
import type { FileLocation } from './file-settings.ts';
import { type FileStore, INCOMING_FOLDER } from './file-store.ts';
import { createFolderStore } from './folder-store.ts';
import { createIncomingFiles } from './incoming-files.ts';
import { createMovingStore } from './moving-store.ts';

type FileStoreConfig = Pick<DataConfig, 'dataDir' | 'files'>;

/** Creates the store that FILES_URL names. While files are being moved, it also reads from the one that FILES_FROM_URL names. */
export async function createFileStore(config: FileStoreConfig, now: () => Date): Promise<FileStore> {
  const { target, source } = await createMoveStores(config, now);
  return source ? createMovingStore(target, source) : target;
}

/** Creates the stores that files are moved to and from. */
export async function createMoveStores(config: FileStoreConfig, now: () => Date): Promise<{ target: FileStore; source: FileStore | null }> {
  const { location, from } = config.files;
  return { target: await createStore(config, location, now), source: from ? await createStore(config, from, now) : null };
}

async function createStore({ dataDir, files }: FileStoreConfig, location: FileLocation, now: () => Date): Promise<FileStore> {
  if (location.kind === 'folder') return createFolderStore(location.path, randomUUID);
  // Loaded only if needed, because the client of S3 takes a while to load.
  const { createS3Store } = await import('./s3-store.ts');
  const incoming = createIncomingFiles(join(dataDir, 'files', INCOMING_FOLDER), randomUUID);
  const { bucket, prefix } = location;
  return createS3Store({ bucket, prefix, settings: files, incoming, createName: randomUUID, now });
}
