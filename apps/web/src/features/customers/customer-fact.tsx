import type { Customer } from '@callout/contract/customers';
import { customerLabel, NO_CUSTOMER } from '@callout/domain/customers/customer';
import { Link } from '@tanstack/react-router';
import { UserRound } from 'lucide-react';
import { emailLink, phoneLink } from '../../lib/contact-urls.ts';
import { FACT_LINK, FACT_TARGET, Fact } from '../../ui/fact.tsx';

/** The customer of a record. */
type LinkedCustomer = Pick<Customer, 'id' | 'name' | 'company_name' | 'phone' | 'email'>;

interface CustomerFactProps {
  customer: LinkedCustomer | null;
  /** What stands there without one. */
  none?: string;
}

/** Who it is for, with a number that dials and an email that opens a new message. */
export function CustomerFact({ customer, none = NO_CUSTOMER }: CustomerFactProps) {
  if (!customer) return <Fact icon={UserRound} label="Customer" headline={none} />;
  const [phone, email] = [phoneLink(customer.phone), emailLink(customer.email)];
  return (
    <Fact icon={UserRound} label="Customer" headline={<CustomerLink customer={customer} />}>
      {customer.company_name && (
        <>
          <span className="lg:block">{customer.name}</span>
          <span aria-hidden="true" className="lg:hidden">
            {' · '}
          </span>
        </>
      )}
      <span className="mt-1 inline-block">
        {phone ? (
          <a href={phone} className={FACT_LINK}>
            {customer.phone}
          </a>
        ) : (
          customer.phone
        )}
        {customer.phone && email && ' · '}
        {email && (
          <a href={email} title={customer.email} className={FACT_LINK}>
            Email<span className="sr-only">{` ${customer.email}`}</span>
          </a>
        )}
      </span>
    </Fact>
  );
}

export function CustomerLink({ customer }: { customer: Pick<LinkedCustomer, 'id' | 'name' | 'company_name'> }) {
  return (
    <Link to="/customers/$id" params={{ id: customer.id }} className={`${FACT_TARGET} lg:text-accent-ink`}>
      {customerLabel(customer)}
    </Link>
  );
}
