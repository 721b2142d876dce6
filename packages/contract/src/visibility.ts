import type { Capability } from '@callout/domain/roles/roles';
import { z } from 'zod';
import { innerSchemas, type Schema } from './inner-schemas.ts';

/** In the API description, too. */
const VISIBLE_WITH = 'x-visible-with';

/**
 * A field of an answer that only roles with a capability may see. To add one, wrap its schema where the answer is declared:
 *
 *   export const JobItem = z.object({ price: Amount, cost_price: visibleWith('costs.view', Amount) });
 *
 * That is all. The handler always returns the field; the server takes it out of the answer, and out of the record that comes with
 * STALE_VERSION, for everybody whose role lacks the capability and for public calls. So it is optional, and the page shows it when
 * it is there. A test refuses fields called cost, margin, markup or profit that are not marked.
 */
export function visibleWith<Field extends z.ZodType>(capability: Capability, field: Field): z.ZodOptional<Field> {
  return field.optional().meta({ [VISIBLE_WITH]: capability });
}

/** The capability a field was marked with, also when the marked schema was wrapped again. */
export function capabilityToSee(field: Schema): Capability | null {
  const own = z.globalRegistry.get(field)?.[VISIBLE_WITH];
  if (own !== undefined) return own as Capability;
  for (const inner of innerSchemas(field)) {
    const found = inner.as === 'same' ? capabilityToSee(inner.schema) : null;
    if (found) return found;
  }
  return null;
}
