import { isDeepStrictEqual } from 'node:util';
import type { Scenario } from './scenarios.ts';
import type { LoadTargets } from './targets.ts';

type Row = { [column: string]: unknown };

/** Throws unless Callout and the baseline server return the same rows, so that fast but wrong responses are never measured. */
export async function requireEqualRows(scenario: Scenario, targets: LoadTargets, cookie: string): Promise<void> {
  if (scenario.method !== 'GET') return;
  for (const [variant, { path }] of scenario.variants.entries()) {
    const rows = getRows(await fetchJson(`http://127.0.0.1:${targets.server.port}${path}`, scenario.isPublic ? {} : { cookie }));
    if (rows.length === 0) throw new Error(`No rows at ${path}`);
    if (scenario.storedColumns?.length === 0) continue;
    const baseline = getRows(await fetchJson(`${targets.baselineUrl}/${scenario.key}/${variant}`));
    const isSame = (row: Row, index: number) => isSameRow(pickColumns(row, scenario.storedColumns), baseline[index]);
    if (!rows.every(isSame)) throw new Error(`Different rows at ${path}`);
  }
}

async function fetchJson(url: string, headers: { cookie?: string } = {}): Promise<unknown> {
  const response = await fetch(url, { headers });
  if (response.status !== 200) throw new Error(`${url} returned ${response.status}: ${await response.text()}`);
  return response.json();
}

/** Returns the rows in a response, which is a page, a list or a single record. */
function getRows(body: unknown): Row[] {
  if (Array.isArray(body)) return body as Row[];
  const { rows } = body as { rows?: Row[] };
  return rows ?? [body as Row];
}

function pickColumns(row: Row, columns: readonly string[] | undefined): Row {
  return columns ? Object.fromEntries(columns.map((column) => [column, row[column]])) : row;
}

function isSameRow(row: Row, baseline: Row | undefined): boolean {
  return baseline !== undefined && Object.entries(row).every(([column, value]) => isDeepStrictEqual(value, baseline[column]));
}
