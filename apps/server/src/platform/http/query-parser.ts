import type { AnySchema } from '@orpc/contract';
import { JsonSchemaCoercer } from '@orpc/json-schema';
import type { JSONSchema } from '@orpc/openapi';
import { StandardBracketNotationSerializer } from '@orpc/openapi-client/standard';
import { ZodToJsonSchemaConverter } from '@orpc/zod/zod4';

/** No URL is long enough for more entries. Without this limit, a huge index would allocate a huge sparse array. */
const MAX_LIST_INDEX = 499;

const bracketSerializer = new StandardBracketNotationSerializer({ maxBracketNotationArrayIndex: MAX_LIST_INDEX });
const coercer = new JsonSchemaCoercer();
const converter = new ZodToJsonSchemaConverter();

export type QueryParser = (query: Record<string, unknown>) => unknown;

/**
 * Creates a parser for queries as oRPC's link writes them (`statuses[0]=new&archived=true`), which converts each value to its field's type.
 * The parser of a call with only text fields skips the conversion.
 */
export function createQueryParser(callName: string, inputSchema: unknown): QueryParser {
  if (!inputSchema) return (query) => query;
  const [, jsonSchema] = converter.convert(inputSchema as AnySchema, { strategy: 'input' });
  const fields = listFields(jsonSchema);
  const unsendable = fields.find(({ schema: field, required }) => required && canBeOmittedFromQuery(field));
  if (unsendable) {
    throw new Error(`${callName}: a query can't express an empty "${unsendable.name}". Give it a .default() or make it .optional().`);
  }
  if (fields.every(({ schema: field }) => isTextField(field))) return (query) => query;
  return (query) => coercer.coerce(jsonSchema, bracketSerializer.deserialize(toPairs(query)));
}

function listFields(schema: JSONSchema) {
  if (typeof schema === 'boolean') return [];
  return Object.entries(schema.properties ?? {}).map(([name, field]) => ({
    name,
    schema: field,
    required: schema.required?.includes(name) ?? false,
  }));
}

function isTextField(schema: JSONSchema): boolean {
  if (typeof schema === 'boolean') return false;
  if (schema.anyOf) return schema.anyOf.every(isTextField);
  return schema.type === 'string' || schema.type === 'null' || typeof schema.const === 'string';
}

/** Returns true if the value can be a list, an object or null, because a query string omits null and anything empty. */
function canBeOmittedFromQuery(schema: JSONSchema): boolean {
  if (typeof schema === 'boolean') return false;
  return schema.anyOf?.some(canBeOmittedFromQuery) ?? (schema.type === 'array' || schema.type === 'object' || schema.type === 'null');
}

function toPairs(query: Record<string, unknown>): [string, unknown][] {
  return Object.entries(query).flatMap(([name, value]) =>
    Array.isArray(value) ? value.map((entry): [string, unknown] => [name, entry]) : [[name, value]],
  );
}
