import { isContractProcedure } from '@orpc/contract';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type CallMeta, defineCall } from './call.ts';
import { contract } from './contract.ts';
import { staleVersionError } from './errors.ts';
import { findRequiredCapability, visibleWith } from './field-visibility.ts';
import { collectSchemas, type ZodSchema } from './schema-traversal.ts';

const COST_FIELD = /cost|margin|markup|profit/i;
const PRIVATE_FIELD = /cost|margin|markup|profit|notes/i;

/** Lists every field in a call's output and errors. */
function listOutputFields(procedure: unknown): { name: string; isMarked: boolean }[] {
  if (!isContractProcedure(procedure)) throw new Error('Not a call');
  const { outputSchema, errorMap } = procedure['~orpc'];
  const errors = Object.entries(errorMap as Record<string, { data?: unknown }>).map(([code, { data }]) => [code, data] as const);
  return [['output', outputSchema] as const, ...errors].flatMap(([part, schema]) => {
    if (!schema) return [];
    const schemas = collectSchemas(schema as ZodSchema);
    const markedPaths = schemas.filter((inner) => findRequiredCapability(inner.schema)).map(({ path }) => path.join('.'));
    const paths = [...new Set(schemas.map(({ path }) => path.join('.')))];
    // Hiding a marked field also hides the fields inside it, so they count as marked.
    const isMarked = (path: string) => markedPaths.some((marked) => path === marked || path.startsWith(`${marked}.`));
    return paths.map((path) => ({ name: `${part} ${path}`, isMarked: isMarked(path) }));
  });
}

const getFieldName = (name: string) => name.split(/[ .]/).findLast((part) => part !== '*') ?? '';
const getAccess = (procedure: unknown) => (isContractProcedure(procedure) ? (procedure['~orpc'].meta as CallMeta).access : null);

/** Lists the output fields that the call would reveal to people who may not see them. */
function listExposedFields(procedure: unknown): string[] {
  const isPublic = getAccess(procedure) === 'public';
  return listOutputFields(procedure)
    .filter(({ name, isMarked }) => (isPublic ? PRIVATE_FIELD.test(getFieldName(name)) : COST_FIELD.test(getFieldName(name)) && !isMarked))
    .map(({ name }) => name);
}

const allCalls = Object.entries(contract).flatMap(([feature, calls]) =>
  Object.entries(calls).map(([name, procedure]): [string, unknown] => [`${feature}.${name}`, procedure]),
);

it.each(allCalls)('%s hides costs from roles without access, and private fields from the public', (_, procedure) => {
  expect(listExposedFields(procedure)).toEqual([]);
});

describe('the list of exposed fields contains', () => {
  const price = z.string();
  const hidden = visibleWith('costs.view', price);

  it.each([
    ['a field', z.object({ cost_price: price }), ['output cost_price']],
    ['a nested field', z.object({ rows: z.array(z.object({ totals: z.object({ Margin: price }) })) }), ['output rows.*.totals.Margin']],
    ['a nullable field', z.object({ job: z.object({ profit: price.nullable() }).nullable() }), ['output job.profit']],
    ['a field of a union member', z.union([z.object({ a: hidden }), z.object({ markup: price })]), ['output markup']],
    ['a list', z.object({ costs: z.array(price) }), ['output costs', 'output costs.*']],
    ['a field of a keyed record', z.record(z.string(), z.object({ cost: price })), ['output *.cost']],
  ])('%s', (_, output, exposed) => {
    expect(listExposedFields(defineCall('work.view').output(output))).toEqual(exposed);
  });

  it('a field of the record that is sent with an error', () => {
    const update = defineCall('jobs.edit').errors(staleVersionError(z.object({ id: z.string(), cost_price: price })));
    expect(listExposedFields(update)).toEqual(['STALE_VERSION current.cost_price']);
  });

  it('internal notes and all cost fields, even marked ones, in the output of a public call', () => {
    const view = defineCall('public').output(
      z.object({ title: price, cost: hidden, sections: z.array(z.object({ internal_notes: price })) }),
    );
    expect(listExposedFields(view)).toEqual(['output cost', 'output sections.*.internal_notes']);
  });

  it('no marked field, whether plain, wrapped, picked or nested', () => {
    const Item = z.object({ price, cost_price: hidden, other: price });
    const output = z.object({
      rows: z.array(Item.pick({ cost_price: true })),
      item: Item.extend({ margin: hidden.nullable() }),
      costs: visibleWith('costs.view', z.object({ total_cost: price })),
    });
    expect(listExposedFields(defineCall('work.view').output(output))).toEqual([]);
  });
});

it('makes a marked field optional and documents its capability', () => {
  const Item = z.object({ cost: visibleWith('costs.view', z.string()) });
  expect(Item.parse({})).toEqual({});
  expect(Item.safeParse({ cost: 1 }).success).toBe(false);
  expect(z.toJSONSchema(Item)).toMatchObject({ properties: { cost: { 'x-visible-with': 'costs.view' } } });
});
