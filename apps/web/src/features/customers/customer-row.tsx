import type { CustomerRow } from '@callout/contract/customers';
import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Phone } from 'lucide-react';
import { localDate } from '../../lib/local-date.ts';
import { AnchorIconButton } from '../../ui/link-button.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { useIntent } from '../../ui/use-intent.ts';
import { phoneLink } from './contact-links.ts';
import { CustomerStatusPill } from './customer-status-pill.tsx';
import { customerOptions } from './customers.api.ts';

/** The columns of rows and headings alike. */
export const CUSTOMER_COLUMNS =
  'lg:grid lg:grid-cols-[minmax(0,1.2fr)_9.5rem_minmax(0,1fr)_4.5rem] lg:items-center lg:gap-x-5 ' +
  'xl:grid-cols-[minmax(0,1.3fr)_9.5rem_minmax(0,1.2fr)_minmax(0,1.3fr)_7rem_4.5rem]';

const CELL = 'truncate text-base text-ink-2 max-lg:hidden';

/** 48 px high on a desk, a card of 88 px on a phone; the whole row is the link, the phone dials. */
export function CustomerListRow({ customer }: { customer: CustomerRow }) {
  const call = phoneLink(customer.phone);
  const queryClient = useQueryClient();
  // Only a guess at what comes next: when it fails, the page itself asks again and says so.
  const readAhead = useIntent(() => void queryClient.query(customerOptions(customer.id)).catch(() => undefined));
  return (
    <div className="flex h-22 items-center border-b bg-surface hover:bg-sunken lg:h-12">
      <Link
        to="/customers/$id"
        params={{ id: customer.id }}
        data-row=""
        {...readAhead}
        className={`flex h-full min-w-0 flex-1 flex-col justify-center px-4 -outline-offset-2 lg:px-5 ${CUSTOMER_COLUMNS}`}
      >
        <span className="min-w-0">
          <span className="flex items-center gap-2">
            <span data-name="" className="truncate text-lg font-medium lg:text-base lg:leading-4.5">
              {customer.name}
            </span>
            {customer.status === 'inactive' && (
              <span className="lg:hidden">
                <CustomerStatusPill status={customer.status} />
              </span>
            )}
          </span>
          <span className="block truncate text-base text-ink-2 empty:hidden lg:text-sm lg:leading-4.5 lg:text-ink-3">
            {customer.company_name}
          </span>
        </span>
        <span className={`${CELL} tabular-nums`}>{customer.phone}</span>
        <span className={`${CELL} max-xl:hidden`}>{customer.email}</span>
        <span className="truncate text-sm text-ink-3 lg:text-base lg:text-ink-2">{customer.address}</span>
        <span className={`${CELL} tabular-nums max-xl:hidden`}>
          {customer.last_interaction ? localDate(customer.last_interaction) : '—'}
        </span>
        <span className="max-lg:hidden">
          <CustomerStatusPill status={customer.status} />
        </span>
      </Link>
      {call && (
        <AnchorIconButton label={`Call ${customer.name}`} href={call} className="mr-2 lg:hidden">
          <Phone aria-hidden="true" />
        </AnchorIconButton>
      )}
    </div>
  );
}

export function CustomerRowSkeleton() {
  return (
    <div className="flex h-22 flex-col justify-center gap-2 border-b bg-surface px-4 lg:h-12 lg:px-5">
      <Skeleton className="h-4 w-2/5 lg:w-1/4" />
      <Skeleton className="h-3.5 w-3/5 lg:hidden" />
      <Skeleton className="h-3 w-1/2 lg:hidden" />
    </div>
  );
}
