import type { z } from 'zod';

export type ZodSchema = z.core.$ZodType;

/** A schema nested in another schema: an object's field, an entry of a list or record, or the schema inside a wrapper. */
type InnerSchema =
  | { readonly relation: 'field'; readonly name: string; readonly schema: ZodSchema }
  | { readonly relation: 'entry' | 'wrapped'; readonly schema: ZodSchema };

const toEntries = (...schemas: (ZodSchema | null | undefined)[]): InnerSchema[] =>
  schemas.flatMap((schema) => (schema ? [{ relation: 'entry', schema }] : []));
const toWrapped = (...schemas: ZodSchema[]): InnerSchema[] => schemas.map((schema) => ({ relation: 'wrapped', schema }));

/** Returns the schemas nested directly in a schema, for code that needs the paths of an input's or response's fields. */
export function getInnerSchemas(schema: ZodSchema): InnerSchema[] {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case 'object':
      return [
        ...Object.entries(def.shape).map(([name, field]): InnerSchema => ({ relation: 'field', name, schema: field })),
        ...toEntries(def.catchall),
      ];
    case 'array':
      return toEntries(def.element);
    case 'tuple':
      return toEntries(...def.items, def.rest);
    case 'record':
      return toEntries(def.valueType);
    case 'union':
      return toWrapped(...def.options);
    case 'intersection':
      return toWrapped(def.left, def.right);
    case 'pipe':
      return toWrapped(def.in, def.out);
    case 'optional':
    case 'nonoptional':
    case 'nullable':
    case 'default':
    case 'prefault':
    case 'catch':
    case 'readonly':
      return toWrapped(def.innerType);
    case 'lazy':
    case 'map':
    case 'set':
    case 'promise':
      throw new Error(`Contract schemas must be plain JSON of fixed depth, so ${def.type} is not allowed`);
    default:
      return [];
  }
}

export interface SchemaAtPath {
  /** Field names from the outermost schema inward, with '*' for a list entry: ['sections', '*', 'title']. */
  readonly path: readonly string[];
  readonly schema: ZodSchema;
}

/** Returns a schema and every schema nested in it, at any depth. */
export function collectSchemas(schema: ZodSchema, path: readonly string[] = []): SchemaAtPath[] {
  const nested = getInnerSchemas(schema).flatMap((inner) => {
    const step = inner.relation === 'field' ? [inner.name] : inner.relation === 'entry' ? ['*'] : [];
    return collectSchemas(inner.schema, [...path, ...step]);
  });
  return [{ path, schema }, ...nested];
}
