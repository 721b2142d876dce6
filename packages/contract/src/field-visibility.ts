import type { Capability } from '@callout/domain/roles/roles';
import { z } from 'zod';
import { getInnerSchemas, type ZodSchema } from './schema-traversal.ts';

/** Metadata key for the required capability. It also appears in the published OpenAPI document. */
const VISIBLE_WITH_KEY = 'x-visible-with';

/**
 * Marks a response field that only roles with a capability may see. To mark a field, wrap its schema where the response is declared:
 *
 *   export const JobItem = z.object({ price: Amount, cost_price: visibleWith('costs.view', Amount) });
 *
 * The handler always returns the field. The server removes it from the response, and from the record sent with STALE_VERSION, for
 * roles without the capability and for public calls. That is why the field is optional, and pages show it only if it is present.
 * A test rejects unmarked fields whose names contain cost, margin, markup or profit.
 */
export function visibleWith<Field extends z.ZodType>(capability: Capability, field: Field): z.ZodOptional<Field> {
  return field.optional().meta({ [VISIBLE_WITH_KEY]: capability });
}

/** Returns the capability that `visibleWith` set, even if the marked schema was wrapped again, for example by `nullable()`. */
export function findRequiredCapability(field: ZodSchema): Capability | null {
  const marked = z.globalRegistry.get(field)?.[VISIBLE_WITH_KEY];
  if (marked !== undefined) return marked as Capability;
  for (const inner of getInnerSchemas(field)) {
    const found = inner.relation === 'wrapped' ? findRequiredCapability(inner.schema) : null;
    if (found) return found;
  }
  return null;
}
