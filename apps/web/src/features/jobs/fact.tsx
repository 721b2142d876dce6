import type { Job, JobRow } from '@callout/contract/jobs';
import { customerLabel, NO_CUSTOMER } from '@callout/domain/customers/customer';
import { Link } from '@tanstack/react-router';
import { type LucideIcon, UserRound } from 'lucide-react';
import type { ReactNode } from 'react';
import { emailLink, phoneLink } from '../../lib/contact-urls.ts';
import { classes } from '../../ui/classes.ts';

interface FactProps {
  /** Stands for the label on a phone. */
  icon: LucideIcon;
  label: string;
  className?: string;
  /** The first line stands out. */
  headline: ReactNode;
  children?: ReactNode;
}

/** One of the facts at the top of a record: a label and what it says, side by side on a desk, in rows on a phone. */
export function Fact({ icon: Icon, label, className, headline, children }: FactProps) {
  return (
    <div className={classes('flex min-w-0 gap-4 px-4 py-3 lg:block lg:p-0', className)}>
      <dt className="shrink-0 pt-0.5 text-sm text-ink-3 lg:pt-0">
        <Icon aria-hidden="true" className="size-5 text-ink-2 lg:hidden" />
        <span className="max-lg:sr-only">{label}</span>
      </dt>
      <dd className="min-w-0 flex-1 text-base text-ink-2 [overflow-wrap:anywhere] lg:text-sm">
        <span className="block text-lg font-medium text-ink lg:text-base">{headline}</span>
        {children}
      </dd>
    </div>
  );
}

/** As tall as a finger or a pointer needs, without moving the lines around it. */
const TARGET = '-my-0.5 inline-block py-0.5 hover:underline';
export const FACT_LINK = `${TARGET} font-medium text-accent-ink tabular-nums`;

interface CustomerFactProps {
  customer: Job['customer'];
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

export function CustomerLink({ customer }: { customer: NonNullable<JobRow['customer']> }) {
  return (
    <Link to="/customers/$id" params={{ id: customer.id }} className={`${TARGET} lg:text-accent-ink`}>
      {customerLabel(customer)}
    </Link>
  );
}
