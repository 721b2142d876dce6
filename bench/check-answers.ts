import { isDeepStrictEqual } from 'node:util';
import type { Scenario } from './scenarios.ts';
import type { Targets } from './targets.ts';

type Row = { [column: string]: unknown };

/** Throws unless the product and the bare server return the same rows: a fast wrong answer must not count. */
export async function checkAnswers(scenarios: readonly Scenario[], targets: Targets, cookie: string): Promise<void> {
  for (const scenario of scenarios.filter(({ method }) => method === 'GET')) {
    for (const [variant, { path }] of scenario.variants.entries()) {
      const product = rowsOf(await fetchJson(`http://127.0.0.1:${targets.product.port}${path}`, { cookie }));
      const bare = rowsOf(await fetchJson(`${targets.bareUrl}/${scenario.key}/${variant}`));
      if (product.length === 0) throw new Error(`${scenario.title}: no rows at ${path}`);
      const isSame = (row: Row, index: number) => isSameRow(pickColumns(row, scenario.storedColumns), bare[index]);
      if (!product.every(isSame)) throw new Error(`${scenario.title}: different rows at ${path}`);
    }
  }
}

async function fetchJson(url: string, headers: { cookie?: string } = {}): Promise<unknown> {
  const answer = await fetch(url, { headers });
  if (answer.status !== 200) throw new Error(`${url} answered ${answer.status}: ${await answer.text()}`);
  return answer.json();
}

/** From a page, a list of rows, or one record. */
function rowsOf(answer: unknown): Row[] {
  if (Array.isArray(answer)) return answer as Row[];
  const { rows } = answer as { rows?: Row[] };
  return rows ?? [answer as Row];
}

function pickColumns(row: Row, columns: readonly string[] | undefined): Row {
  return columns ? Object.fromEntries(columns.map((column) => [column, row[column]])) : row;
}

function isSameRow(row: Row, bare: Row | undefined): boolean {
  return bare !== undefined && Object.entries(row).every(([column, value]) => isDeepStrictEqual(value, bare[column]));
}
