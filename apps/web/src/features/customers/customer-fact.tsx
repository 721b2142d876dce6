import type { Customer } from '@callout/contract/customers';
import { formatCustomerName, NO_CUSTOMER_LABEL } from '@callout/domain/customers/customer';
import { Link } from '@tanstack/react-router';
import { UserRound } from 'lucide-react';
import { buildMailtoUrl, buildPhoneUrl } from '../../lib/contact-urls.ts';
import { SUMMARY_HIT_AREA_CLASSES, SUMMARY_LINK_CLASSES, SummaryField } from '../../ui/summary-field.tsx';

type LinkedCustomer = Pick<Customer, 'id' | 'name' | 'company_name' | 'phone' | 'email'>;

interface CustomerFactProps {
  customer: LinkedCustomer | null;
  emptyLabel?: string;
}

export function CustomerFact({ customer, emptyLabel = NO_CUSTOMER_LABEL }: CustomerFactProps) {
  if (!customer) return <SummaryField icon={UserRound} label="Customer" headline={emptyLabel} />;
  const [phone, email] = [buildPhoneUrl(customer.phone), buildMailtoUrl(customer.email)];
  return (
    <SummaryField icon={UserRound} label="Customer" headline={<CustomerLink customer={customer} />}>
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
          <a href={phone} className={SUMMARY_LINK_CLASSES}>
            {customer.phone}
          </a>
        ) : (
          customer.phone
        )}
        {customer.phone && email && ' · '}
        {email && (
          <a href={email} title={customer.email} className={SUMMARY_LINK_CLASSES}>
            Email<span className="sr-only">{` ${customer.email}`}</span>
          </a>
        )}
      </span>
    </SummaryField>
  );
}

export function CustomerLink({ customer }: { customer: Pick<LinkedCustomer, 'id' | 'name' | 'company_name'> }) {
  return (
    <Link to="/customers/$id" params={{ id: customer.id }} className={`${SUMMARY_HIT_AREA_CLASSES} lg:text-accent-ink`}>
      {formatCustomerName(customer)}
    </Link>
  );
}
