import { statfs } from 'node:fs/promises';
import { fileSizeText } from '@callout/domain/files/file-size';

/** Messages shown in the terminal while a backup or restore runs, and when it fails. */

/** A backup or restore that cannot be done; the message is one line. */
export class BackupError extends Error {
  override readonly name = 'BackupError';
}

const NO_SPACE = new Set(['ENOSPC', 'EDQUOT', 'EFBIG']);

/** Turns failures a person can fix, such as a full disk or an unusable path, into a one-line error. */
export async function toBackupError(error: unknown, folder: string, needs: string): Promise<unknown> {
  if (!(error instanceof Error) || !('code' in error)) return error;
  if (NO_SPACE.has(String(error.code))) {
    const { bavail, bsize } = await statfs(folder);
    return new BackupError(`${folder} is full: ${needs}, and ${fileSizeText(bavail * bsize)} are left. Nothing was kept.`);
  }
  return 'path' in error ? new BackupError(`${String(error.path)} can't be used (${String(error.code)}).`) : error;
}

/** Prints one progress line and waits for a slow reader. */
export type Progress = (line: string) => void | Promise<void>;

const STEPS = 20;

/** Whether to report progress: at most twenty times per step. */
export function everyTwentieth(total: number): (done: number) => boolean {
  let reported = 0;
  return (done) => {
    const step = Math.floor((done / Math.max(1, total)) * STEPS);
    if (step <= reported) return false;
    reported = step;
    return true;
  };
}
