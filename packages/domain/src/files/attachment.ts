import { isFileSizeAllowed, MAX_FILE_BYTES } from './file-size.ts';
import { ATTACHMENT_TYPES, acceptText, fileTypeOf } from './file-types.ts';

/** Of one comment. */
export const MAX_COMMENT_FILES = 20;
/** Characters. */
export const MAX_COMMENT_LENGTH = 10_000;

export const TOO_MANY_FILES = 'Too many files';
export const FILE_TOO_LARGE = `File is larger than ${MAX_FILE_BYTES} bytes`;
export const FILE_EMPTY = 'File is smaller than 1 bytes';
export const WRONG_FILE_TYPE = `File type must be ${acceptText(ATTACHMENT_TYPES).replaceAll(',', ', ')}`;

/** Why a file cannot be attached, as far as its name and its size in bytes show; null when it can. */
export function attachmentProblem({ name, size }: { readonly name: string; readonly size: number }): string | null {
  if (!fileTypeOf(name, ATTACHMENT_TYPES)) return WRONG_FILE_TYPE;
  if (!isFileSizeAllowed(size)) return FILE_TOO_LARGE;
  return size === 0 ? FILE_EMPTY : null;
}
