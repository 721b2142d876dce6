import { statfs } from 'node:fs/promises';
import { fileSizeText } from '@callout/domain/files/file-size';

/** What the person at the terminal reads while a backup or restore runs, and when it fails. */

/** A backup or restore that cannot be done; its message is one line. */
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

/** Takes one line for the person who waits; a slow reader is waited for. */
export type Progress = (line: string) => void | Promise<void>;

const STEPS = 20;

/** Whether it is time to say how far a step has come: at most twenty times, however large it is. */
export function everyTwentieth(total: number): (done: number) => boolean {
  let reported = 0;
  return (done) => {
    const step = Math.floor((done / Math.max(1, total)) * STEPS);
    if (step <= reported) return false;
    reported = step;
    return true;
  };
}

export function countText(count: number, noun: string): string {
  return `${count.toLocaleString('en-US')} ${noun}${count === 1 ? '' : 's'}`;
}
