import type { CustomerStatus } from '@callout/domain/customers/customer';
import { StatusPill } from '../../ui/status-pill.tsx';
import { CUSTOMER_STATUS_LABELS } from './customer-filter.ts';

export function CustomerStatusPill({ status }: { status: CustomerStatus }) {
  return <StatusPill tone={status === 'active' ? 'ok' : 'neutral'} text={CUSTOMER_STATUS_LABELS[status]} />;
}
