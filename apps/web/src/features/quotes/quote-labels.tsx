import { customerLabel } from '@callout/domain/customers/customer';
import { formatCivilDate } from '@callout/domain/time/date-format';
import { SearchX } from 'lucide-react';
import { EmptyState } from '../../ui/empty-state.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { StatusPill } from '../../ui/status-pill.tsx';
import { quoteStatusPill } from './quote-filter.ts';

/** What stands where a quote has no customer, because the customer was deleted. */
export const QUICK_PRICE = 'Quick Price';

export const quoteCustomer = (customer: Parameters<typeof customerLabel>[0]) => (customer ? customerLabel(customer) : QUICK_PRICE);

export const validUntil = (day: string | null) => (day ? formatCivilDate(day) : 'No expiry');

export function QuoteStatusPill({ status }: { status: string }) {
  return <StatusPill {...quoteStatusPill(status)} />;
}

export function QuoteNotFound() {
  return (
    <EmptyState
      icon={SearchX}
      sentence="Quote not found"
      alone
      hint="It may have been deleted, or the link is incomplete."
      action={<LinkButton to="/quotes">All quotes</LinkButton>}
    />
  );
}
