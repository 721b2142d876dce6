import { isContractProcedure } from '@orpc/contract';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type CallMeta, call } from './call.ts';
import { contract } from './contract.ts';
import { staleVersion } from './errors.ts';
import { everySchemaIn, type Schema } from './inner-schemas.ts';
import { capabilityToSee, visibleWith } from './visibility.ts';

const COSTS = /cost|margin|markup|profit/i;
const PRIVATE = /cost|margin|markup|profit|notes/i;

/** Every field of a call's output, in success and in every error. */
function answerFieldsOf(procedure: unknown): { name: string; marked: boolean }[] {
  if (!isContractProcedure(procedure)) throw new Error('Not a call');
  const { outputSchema, errorMap } = procedure['~orpc'];
  const errors = Object.entries(errorMap as Record<string, { data?: unknown }>).map(([code, { data }]) => [code, data] as const);
  return [['output', outputSchema] as const, ...errors].flatMap(([part, schema]) => {
    if (!schema) return [];
    const placed = everySchemaIn(schema as Schema);
    const marked = placed.filter((inner) => capabilityToSee(inner.schema)).map(({ path }) => path.join('.'));
    const paths = [...new Set(placed.map(({ path }) => path.join('.')))];
    // A field inside a marked one is hidden with it.
    const isMarked = (path: string) => marked.some((from) => path === from || path.startsWith(`${from}.`));
    return paths.map((path) => ({ name: `${part} ${path}`, marked: isMarked(path) }));
  });
}

const lastNameIn = (name: string) => name.split(/[ .]/).findLast((part) => part !== '*') ?? '';
const accessOf = (procedure: unknown) => (isContractProcedure(procedure) ? (procedure['~orpc'].meta as CallMeta).access : null);

/** The output fields that more people could see than may. */
function exposedFieldsOf(procedure: unknown): string[] {
  const isPublic = accessOf(procedure) === 'public';
  return answerFieldsOf(procedure)
    .filter(({ name, marked }) => (isPublic ? PRIVATE.test(lastNameIn(name)) : COSTS.test(lastNameIn(name)) && !marked))
    .map(({ name }) => name);
}

const everyCall = Object.entries(contract).flatMap(([feature, calls]) =>
  Object.entries(calls).map(([name, procedure]): [string, unknown] => [`${feature}.${name}`, procedure]),
);

it.each(everyCall)('%s shows costs only to those who may see them, and nothing private to the public', (_, procedure) => {
  expect(exposedFieldsOf(procedure)).toEqual([]);
});

describe('the rule above notices', () => {
  const price = z.string();
  const hidden = visibleWith('costs.view', price);

  it.each([
    ['a field', z.object({ cost_price: price }), ['output cost_price']],
    [
      'a field in a list in a record',
      z.object({ rows: z.array(z.object({ totals: z.object({ Margin: price }) })) }),
      ['output rows.*.totals.Margin'],
    ],
    ['a field that may be null', z.object({ job: z.object({ profit: price.nullable() }).nullable() }), ['output job.profit']],
    ['a field of one of several records', z.union([z.object({ a: hidden }), z.object({ markup: price })]), ['output markup']],
    ['a list', z.object({ costs: z.array(price) }), ['output costs', 'output costs.*']],
    ['a record by name', z.record(z.string(), z.object({ cost: price })), ['output *.cost']],
  ])('%s', (_, output, exposed) => {
    expect(exposedFieldsOf(call('work.view').output(output))).toEqual(exposed);
  });

  it('a field of the record sent with an error', () => {
    const update = call('jobs.edit').errors(staleVersion(z.object({ id: z.string(), cost_price: price })));
    expect(exposedFieldsOf(update)).toEqual(['STALE_VERSION current.cost_price']);
  });

  it('a marked field and notes in a public call', () => {
    const view = call('public').output(z.object({ title: price, cost: hidden, sections: z.array(z.object({ internal_notes: price })) }));
    expect(exposedFieldsOf(view)).toEqual(['output cost', 'output sections.*.internal_notes']);
  });

  it('no field that is marked, alone, wrapped, picked or with its content', () => {
    const Item = z.object({ price, cost_price: hidden, other: price });
    const output = z.object({
      rows: z.array(Item.pick({ cost_price: true })),
      item: Item.extend({ margin: hidden.nullable() }),
      costs: visibleWith('costs.view', z.object({ total_cost: price })),
    });
    expect(exposedFieldsOf(call('work.view').output(output))).toEqual([]);
  });
});

it('a marked field may be missing, and documents what it requires', () => {
  const Item = z.object({ cost: visibleWith('costs.view', z.string()) });
  expect(Item.parse({})).toEqual({});
  expect(Item.safeParse({ cost: 1 }).success).toBe(false);
  expect(z.toJSONSchema(Item)).toMatchObject({ properties: { cost: { 'x-visible-with': 'costs.view' } } });
});
