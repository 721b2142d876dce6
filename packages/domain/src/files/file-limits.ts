const MB = 1024 * 1024;

/** Any one file, this size included. */
export const MAX_FILE_BYTES = 25 * MB;

/** A logo must be smaller than this: exactly 2 MB is refused. */
export const LOGO_LIMIT_BYTES = 2 * MB;

export function isFileSizeAllowed(bytes: number): boolean {
  return bytes <= MAX_FILE_BYTES;
}

export function isLogoSizeAllowed(bytes: number): boolean {
  return bytes < LOGO_LIMIT_BYTES;
}
