import type { FieldDifference, FieldValue } from '../../lib/edited-values.ts';
import { ConflictCard, type ShownDifference } from '../../ui/conflict-card.tsx';
import { CUSTOMER_STATUS_LABELS } from './customer-filter.ts';
import { CUSTOMER_FIELD_LABELS, CUSTOMER_TYPE_LABELS, type CustomerField } from './customer-values.ts';

interface CustomerConflictProps {
  differences: readonly FieldDifference<CustomerField>[];
  saving: boolean;
  onLoadTheirs: () => void;
  onSaveMine: () => void;
}

export function CustomerConflict({ differences, ...rest }: CustomerConflictProps) {
  return <ConflictCard what="this customer" differences={differences.map(inWords)} {...rest} />;
}

function inWords({ field, yours, theirs, contested }: FieldDifference<CustomerField>): ShownDifference {
  return { label: CUSTOMER_FIELD_LABELS[field], yours: shown(field, yours), theirs: shown(field, theirs), contested };
}

function shown(field: CustomerField, value: FieldValue): string {
  if (field === 'status') return CUSTOMER_STATUS_LABELS[value as keyof typeof CUSTOMER_STATUS_LABELS];
  if (field === 'type') return CUSTOMER_TYPE_LABELS[value as keyof typeof CUSTOMER_TYPE_LABELS];
  return String(value);
}
