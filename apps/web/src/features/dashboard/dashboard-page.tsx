import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { BriefcaseBusiness, FileText, ListTodo, ReceiptText, UserPlus, Users } from 'lucide-react';
import { useState } from 'react';
import { centralMessage } from '../../lib/error-messages.ts';
import { LinkButton, planned } from '../../ui/link-button.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { useCan, useMe } from '../company/company.api.ts';
import { customersCountOptions } from '../customers/customers.api.ts';
import { StartCard } from './start-card.tsx';

export function DashboardPage() {
  const { user, start_card_dismissed: isDismissed } = useMe();
  const isStarting = useCan('company.edit') && !isDismissed;
  const mayBill = useCan('payments.manage');
  const [now] = useState(() => new Date());
  return (
    <>
      <PageHeader title={greeting(now.getHours(), user)} subtitle={formatToday(now)} />
      <QuickActions />
      {isStarting && <StartCard />}
      <div className="mt-4 grid grid-cols-2 gap-3 md:grid-cols-3 lg:mt-5 lg:grid-cols-5 lg:gap-4">
        <CustomersTile hideEmpty={isStarting} />
        {mayBill && <InvoicesTile />}
      </div>
    </>
  );
}

function QuickActions() {
  const mayQuote = useCan('quotes.edit');
  return (
    <nav aria-label="Quick actions" className="grid grid-cols-[repeat(auto-fit,minmax(8.5rem,1fr))] gap-2 sm:flex sm:flex-wrap">
      <LinkButton to="/customers/new" tone="primary">
        <UserPlus aria-hidden="true" />
        New Customer
      </LinkButton>
      {mayQuote && (
        <LinkButton to="/quotes/new">
          <FileText aria-hidden="true" />
          New Quote
        </LinkButton>
      )}
      <LinkButton to="/jobs/new">
        <BriefcaseBusiness aria-hidden="true" />
        New Job
      </LinkButton>
      <LinkButton to={planned('/todo')}>
        <ListTodo aria-hidden="true" />
        New Task
      </LinkButton>
    </nav>
  );
}

const TILE = 'block rounded-card bg-surface p-4 shadow-card transition-shadow duration-120 hover:shadow-float';
const TILE_HEAD = 'flex items-center justify-between text-sm text-ink-2';

/** The way to the list, which is not in the menu. */
function InvoicesTile() {
  return (
    <Link to="/invoices" className={TILE}>
      <span className={TILE_HEAD}>
        Invoices
        <ReceiptText aria-hidden="true" className="size-4.5 text-ink-3" />
      </span>
      <span className="mt-1 flex min-h-8 items-center text-base font-medium">Sent, due and paid</span>
    </Link>
  );
}

/** Active customers, as the spec counts them. */
function CustomersTile({ hideEmpty }: { hideEmpty: boolean }) {
  const { data, error } = useQuery(customersCountOptions({ status: 'active' }));
  if (hideEmpty && !data?.total) return null;
  return (
    <Link to="/customers" search={{ status: 'active' }} className={TILE} title={error ? centralMessage(error) : undefined}>
      <span className={TILE_HEAD}>
        Customers
        <Users aria-hidden="true" className="size-4.5 text-ink-3" />
      </span>
      <span className="mt-1 block h-8 text-2xl font-semibold tabular-nums">
        {data ? data.total.toLocaleString('en-US') : error ? '–' : <Skeleton className="h-7 w-16" />}
      </span>
    </Link>
  );
}

/** 'Sunday, November 15' in the browser's time zone. */
export function formatToday(now: Date): string {
  return now.toLocaleDateString('en-US', { weekday: 'long', month: 'long', day: 'numeric' });
}

/** 'Good morning, Mia' by the hour of the browser's clock. A name that only repeats the email is not used. */
export function greeting(hour: number, { name, email }: { name: string; email: string }): string {
  const part = hour < 12 ? 'morning' : hour < 18 ? 'afternoon' : 'evening';
  const first = name.trim().split(/\s+/)[0];
  return first && !email.startsWith(`${name}@`) && name !== email ? `Good ${part}, ${first}` : `Good ${part}`;
}
