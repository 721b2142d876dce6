import { randomUUID } from 'node:crypto';
import { statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { folderStore } from '../platform/files/file-store.ts';
import { archiveName } from './archive-format.ts';
import { openOwnerDatabase } from './owner-database.sql.ts';
import { runCommand } from './run-command.ts';
import { takeBackup } from './take-backup.ts';

await runCommand(async ({ config, argument, progress, signal }) => {
  const takenAt = new Date();
  const target = targetOf(argument ?? 'backups', archiveName(takenAt));
  const database = await openOwnerDatabase({ ...config, create: false });
  // A waiting statement, such as for another backup's lock, does not react to the signal.
  signal.addEventListener('abort', () => void database.close());
  try {
    const files = folderStore(join(config.dataDir, 'files'), randomUUID);
    return await takeBackup({ client: database.client, files, target, takenAt, progress, signal });
  } finally {
    await database.close();
  }
});

/** A path with the archive's extension is the archive; anything else is its folder. */
function targetOf(given: string, name: string): string {
  const path = resolve(given);
  const isFolder = statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? !/\.(tar\.gz|tgz)$/.test(path);
  return isFolder ? join(path, name) : path;
}
