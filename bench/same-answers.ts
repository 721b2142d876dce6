import { isDeepStrictEqual } from 'node:util';
import type { Scenario } from './scenarios.ts';
import type { Sources } from './sources.ts';

type Row = { [column: string]: unknown };

/** Fast and wrong is no result: what is measured must answer with the same rows. */
export async function checkAnswers(scenarios: readonly Scenario[], sources: Sources, cookie: string): Promise<void> {
  for (const scenario of scenarios.filter(({ method }) => method === 'GET')) {
    for (const [index, { path }] of scenario.variants.entries()) {
      const product = rowsOf(await fetchJson(`http://127.0.0.1:${sources.product.port}${path}`, { cookie }));
      const bare = rowsOf(await fetchJson(`${sources.bareUrl}/${scenario.key}/${index}`));
      if (product.length === 0) throw new Error(`${scenario.title}: nothing found at ${path}`);
      if (!product.every((row, at) => sayTheSame(row, bare[at]))) throw new Error(`${scenario.title}: other rows at ${path}`);
    }
  }
}

async function fetchJson(url: string, headers: { cookie?: string } = {}): Promise<unknown> {
  const answer = await fetch(url, { headers });
  if (answer.status !== 200) throw new Error(`${url} answered ${answer.status}: ${await answer.text()}`);
  return answer.json();
}

/** A page, a bare list of rows, or one record. */
function rowsOf(answer: unknown): Row[] {
  if (Array.isArray(answer)) return answer as Row[];
  const { rows } = answer as { rows?: Row[] };
  return rows ?? [answer as Row];
}

function sayTheSame(row: Row, bare: Row | undefined): boolean {
  return bare !== undefined && Object.entries(row).every(([column, value]) => isDeepStrictEqual(value, bare[column]));
}
