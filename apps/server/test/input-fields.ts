import { collectSchemas, type ZodSchema } from '@callout/contract/schema-traversal';
import type { z } from 'zod';
import type { ContractCall } from './contract-calls.ts';

export type CallInput = Readonly<Record<string, unknown>>;

/** The path of a field in an input, with '*' for a list entry: ['sections', '*', 'title']. */
export type FieldPath = readonly string[];

/** Lists every field of a call's input, including nested ones. */
export function listInputFields({ input }: Pick<ContractCall, 'input'>): FieldPath[] {
  const paths = input ? collectSchemas(input).map(({ path }) => path) : [];
  return [...new Map(paths.filter((path) => path.length > 0).map((path) => [path.join('.'), path])).values()];
}

/** Lists the body fields that refer to another record. Excludes client-generated ids and ids in the path. */
export function listForeignIdFields({ input, method, path }: Pick<ContractCall, 'input' | 'method' | 'path'>): FieldPath[] {
  if (!input || method === 'GET') return [];
  const isClientGenerated = (name = '') => ['id', 'new_id', 'request_id', 'mail_id', 'credit_id', 'reversal_id'].includes(name);
  const isExcluded = (field: FieldPath) =>
    isClientGenerated(field.findLast((name) => name !== '*')) || path.includes(`{${field.join('.')}}`);
  const ids = collectSchemas(input).filter(({ schema }) => isIdSchema(schema));
  return ids.map((id) => id.path).filter((field) => !isExcluded(field));
}

function isIdSchema(schema: ZodSchema): boolean {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  return def.type === 'string' && 'format' in def && (def.format === 'uuid' || def.format === 'guid');
}

/** Finds the fields that accept the id of another company's record instead of rejecting it like an unknown one. */
export async function findAcceptedForeignIds(
  call: Pick<ContractCall, 'input' | 'method' | 'path'>,
  input: CallInput,
  foreignIds: readonly string[],
  send: (input: CallInput) => Promise<{ readonly statusCode: number }>,
): Promise<string[]> {
  const accepted = new Set<string>();
  for (const field of listForeignIdFields(call)) {
    for (const id of foreignIds) {
      const { statusCode } = await send(replaceField(input, field, id));
      // `seen` is only compared with the stored booking, so an unknown id in it causes a conflict.
      const isStale = field[0] === 'seen' && statusCode === 409;
      if (statusCode !== 404 && statusCode !== 422 && !isStale) accepted.add(`${field.join('.')} (${statusCode})`);
    }
  }
  return [...accepted];
}

/** Returns a copy with another value in one field. '*' in the path means the first entry of a list or object. */
export function replaceField(input: CallInput, [name = '', ...rest]: FieldPath, value: unknown): CallInput {
  return { ...input, [name]: replaceNested(input[name], rest, value) };
}

function replaceNested(current: unknown, path: FieldPath, value: unknown): unknown {
  if (path.length === 0) return value;
  const [step, ...rest] = path;
  if (Array.isArray(current) && step === '*') {
    const [first, ...others] = current as unknown[];
    return [replaceNested(first, rest, value), ...others];
  }
  if (!isCallInput(current)) throw new Error(`The sample input has no parent for '${path.join('.')}'`);
  const [first = ''] = Object.keys(current);
  return replaceField(current, step === '*' ? [first, ...rest] : path, value);
}

const isCallInput = (value: unknown): value is CallInput => typeof value === 'object' && value !== null && !Array.isArray(value);
