import { formatCustomerName } from '@callout/domain/customers/customer';
import { formatCivilDate } from '@callout/domain/time/date-format';
import { SearchX } from 'lucide-react';
import { EmptyState } from '../../ui/empty-state.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { StatusPill } from '../../ui/status-pill.tsx';
import { getQuoteStatusPill } from './quote-list-filter.ts';

/** Shown instead of a customer's name once the customer has been deleted. The specification prescribes this label. */
export const NO_CUSTOMER_LABEL = 'Quick Price';

export const formatQuoteCustomer = (customer: Parameters<typeof formatCustomerName>[0]) =>
  customer ? formatCustomerName(customer) : NO_CUSTOMER_LABEL;

export const formatValidUntil = (day: string | null) => (day ? formatCivilDate(day) : 'No expiry');

export function QuoteStatusPill({ status }: { status: string }) {
  return <StatusPill {...getQuoteStatusPill(status)} />;
}

export function QuoteNotFound() {
  return (
    <EmptyState
      icon={SearchX}
      message="Quote not found"
      isHeading
      hint="It may have been deleted, or the link is incomplete."
      action={<LinkButton to="/quotes">All quotes</LinkButton>}
    />
  );
}
