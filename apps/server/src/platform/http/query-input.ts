import type { AnySchema } from '@orpc/contract';
import { JsonSchemaCoercer } from '@orpc/json-schema';
import type { JSONSchema } from '@orpc/openapi';
import { StandardBracketNotationSerializer } from '@orpc/openapi-client/standard';
import { ZodToJsonSchemaConverter } from '@orpc/zod/zod4';

/** More entries than fit into a URL. A higher index would make us allocate a huge sparse list. */
const MAX_INDEX = 499;

const brackets = new StandardBracketNotationSerializer({ maxBracketNotationArrayIndex: MAX_INDEX });
const coercer = new JsonSchemaCoercer();
const converter = new ZodToJsonSchemaConverter();

export type QueryReader = (query: Record<string, unknown>) => unknown;

/**
 * Reads a query as oRPC's link writes it (`statuses[0]=new&archived=true`), each value as the type its field has. Decided once
 * for each call: one whose fields are all text takes the query as fastify has parsed it.
 */
export function createQueryReader(callName: string, inputSchema: unknown): QueryReader {
  if (!inputSchema) return (query) => query;
  const [, jsonSchema] = converter.convert(inputSchema as AnySchema, { strategy: 'input' });
  const fields = fieldsOf(jsonSchema);
  const unsendable = fields.find(({ schema: field, required }) => required && canSerializeToNothing(field));
  if (unsendable) {
    throw new Error(`${callName}: an empty "${unsendable.name}" leaves no trace in a query, give it a .default() or make it .optional()`);
  }
  if (fields.every(({ schema: field }) => isText(field))) return (query) => query;
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

/** Empty lists, empty records and null are left out of a query string. */
function canSerializeToNothing(schema: JSONSchema): boolean {
  if (typeof schema === 'boolean') return false;
  return schema.anyOf?.some(canSerializeToNothing) ?? (schema.type === 'array' || schema.type === 'object' || schema.type === 'null');
}

function pairsOf(query: Record<string, unknown>): [string, unknown][] {
  return Object.entries(query).flatMap(([name, value]) =>
    Array.isArray(value) ? value.map((entry): [string, unknown] => [name, entry]) : [[name, value]],
  );
}
