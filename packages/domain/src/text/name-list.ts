const MAX_NAMES = 3;

/** Formats names as 'Sam', 'Sam and Nina' or, if there are many, 'Sam, Nina, Josh and 2 others'. */
export function formatNames(names: readonly string[]): string {
  const hiddenCount = names.length > MAX_NAMES + 1 ? names.length - MAX_NAMES : 0;
  const shown = hiddenCount > 0 ? [...names.slice(0, MAX_NAMES), `${hiddenCount} others`] : names;
  return [shown.slice(0, -1).join(', '), shown.at(-1) ?? ''].filter(Boolean).join(' and ');
}
