import type { AnySchema } from '@orpc/contract';
import { JsonSchemaCoercer } from '@orpc/json-schema';
import type { JSONSchema } from '@orpc/openapi';
import { StandardBracketNotationSerializer } from '@orpc/openapi-client/standard';
import { ZodToJsonSchemaConverter } from '@orpc/zod/zod4';

/** More entries than fit into a URL. A higher index would have us fill, and refuse entry by entry, a list that nobody sent. */
const MAX_INDEX = 499;

const brackets = new StandardBracketNotationSerializer({ maxBracketNotationArrayIndex: MAX_INDEX });
const coercer = new JsonSchemaCoercer();
const converter = new ZodToJsonSchemaConverter();

export type QueryReader = (query: Record<string, unknown>) => unknown;

/**
 * Reads a query as oRPC's link writes it (`statuses[0]=new&archived=true`), each value as the type its field has. Decided once
 * for each call: one whose fields are all text takes the query as fastify has parsed it.
 */
export function createQueryReader(callName: string, schema: AnySchema | undefined): QueryReader {
  if (!schema || !converter.condition(schema)) return (query) => query;
  const [, jsonSchema] = converter.convert(schema, { strategy: 'input' });
  const fields = fieldsOf(jsonSchema);
  if (fields.every(({ schema: field }) => isText(field))) return (query) => query;
  for (const { name, schema: field, required } of fields) {
    if (required && isList(field)) {
      throw new Error(`${callName}: the query field "${name}" needs .default([]) or .optional(): an empty list leaves no trace in a query`);
    }
  }
  return (query) => coercer.coerce(jsonSchema, brackets.deserialize(pairsOf(query)));
}

function fieldsOf(schema: JSONSchema) {
  if (typeof schema === 'boolean') return [];
  return Object.entries(schema.properties ?? {}).map(([name, field]) => ({
    name,
    schema: field,
    required: schema.required?.includes(name) ?? false,
  }));
}

function isText(schema: JSONSchema): boolean {
  if (typeof schema === 'boolean') return false;
  if (schema.anyOf) return schema.anyOf.every(isText);
  return schema.type === 'string' || schema.type === 'null' || typeof schema.const === 'string';
}

const isList = (schema: JSONSchema): boolean => typeof schema !== 'boolean' && schema.type === 'array';

function pairsOf(query: Record<string, unknown>): [string, unknown][] {
  return Object.entries(query).flatMap(([name, value]) =>
    Array.isArray(value) ? value.map((entry): [string, unknown] => [name, entry]) : [[name, value]],
  );
}
