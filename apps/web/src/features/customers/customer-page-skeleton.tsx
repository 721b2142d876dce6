import type { CustomerRow } from '@callout/contract/customers';
import { PageHeader } from '../../ui/page-header.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { ContactActions } from './contact-actions.tsx';
import { CustomerStatusPill } from './customer-status-pill.tsx';

const TABS = ['details', 'quotes', 'jobs', 'attachments'];
const HALF = ['type', 'status', 'phone', 'email'];

/** Everything in its final place. What the list already knows shows at once: on a bad line a person can call before the rest arrives. */
export function CustomerPageSkeleton({ known }: { known: CustomerRow | undefined }) {
  return (
    <div role="status">
      <span className="sr-only">Loading customer</span>
      {known ? <KnownHead customer={known} /> : <UnknownHead />}
      <div className="mb-5 flex h-11 items-center gap-6 border-b px-3.5 max-md:hidden">
        {TABS.map((tab) => (
          <Skeleton key={tab} className="h-4 w-14" />
        ))}
      </div>
      <div className="grid gap-4 rounded-card bg-surface p-4 shadow-card sm:grid-cols-2 lg:gap-5 lg:p-5">
        {HALF.map((field) => (
          <FieldSkeleton key={field} />
        ))}
        <div className="sm:col-span-2">
          <FieldSkeleton />
        </div>
      </div>
    </div>
  );
}

function KnownHead({ customer }: { customer: CustomerRow }) {
  return (
    <>
      <PageHeader
        title={customer.name}
        aside={<CustomerStatusPill status={customer.status} />}
        subtitle={customer.company_name}
        actions={<Skeleton className="h-11 w-52 lg:h-9" />}
      />
      <div className="mb-4">
        <ContactActions customer={customer} />
      </div>
    </>
  );
}

function UnknownHead() {
  return (
    <>
      <div className="mb-4 flex flex-wrap items-center justify-between gap-x-4 gap-y-3 lg:mb-5">
        <Skeleton className="h-8 w-56" />
        <Skeleton className="h-11 w-52 lg:h-9" />
      </div>
      <Skeleton className="mb-4 h-11 w-full sm:w-80 lg:h-9" />
    </>
  );
}

function FieldSkeleton() {
  return (
    <div>
      <Skeleton className="mt-0.5 mb-2 h-4 w-20" />
      <Skeleton className="h-11 lg:h-9" />
    </div>
  );
}
