import { isErrorCode } from '@callout/contract/errors';
import { innerSchemas, type Schema } from '@callout/contract/inner-schemas';
import { capabilityToSee } from '@callout/contract/visibility';
import { type Capability, can } from '@callout/domain/roles/roles';
import type { AnyProcedure } from '@orpc/server';
import { type Failure, failure } from '../errors/failures.ts';

type Role = string | undefined;
/** Returns a copy without the fields that a role may not see. */
type Shaper = (value: unknown, role: Role) => unknown;

/** Removes fields marked with `visibleWith` from a call's responses. */
export interface AnswerVisibility {
  shapeOutput(output: unknown, role: Role): unknown;
  shapeFailure(failed: Failure, role: Role): Failure;
}

/** Computed once per call; null when no response has a marked field. */
export function answerVisibilityOf({ '~orpc': { outputSchema, errorMap } }: AnyProcedure): AnswerVisibility | null {
  const shapeOutput = answerShaperOf(outputSchema);
  const shapeData = new Map<string, Shaper>();
  for (const [code, { data }] of Object.entries(errorMap as Record<string, { data?: unknown }>)) {
    const shaper = answerShaperOf(data);
    if (shaper) shapeData.set(code, shaper);
  }
  if (!shapeOutput && shapeData.size === 0) return null;
  return {
    shapeOutput: (output, role) => (shapeOutput ? shapeOutput(output, role) : output),
    shapeFailure(failed, role) {
      const { code, message, data } = failed;
      const shape = shapeData.get(code);
      return shape && isErrorCode(code) && isRecord(data) ? failure(code, message, shape(data, role) as object) : failed;
    },
  };
}

function answerShaperOf(schema: unknown): Shaper | null {
  if (!schema) return null;
  if (capabilityToSee(schema as Schema)) throw new Error(ONLY_FIELDS);
  return shaperOf(schema as Schema);
}

const ONLY_FIELDS = 'visibleWith marks a field of an object, not a whole answer or the entries of a list';

/** The records of a union are shaped alike: what one of them hides, they all hide. */
function shaperOf(schema: Schema): Shaper | null {
  const shapers = innerSchemas(schema).flatMap((inner): Shaper[] => {
    const capability = capabilityToSee(inner.schema);
    const shape = shaperOf(inner.schema);
    if (inner.as === 'field') return capability || shape ? [fieldShaper(inner.name, capability, shape)] : [];
    if (inner.as === 'entry' && capability) throw new Error(ONLY_FIELDS);
    if (!shape) return [];
    return [inner.as === 'entry' ? entryShaper(shape) : shape];
  });
  if (shapers.length === 0) return null;
  return (value, role) => shapers.reduce((shaped, shape) => shape(shaped, role), value);
}

function fieldShaper(name: string, capability: Capability | null, shape: Shaper | null): Shaper {
  return (value, role) => {
    if (!isRecord(value) || !Object.hasOwn(value, name)) return value;
    const { [name]: field, ...rest } = value;
    if (capability && !can(role, capability)) return rest;
    return shape ? { ...value, [name]: shape(field, role) } : value;
  };
}

function entryShaper(shape: Shaper): Shaper {
  return (value, role) => {
    if (Array.isArray(value)) return value.map((entry) => shape(entry, role));
    if (!isRecord(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([name, entry]) => [name, shape(entry, role)]));
  };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
