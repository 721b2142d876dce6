const UNITS = ['B', 'KB', 'MB', 'GB'] as const;
const UNIT_STEP = 1024;

/** Formats a size in units of 1024 with 1 decimal, rounded half up: '1.5 KB'. A size that would round to '1024.0 KB' becomes '1.0 MB'. */
export function formatFileSize(bytes: number): string {
  if (!Number.isSafeInteger(bytes) || bytes < 0) throw new RangeError('A file size must be a whole number of bytes');
  const tenthsIn = (unit: number) => Math.round((bytes * 10) / UNIT_STEP ** unit);
  const unit = UNITS.findIndex((_, index) => index === UNITS.length - 1 || tenthsIn(index) < UNIT_STEP * 10);
  return `${(tenthsIn(unit) / 10).toFixed(1)} ${UNITS[unit]}`;
}

const MB = 1024 * 1024;

/** Size limit of a single file, inclusive. */
export const MAX_FILE_BYTES = 25 * MB;

/** Size limit of a logo, exclusive: exactly 2 MB is rejected. */
export const LOGO_LIMIT_BYTES = 2 * MB;

export function isFileSizeAllowed(bytes: number): boolean {
  return bytes <= MAX_FILE_BYTES;
}

export function isLogoSizeAllowed(bytes: number): boolean {
  return bytes < LOGO_LIMIT_BYTES;
}
