import { isErrorCode } from '@callout/contract/errors';
import { findRequiredCapability } from '@callout/contract/field-visibility';
import { getInnerSchemas, type ZodSchema } from '@callout/contract/schema-traversal';
import { type Capability, hasCapability } from '@callout/domain/roles/roles';
import type { AnyProcedure } from '@orpc/server';
import { createFailure, type Failure } from '../errors/failures.ts';

type Role = string | undefined;
/** Returns a copy without the fields that the role may not see, or the value itself if the role may see them all. */
type Redactor = (value: unknown, role: Role) => unknown;

/** Removes fields marked with `visibleWith` from a call's responses. */
export interface ResponseRedactor {
  redactOutput(output: unknown, role: Role): unknown;
  redactFailure(failure: Failure, role: Role): Failure;
}

/** Creates a redactor from the call's schemas, once at startup. Returns null if no response has a marked field. */
export function createResponseRedactor({ '~orpc': { outputSchema, errorMap } }: AnyProcedure): ResponseRedactor | null {
  const outputRedactor = createRootRedactor(outputSchema);
  const dataRedactors = new Map<string, Redactor>();
  for (const [code, { data }] of Object.entries(errorMap as Record<string, { data?: unknown }>)) {
    const redactor = createRootRedactor(data);
    if (redactor) dataRedactors.set(code, redactor);
  }
  if (!outputRedactor && dataRedactors.size === 0) return null;
  return {
    redactOutput: (output, role) => (outputRedactor ? outputRedactor(output, role) : output),
    redactFailure(failure, role) {
      const { code, message, data } = failure;
      const redact = dataRedactors.get(code);
      return redact && isErrorCode(code) && isRecord(data) ? createFailure(code, message, redact(data, role) as object) : failure;
    },
  };
}

function createRootRedactor(schema: unknown): Redactor | null {
  if (!schema) return null;
  if (findRequiredCapability(schema as ZodSchema)) throw new Error(ONLY_FIELDS_MESSAGE);
  return createRedactor(schema as ZodSchema);
}

const ONLY_FIELDS_MESSAGE = 'visibleWith marks a field of an object, not a whole response or the entries of a list';

/** Redacts all members of a union in the same way: a field that is hidden in one member is hidden in all of them. */
function createRedactor(schema: ZodSchema): Redactor | null {
  const redactors = getInnerSchemas(schema).flatMap((inner): Redactor[] => {
    const capability = findRequiredCapability(inner.schema);
    const redact = createRedactor(inner.schema);
    if (inner.relation === 'field') return capability || redact ? [createFieldRedactor(inner.name, capability, redact)] : [];
    if (inner.relation === 'entry' && capability) throw new Error(ONLY_FIELDS_MESSAGE);
    if (!redact) return [];
    return [inner.relation === 'entry' ? createEntryRedactor(redact) : redact];
  });
  if (redactors.length === 0) return null;
  return (value, role) => redactors.reduce((redacted, redact) => redact(redacted, role), value);
}

function createFieldRedactor(name: string, capability: Capability | null, redact: Redactor | null): Redactor {
  return (value, role) => {
    if (!isRecord(value) || !Object.hasOwn(value, name)) return value;
    if (capability && !hasCapability(role, capability)) {
      const { [name]: _, ...rest } = value;
      return rest;
    }
    const field = redact ? redact(value[name], role) : value[name];
    return field === value[name] ? value : { ...value, [name]: field };
  };
}

function createEntryRedactor(redact: Redactor): Redactor {
  return (value, role) => {
    if (Array.isArray(value)) {
      const entries: readonly unknown[] = value;
      const redacted = entries.map((entry) => redact(entry, role));
      return redacted.every((entry, index) => entry === entries[index]) ? entries : redacted;
    }
    if (!isRecord(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([name, entry]) => [name, redact(entry, role)]));
  };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
