import { statfs } from 'node:fs/promises';
import { fileSizeText } from '@callout/domain/files/file-size';

/** A backup or restore that can't be; the message is one line for the person at the terminal. */
export class BackupError extends Error {
  override readonly name = 'BackupError';
}

const NO_SPACE = new Set(['ENOSPC', 'EDQUOT', 'EFBIG']);

/** The same failure in one line where a person can mend it: a full disk, or a path that can't be used. */
export async function toBackupError(error: unknown, folder: string, needs: string): Promise<unknown> {
  if (!(error instanceof Error) || !('code' in error)) return error;
  if (NO_SPACE.has(String(error.code))) {
    const { bavail, bsize } = await statfs(folder);
    return new BackupError(`${folder} is full: ${needs}, and ${fileSizeText(bavail * bsize)} are left. Nothing was kept.`);
  }
  return 'path' in error ? new BackupError(`${String(error.path)} can't be used (${String(error.code)}).`) : error;
}
