import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { Logger } from 'pino';
import type { DataConfig } from '../../config.ts';
import type { FileLocation } from './file-settings.ts';
import { type FileStore, FileStoreError, FileStoreSettingsError, INCOMING_FOLDER } from './file-store.ts';
import { createFolderStore } from './folder-store.ts';
import { createIncomingFiles } from './incoming-files.ts';
import { createMovingStore } from './moving-store.ts';

type FileStoreConfig = Pick<DataConfig, 'dataDir' | 'files'>;

/** Creates the store that FILES_URL names. While files are being moved, it also reads from the one that FILES_FROM_URL names. */
export async function createFileStore(config: FileStoreConfig, now: () => Date): Promise<FileStore> {
  const { target, source } = await createMoveStores(config, now);
  return source ? createMovingStore(target, source) : target;
}

/**
 * Creates the store for a server that starts. Settings that can't work stop the start. A store that doesn't answer may come back, and
 * everything but files works without it, so that is only a warning.
 */
export async function openFileStore(config: FileStoreConfig, now: () => Date, log: Logger): Promise<FileStore> {
  const files = await createFileStore(config, now);
  try {
    await files.requireAccess();
  } catch (error) {
    if (!(error instanceof FileStoreError) || error instanceof FileStoreSettingsError) throw error;
    log.warn(
      { part: 'files', reason: error.message },
      'The file store does not answer: unless it is down, check FILES_URL and S3_ENDPOINT',
    );
  }
  return files;
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
