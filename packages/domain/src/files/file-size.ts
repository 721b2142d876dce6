const UNITS = ['B', 'KB', 'MB', 'GB'] as const;
const STEP = 1024;

/** Bytes in steps of 1024 with 1 decimal, half up: '1.5 KB'. What would read '1024.0 KB' is '1.0 MB'. */
export function fileSizeText(bytes: number): string {
  if (!Number.isSafeInteger(bytes) || bytes < 0) throw new RangeError('A file size is a whole number of bytes');
  const tenthsIn = (unit: number) => Math.round((bytes * 10) / STEP ** unit);
  const unit = UNITS.findIndex((_, index) => index === UNITS.length - 1 || tenthsIn(index) < STEP * 10);
  return `${(tenthsIn(unit) / 10).toFixed(1)} ${UNITS[unit]}`;
}

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
