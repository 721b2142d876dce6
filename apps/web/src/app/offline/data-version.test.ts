import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { contract } from '@callout/contract/contract';
import { collectSchemas, type ZodSchema } from '@callout/contract/schema-traversal';
import { isContractProcedure, type Route } from '@orpc/contract';
import { expect, test } from 'vitest';
import type { z } from 'zod';
import { DATA_VERSION } from '../../lib/data-version.ts';

/** The types of each field of an answer, keyed by path: { 'items.*.discount': 'null | string' }. */
type Shape = Readonly<Record<string, string>>;
interface RecordedShapes {
  readonly version: number;
  readonly calls: Readonly<Record<string, Shape>>;
}

const RECORD = join(import.meta.dirname, 'data-shapes.json');
const OPTIONAL = 'undefined';

/** Calls whose answers no page of a signed-in person stores. */
const isStored = (feature: string) => !['auth', 'admin', 'publicQuotes', 'publicInvoices'].includes(feature);

function listShapes(): RecordedShapes['calls'] {
  const calls = Object.entries(contract).flatMap(([feature, group]) =>
    Object.entries(group).flatMap(([name, call]: [string, unknown]) => {
      if (!isStored(feature) || !isContractProcedure(call)) return [];
      const { route, outputSchema } = call['~orpc'] as { route: Route; outputSchema?: unknown };
      return route.method === 'GET' && outputSchema ? [[`${feature}.${name}`, toShape(outputSchema as ZodSchema)] as const] : [];
    }),
  );
  return Object.fromEntries(calls);
}

function toShape(schema: ZodSchema): Shape {
  const typesByPath = new Map<string, Set<string>>();
  for (const { path, schema: nested } of collectSchemas(schema)) {
    const types = typesByPath.get(path.join('.')) ?? new Set();
    for (const type of listTypes(nested)) types.add(type);
    typesByPath.set(path.join('.'), types);
  }
  return Object.fromEntries([...typesByPath].map(([path, types]) => [path, [...types].toSorted().join(' | ')]));
}

function listTypes(schema: ZodSchema): readonly string[] {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  if (def.type === 'optional') return [OPTIONAL];
  if (def.type === 'nullable') return ['null'];
  if (def.type === 'enum') return Object.values(def.entries).map((value) => JSON.stringify(value));
  if (def.type === 'literal') return def.values.map((value) => JSON.stringify(value));
  return ['union', 'pipe', 'readonly', 'default', 'intersection'].includes(def.type) ? [] : [def.type];
}

/** Lists the fields in which stored data can differ from everything that the page expects now. */
function findUnreadable(stored: Shape, current: Shape): string[] {
  return Object.entries(current).flatMap(([path, types]) => {
    const parent = path.split('.').slice(0, -1).join('.').replace(/\.\*$/, '');
    // Where the stored data doesn't have the parent, nobody looks for the field.
    if (stored[path] === undefined && path !== '' && stored[parent] === undefined) return [];
    const expected = types.split(' | ');
    const found = (stored[path] ?? OPTIONAL).split(' | ');
    return found.filter((type) => !expected.includes(type)).map((type) => `${path} was stored as ${type}, but must be ${types}`);
  });
}

test('a page can show what an earlier one has stored, or DATA_VERSION is raised', async () => {
  const recorded = JSON.parse(readFileSync(RECORD, 'utf8')) as RecordedShapes;
  const calls = listShapes();
  const unreadable = Object.entries(calls).flatMap(([name, shape]) => {
    const stored = recorded.calls[name];
    return stored ? findUnreadable(stored, shape).map((text) => `${name}: ${text}`) : [];
  });
  const isRaised = recorded.version !== DATA_VERSION;
  expect(isRaised ? [] : unreadable, 'Raise DATA_VERSION, then record the shapes with `vitest -u`.').toEqual([]);
  await expect(`${JSON.stringify({ version: DATA_VERSION, calls }, null, 2)}\n`).toMatchFileSnapshot(RECORD);
});

test('new optional fields, other new values and removed fields leave stored data readable', () => {
  const stored = { '': 'object', id: 'string', status: '"open"', note: 'string' };
  expect(findUnreadable(stored, { '': 'object', id: 'string', status: '"done" | "open"', color: 'string | undefined' })).toEqual([]);
});

test('new required fields, removed values and other types make stored data unreadable', () => {
  const stored = { '': 'object', id: 'string', status: '"done" | "open"', items: 'array', 'items.*': 'object', price: 'null | string' };
  const current = {
    '': 'object',
    id: 'number',
    status: '"open"',
    items: 'array',
    'items.*': 'object',
    'items.*.unit': 'string',
    price: 'string',
  };
  expect(findUnreadable(stored, current)).toEqual([
    'id was stored as string, but must be number',
    'status was stored as "done", but must be "open"',
    'items.*.unit was stored as undefined, but must be string',
    'price was stored as null, but must be string',
  ]);
});
