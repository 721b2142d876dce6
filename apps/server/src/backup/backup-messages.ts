import { statfs } from 'node:fs/promises';
import { formatFileSize } from '@callout/domain/files/file-size';
import { FileStoreError } from '../platform/files/file-store.ts';

/** Thrown if a backup or restore isn't possible. The message is a single line, written for the operator. */
export class BackupError extends Error {
  override readonly name = 'BackupError';
}

const NO_SPACE_CODES = new Set(['ENOSPC', 'EDQUOT', 'EFBIG']);

/** Converts errors that the operator can fix, such as a full disk, a wrong path or a store that can't be reached, to a BackupError. Returns other errors unchanged. */
export async function toBackupError(error: unknown, folder: string, spaceNeeded: string): Promise<unknown> {
  if (error instanceof FileStoreError) return new BackupError(error.message, { cause: error });
  if (!(error instanceof Error) || !('code' in error)) return error;
  if (NO_SPACE_CODES.has(String(error.code))) {
    const { bavail, bsize } = await statfs(folder);
    const free = formatFileSize(bavail * bsize);
    return new BackupError(`Not enough space in ${folder}: ${free} is free, and ${spaceNeeded}. Free up space and try again.`);
  }
  return 'path' in error ? new BackupError(`Cannot use ${String(error.path)} (${String(error.code)}).`) : error;
}

/** Prints one line of progress. Resolves once the line has been written. */
export type ProgressReporter = (line: string) => void | Promise<void>;

const MAX_REPORTS = 20;

/** Creates a function that tells when to report progress: it returns true at most twenty times while `done` grows to `total`. */
export function createProgressThrottle(total: number): (done: number) => boolean {
  let reported = 0;
  return (done) => {
    const step = Math.floor((done / Math.max(1, total)) * MAX_REPORTS);
    if (step <= reported) return false;
    reported = step;
    return true;
  };
}
