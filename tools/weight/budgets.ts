const KB = 1024;

/** The maximum compressed script size and number of requests of a cold page load, until the page has been idle for a second. */
export interface PageBudget {
  /** May contain `{customer}`, `{supplier}`, `{job}` or `{quote}` for a demo record's id, or `{token}` for a public link's token. */
  readonly path: string;
  readonly maxKb: number;
  readonly maxRequests: number;
  readonly isPublic?: boolean;
}

const LIST = { maxKb: 220, maxRequests: 28 };
const FORM = { maxKb: 280, maxRequests: 34 };
const PUBLIC = { maxKb: 110, maxRequests: 14, isPublic: true };

export const BUDGETS: readonly PageBudget[] = [
  { path: '/auth', maxKb: 170, maxRequests: 20, isPublic: true },
  { path: '/dashboard', ...LIST },
  { path: '/todo', ...LIST },
  { path: '/customers', ...LIST },
  { path: '/staff', ...LIST },
  { path: '/board', ...LIST },
  { path: '/jobs', ...LIST },
  { path: '/quotes', ...LIST },
  { path: '/calendar', maxKb: 320, maxRequests: 34 },
  { path: '/time-sheet', ...LIST },
  { path: '/invoices', ...LIST },
  { path: '/invoices/debtors', ...LIST },
  { path: '/jobs/new', ...FORM },
  { path: '/jobs/{job}', ...FORM },
  { path: '/jobs/{job}/edit', ...FORM },
  { path: '/jobs/{job}/payment', ...FORM },
  { path: '/jobs/{job}/items/add', ...FORM },
  { path: '/quotes/{quote}', ...FORM },
  { path: '/quotes/new', ...FORM },
  { path: '/quotes/{quote}/edit', ...FORM },
  { path: '/customers/new', ...FORM },
  { path: '/customers/{customer}', ...FORM },
  { path: '/items-services', ...LIST },
  { path: '/items-services/suppliers/new', ...FORM },
  { path: '/items-services/suppliers/{supplier}', ...FORM },
  { path: '/settings', ...FORM },
  { path: '/quote/{token}', ...PUBLIC },
  { path: '/invoice/{token}', ...PUBLIC },
];

export interface PageWeight extends PageBudget {
  /** Compressed size of all scripts, as transferred. */
  readonly bytes: number;
  readonly requests: number;
}

export const isOverBudget = ({ bytes, requests, maxKb, maxRequests }: PageWeight) => bytes > maxKb * KB || requests > maxRequests;

export function formatWeightTable(weights: readonly PageWeight[]): string {
  const width = Math.max(...weights.map(({ path }) => path.length));
  const rows = weights.map((weight) => {
    const { path, bytes, requests, maxKb, maxRequests } = weight;
    const script = `${(bytes / KB).toFixed(1).padStart(6)} / ${String(maxKb).padEnd(3)}`;
    const count = `${String(requests).padStart(8)} / ${String(maxRequests).padEnd(2)}`;
    return `${path.padEnd(width)} ${script} ${count}${isOverBudget(weight) ? '  OVER' : ''}`;
  });
  return [`${'page'.padEnd(width)}  script kB    requests`, ...rows].join('\n');
}
