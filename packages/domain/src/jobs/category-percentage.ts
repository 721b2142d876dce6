import { formatCount } from '../text/count-format.ts';

export interface CategoryJobCount {
  readonly id: string;
  readonly name: string;
  readonly jobs: number;
}

export interface CategoryPercentage extends CategoryJobCount {
  /** Percent with one decimal, half up: '33.3'. */
  readonly percent: string;
}

/** Calculates percentages of the sum of all counts, not of the number of jobs, because a job counts in each of its categories. */
export function calculateCategoryPercentages(counts: readonly CategoryJobCount[]): CategoryPercentage[] {
  const sum = counts.reduce((total, { jobs }) => total + jobs, 0);
  return counts.map((count) => ({ ...count, percent: (sum === 0 ? 0 : Math.round((count.jobs * 1000) / sum) / 10).toFixed(1) }));
}

/** Formats '1 jobs (25.0%)'. The plural is intentional: the specification has no singular form. */
export const formatCategoryPercentage = ({ jobs, percent }: CategoryPercentage) => `${formatCount(jobs)} jobs (${percent}%)`;

/** Colors that differ from each other and from both backgrounds. The legend names each category, so color is never the only cue. */
export const CATEGORY_COLORS = [
  '#0f766e',
  '#f59e0b',
  '#4f46e5',
  '#e11d48',
  '#0284c7',
  '#65a30d',
  '#9333ea',
  '#ea580c',
  '#db2777',
  '#64748b',
] as const;

/** Hashes the id, so that a category always prefers the same color. */
function getPreferredColorIndex(id: string): number {
  let hash = 0;
  for (const character of id) hash = (hash * 31 + (character.codePointAt(0) ?? 0)) % 1_000_003;
  return hash % CATEGORY_COLORS.length;
}

/** Gives each category its preferred color or, if that is taken, the next free one. The order of `ids` makes no difference. */
export function assignCategoryColors(ids: readonly string[]): ReadonlyMap<string, string> {
  const colors = new Map<string, string>();
  const taken = new Set<number>();
  for (const id of ids.toSorted()) {
    if (taken.size === CATEGORY_COLORS.length) taken.clear();
    let index = getPreferredColorIndex(id);
    while (taken.has(index)) index = (index + 1) % CATEGORY_COLORS.length;
    taken.add(index);
    colors.set(id, CATEGORY_COLORS[index] ?? CATEGORY_COLORS[0]);
  }
  return colors;
}
