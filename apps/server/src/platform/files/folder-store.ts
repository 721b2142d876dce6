import { access, link, open, readdir, rename, rm, rmdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { syncFolder } from '@callout/embedded-postgres/data-folder';
import {
  buildFileKey,
  type FileRestore,
  type FileStore,
  FileStoreError,
  getSavedPath,
  INCOMING_FOLDER,
  SAVED_FOLDER,
} from './file-store.ts';
import { createIncomingFiles, ensurePrivateFolder, listFilesBefore } from './incoming-files.ts';

const isMissing = (error: unknown) => error instanceof Error && 'code' in error && error.code === 'ENOENT';

/** Stores files in a folder. Incoming files are in the same folder, because saving one is a rename. */
export function createFolderStore(folder: string, createName: () => string): FileStore {
  const savedFolder = join(folder, SAVED_FOLDER);
  const incoming = createIncomingFiles(join(folder, INCOMING_FOLDER), createName);
  const getPath = (key: string) => join(folder, getSavedPath(key));
  return {
    async receive(bytes) {
      const file = await incoming.receive(bytes);
      return {
        ...file,
        transfer: async () => undefined,
        async saveAs(key) {
          await ensurePrivateFolder(dirname(getPath(key)));
          // A hard link keeps the received file in place, in case the transaction is retried.
          const linkPath = incoming.createPath();
          await link(file.path, linkPath);
          await rename(linkPath, getPath(key));
          // Renaming a hard link over another link to the same file does nothing, so remove the leftover link.
          await rm(linkPath, { force: true });
        },
      };
    },
    async open(key) {
      try {
        return (await open(getPath(key))).createReadStream();
      } catch (error) {
        if (isMissing(error)) return null;
        throw error;
      }
    },
    async has(key) {
      try {
        await access(getPath(key));
        return true;
      } catch (error) {
        if (isMissing(error)) return false;
        throw error;
      }
    },
    signRead: async () => null,
    getReadOrigin: async () => null,
    async remove(keys) {
      for (const key of keys) await rm(getPath(key), { force: true });
    },
    removeCompany: (companyId) => rm(getPath(companyId), { recursive: true, force: true }),
    discardUploadsBefore: (time) => incoming.discardBefore(time),
    async *listKeysBefore(time) {
      await ensurePrivateFolder(savedFolder);
      for (const companyId of await readdir(savedFolder)) {
        for (const id of await listFilesBefore(join(savedFolder, companyId), time)) yield buildFileKey(companyId, id);
      }
    },
    freeBytes: () => incoming.freeBytes(),
    requireAccess: async () => undefined,
    requireEmpty: () => requireEmptyFolder(folder),
    startRestore: () => startFolderRestore(folder, createName),
    // A killed restore leaves nothing among the saved files.
    endKilledRestore: async () => undefined,
  };
}

const getStagingFolder = (folder: string) => join(folder, 'restoring');

async function requireEmptyFolder(folder: string): Promise<void> {
  const staging = getStagingFolder(folder);
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  if (entries.some((entry) => entry.isFile() && !`${entry.parentPath}/`.startsWith(`${staging}/`)))
    throw new FileStoreError(`${folder} already contains files. Restore into an empty folder.`);
}

/**
 * Restores into a folder inside `folder`, which may be a mount point, and renames the saved files in the end, so that a killed restore
 * leaves no files that could be taken for saved ones.
 */
async function startFolderRestore(folder: string, createName: () => string): Promise<FileRestore> {
  const staging = getStagingFolder(folder);
  const removeStaging = () => rm(staging, { recursive: true, force: true });
  await removeStaging();
  const isFolderNew = (await ensurePrivateFolder(folder)) !== undefined;
  await ensurePrivateFolder(join(staging, SAVED_FOLDER));
  const store = createFolderStore(staging, createName);
  return {
    async save(key, bytes) {
      const received = await store.receive(bytes);
      await received.saveAs(key);
      await received.discard();
      return received.size;
    },
    async finish() {
      const folders = (await readdir(staging, { recursive: true, withFileTypes: true })).filter((entry) => entry.isDirectory());
      for (const { parentPath, name } of folders) await syncFolder(join(parentPath, name));
      await requireEmptyFolder(folder);
      const saved = join(folder, SAVED_FOLDER);
      await rm(saved, { recursive: true, force: true });
      await rename(join(staging, SAVED_FOLDER), saved);
      await removeStaging();
      await syncFolder(folder);
    },
    complete: async () => undefined,
    async discard() {
      await removeStaging();
      // Fails if the folder is in use by now.
      if (isFolderNew) await rmdir(folder).catch(() => undefined);
    },
  };
}
