const UNITS = ['B', 'KB', 'MB', 'GB'] as const;
const STEP = 1024;

/** Bytes in steps of 1024 with 1 decimal, half up: '1.5 KB'. What would read '1024.0 KB' is '1.0 MB'. */
export function fileSizeText(bytes: number): string {
  if (!Number.isSafeInteger(bytes) || bytes < 0) throw new RangeError('A file size is a whole number of bytes');
  const tenthsIn = (unit: number) => Math.round((bytes * 10) / STEP ** unit);
  const unit = UNITS.findIndex((_, index) => index === UNITS.length - 1 || tenthsIn(index) < STEP * 10);
  return `${(tenthsIn(unit) / 10).toFixed(1)} ${UNITS[unit]}`;
}
