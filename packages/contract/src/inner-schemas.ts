import type { z } from 'zod';

export type Schema = z.core.$ZodType;

/** How a schema stands in another: as a field of an object, as an entry of a list or record, or as another view of the same value. */
type InnerSchema =
  | { readonly as: 'field'; readonly name: string; readonly schema: Schema }
  | { readonly as: 'entry' | 'same'; readonly schema: Schema };

const entries = (...schemas: (Schema | null | undefined)[]): InnerSchema[] =>
  schemas.flatMap((schema) => (schema ? [{ as: 'entry', schema }] : []));
const same = (...schemas: Schema[]): InnerSchema[] => schemas.map((schema) => ({ as: 'same', schema }));

/** The direct inner schemas of a schema, for code that needs paths within an input or response. */
export function innerSchemas(schema: Schema): InnerSchema[] {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case 'object':
      return [
        ...Object.entries(def.shape).map(([name, field]): InnerSchema => ({ as: 'field', name, schema: field })),
        ...entries(def.catchall),
      ];
    case 'array':
      return entries(def.element);
    case 'tuple':
      return entries(...def.items, def.rest);
    case 'record':
      return entries(def.valueType);
    case 'union':
      return same(...def.options);
    case 'intersection':
      return same(def.left, def.right);
    case 'pipe':
      return same(def.in, def.out);
    case 'optional':
    case 'nonoptional':
    case 'nullable':
    case 'default':
    case 'prefault':
    case 'catch':
    case 'readonly':
      return same(def.innerType);
    case 'lazy':
    case 'map':
    case 'set':
    case 'promise':
      throw new Error(`A schema of the contract is plain JSON of known depth: ${def.type} is not`);
    default:
      return [];
  }
}

export interface PlacedSchema {
  /** The names of the fields that lead to it, with '*' for an entry of a list: ['sections', '*', 'title']. */
  readonly path: readonly string[];
  readonly schema: Schema;
}

/** A schema and every schema in it, however deep. */
export function everySchemaIn(schema: Schema, path: readonly string[] = []): PlacedSchema[] {
  const inside = innerSchemas(schema).flatMap((inner) => {
    const step = inner.as === 'field' ? [inner.name] : inner.as === 'entry' ? ['*'] : [];
    return everySchemaIn(inner.schema, [...path, ...step]);
  });
  return [{ path, schema }, ...inside];
}
