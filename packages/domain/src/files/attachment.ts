import { isFileSizeAllowed, MAX_FILE_BYTES } from './file-size.ts';
import { ATTACHMENT_TYPES, buildAcceptAttribute, findFileType } from './file-types.ts';

export const MAX_COMMENT_FILES = 20;
/** Maximum length in characters. */
export const MAX_COMMENT_LENGTH = 10_000;

export const TOO_MANY_FILES_ERROR = 'Too many files';
export const FILE_TOO_LARGE_ERROR = `File is larger than ${MAX_FILE_BYTES} bytes`;
export const EMPTY_FILE_ERROR = 'File is smaller than 1 bytes';
export const WRONG_FILE_TYPE_ERROR = `File type must be ${buildAcceptAttribute(ATTACHMENT_TYPES).replaceAll(',', ', ')}`;

/** Returns why a file with this name and size in bytes can't be attached; null if it can. */
export function findAttachmentError({ name, size }: { readonly name: string; readonly size: number }): string | null {
  if (!findFileType(name, ATTACHMENT_TYPES)) return WRONG_FILE_TYPE_ERROR;
  if (!isFileSizeAllowed(size)) return FILE_TOO_LARGE_ERROR;
  return size === 0 ? EMPTY_FILE_ERROR : null;
}
