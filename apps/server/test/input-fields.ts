import { everySchemaIn, type Schema } from '@callout/contract/inner-schemas';
import type { z } from 'zod';
import type { Call } from './every-call.ts';

export type Input = Readonly<Record<string, unknown>>;

/** The path of a field in an input, with '*' for a list entry: ['sections', '*', 'title']. */
export type FieldPath = readonly string[];

/** Every field of a call's input, however deep. */
export function inputFieldsOf({ input }: Pick<Call, 'input'>): FieldPath[] {
  const paths = input ? everySchemaIn(input).map(({ path }) => path) : [];
  return [...new Map(paths.filter((path) => path.length > 0).map((path) => [path.join('.'), path])).values()];
}

/**
 * The fields of a body that refer to another record. `id` and `new_id` are the client-made id of the record itself, `request_id`, `mail_id`,
 * `credit_id` and `reversal_id` that of the request and of what it makes.
 */
export function foreignIdFieldsOf({ input, method, path }: Pick<Call, 'input' | 'method' | 'path'>): FieldPath[] {
  if (!input || method === 'GET') return [];
  const isOwn = (name = '') => ['id', 'new_id', 'request_id', 'mail_id', 'credit_id', 'reversal_id'].includes(name);
  const isElsewhere = (field: FieldPath) => isOwn(field.findLast((name) => name !== '*')) || path.includes(`{${field.join('.')}}`);
  const ids = everySchemaIn(input).filter(({ schema }) => isIdSchema(schema));
  return ids.map((placed) => placed.path).filter((field) => !isElsewhere(field));
}

function isIdSchema(schema: Schema): boolean {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  return def.type === 'string' && 'format' in def && (def.format === 'uuid' || def.format === 'guid');
}

/** The fields in which another company's record id is not answered like an unknown id. */
export async function acceptedForeignIds(
  call: Pick<Call, 'input' | 'method' | 'path'>,
  input: Input,
  foreignIds: readonly string[],
  send: (input: Input) => Promise<{ readonly statusCode: number }>,
): Promise<string[]> {
  const accepted = new Set<string>();
  for (const field of foreignIdFieldsOf(call)) {
    for (const id of foreignIds) {
      const { statusCode } = await send(replaceField(input, field, id));
      // What a person has seen is never stored: an unknown id there is not what is stored now.
      const isStale = field[0] === 'seen' && statusCode === 409;
      if (statusCode !== 404 && statusCode !== 422 && !isStale) accepted.add(`${field.join('.')} (${statusCode})`);
    }
  }
  return [...accepted];
}

/** The input with another value in one field, or in the first entry of a list. */
export function replaceField(input: Input, [name = '', ...rest]: FieldPath, value: unknown): Input {
  return { ...input, [name]: replaceIn(input[name], rest, value) };
}

function replaceIn(current: unknown, path: FieldPath, value: unknown): unknown {
  if (path.length === 0) return value;
  const [step, ...rest] = path;
  if (Array.isArray(current) && step === '*') {
    const [first, ...others] = current as unknown[];
    return [replaceIn(first, rest, value), ...others];
  }
  if (!isInput(current)) throw new Error(`The sample has nothing to put '${path.join('.')}' into`);
  const [first = ''] = Object.keys(current);
  return replaceField(current, step === '*' ? [first, ...rest] : path, value);
}

const isInput = (value: unknown): value is Input => typeof value === 'object' && value !== null && !Array.isArray(value);
