import { Plus, SearchX, Users } from 'lucide-react';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { type CustomerFilter, isFiltered } from './customer-filter.ts';

interface NoCustomersProps {
  filter: CustomerFilter;
  onFilter: (filter: CustomerFilter) => void;
}

/** Nothing there at all, or nothing that fits: the second has a way back to everything. */
export function NoCustomers({ filter, onFilter }: NoCustomersProps) {
  const add = (tone: 'primary' | 'secondary') => (
    <LinkButton to="/customers/new" tone={tone}>
      <Plus aria-hidden="true" />
      Add New Customer
    </LinkButton>
  );
  if (!isFiltered(filter)) {
    return (
      <Card>
        <EmptyState
          icon={Users}
          sentence="No customers found"
          hint="Add the first one: jobs and quotes start from a customer."
          action={add('primary')}
        />
      </Card>
    );
  }
  const { sort, order } = filter;
  return (
    <Card>
      <EmptyState
        icon={SearchX}
        sentence="No customers found"
        hint={
          filter.search
            ? `Nothing matches “${filter.search}”${filter.status ? ` among ${filter.status} customers` : ''}.`
            : `There are no ${filter.status} customers.`
        }
        action={
          <>
            <Button tone="primary" onClick={() => onFilter({ sort, order })}>
              Clear search and filter
            </Button>
            {add('secondary')}
          </>
        }
      />
    </Card>
  );
}
