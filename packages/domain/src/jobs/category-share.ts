import { formatCount } from '../text/count-text.ts';

export interface CategoryCount {
  readonly id: string;
  readonly name: string;
  readonly jobs: number;
}

export interface CategoryShare extends CategoryCount {
  /** Percent with one decimal, half up: '33.3'. */
  readonly percent: string;
}

/** A job counts in each of its categories, so the whole is the sum of all counts. */
export function categoryShares(counts: readonly CategoryCount[]): CategoryShare[] {
  const sum = counts.reduce((total, { jobs }) => total + jobs, 0);
  return counts.map((count) => ({ ...count, percent: (sum === 0 ? 0 : Math.round((count.jobs * 1000) / sum) / 10).toFixed(1) }));
}

/** '1 jobs (25.0%)': the specification's words, also for one. */
export const shareText = ({ jobs, percent }: CategoryShare) => `${formatCount(jobs)} jobs (${percent}%)`;

/** They differ from each other and from both backgrounds; the legend names each, so none is told by its color alone. */
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

/** The same category always starts from the same color. */
function preferredColor(id: string): number {
  let hash = 0;
  for (const character of id) hash = (hash * 31 + (character.codePointAt(0) ?? 0)) % 1_000_003;
  return hash % CATEGORY_COLORS.length;
}

/** A color for each category: its own, or the next one if another of these has it. The order of the ids makes no difference. */
export function categoryColors(ids: readonly string[]): ReadonlyMap<string, string> {
  const colors = new Map<string, string>();
  const taken = new Set<number>();
  for (const id of ids.toSorted()) {
    if (taken.size === CATEGORY_COLORS.length) taken.clear();
    let index = preferredColor(id);
    while (taken.has(index)) index = (index + 1) % CATEGORY_COLORS.length;
    taken.add(index);
    colors.set(id, CATEGORY_COLORS[index] ?? CATEGORY_COLORS[0]);
  }
  return colors;
}
