import { BackupError } from './backup-messages.ts';
import { openOwnerDatabase } from './owner-database.sql.ts';
import { restoreBackup } from './restore-backup.ts';
import { runCommand } from './run-command.ts';

await runCommand(async ({ config, argument, progress, signal }) => {
  if (argument === undefined) throw new BackupError('Say which backup to restore: npm run restore <archive>');
  const openDatabase = () => openOwnerDatabase({ ...config, create: true });
  const result = await restoreBackup({ archive: argument, dataDir: config.dataDir, openDatabase, progress, signal });
  return `${result} The session secret is not in a backup: everybody signs in again.`;
});
