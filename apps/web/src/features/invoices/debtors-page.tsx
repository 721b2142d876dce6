import type { Debtor } from '@callout/contract/invoices';
import { DEBT_AGE_WORDS, DEBT_AGES } from '@callout/domain/invoices/invoice-list';
import { isZero } from '@callout/domain/money/money';
import { formatAmount, formatMoney } from '@callout/domain/money/money-text';
import { countText } from '@callout/domain/text/count-text';
import { formatCivilDate } from '@callout/domain/time/date-format';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ChevronRight, PartyPopper, Printer } from 'lucide-react';
import { QueryView } from '../../lib/query-view.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { classes } from '../../ui/classes.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { SkeletonRows } from '../../ui/skeleton.tsx';
import { DESK_UP, useMediaQuery } from '../../ui/use-browser-state.ts';
import { useProfile } from '../company/company.api.ts';
import { debtorsOptions } from './invoices-list.api.ts';
import { useInvoiceDay } from './use-invoice-day.ts';

type Sums = Omit<Debtor, 'customer_id' | 'customer_name'>;
interface Report {
  rows: readonly Debtor[];
  total: Sums;
}

/** Customers by the age of what they owe, the largest debt first. */
export function DebtorsPage() {
  const query = useQuery(debtorsOptions);
  const [isDesk, isPaper] = [useMediaQuery(DESK_UP), useMediaQuery('print')];
  const hasRows = (query.data?.rows.length ?? 0) > 0;
  return (
    <div className="[page:landscape]">
      <PrintHead />
      <div className="print:hidden">
        <PageHeader
          title="Who owes us"
          aside={hasRows && <CustomerCount count={query.data?.rows.length ?? 0} />}
          actions={
            <>
              <LinkButton to="/invoices" search={{ filter: 'unpaid' }}>
                Unpaid invoices
              </LinkButton>
              <Button disabled={!hasRows} onClick={() => window.print()}>
                <Printer aria-hidden="true" />
                Print
              </Button>
            </>
          }
        />
      </div>
      <QueryView
        query={query}
        inCard
        skeleton={
          <Card className="overflow-clip">
            <SkeletonRows label="Loading who owes us" count={6} className="h-20 lg:h-14" />
          </Card>
        }
        isEmpty={({ rows }) => rows.length === 0}
        empty={
          <EmptyState
            icon={PartyPopper}
            sentence="Nobody owes you anything"
            hint="Customers appear here as soon as an invoice is sent, and leave when it is paid."
            action={<LinkButton to="/invoices">All invoices</LinkButton>}
          />
        }
      >
        {(report) => (isDesk || isPaper ? <DebtorsTable {...report} /> : <DebtorCards {...report} />)}
      </QueryView>
    </div>
  );
}

const CustomerCount = ({ count }: { count: number }) => <span className="tabular-nums">{countText(count, 'customer')}</span>;

/** On paper only: whose money this is, and on which day. */
function PrintHead() {
  const profile = useProfile();
  const today = useInvoiceDay();
  return (
    <div className="mb-3 hidden items-baseline justify-between gap-6 print:flex">
      <p className="text-xl font-semibold">{profile?.company_name}</p>
      <p className="text-base">Who owes us, {formatCivilDate(today)}</p>
    </div>
  );
}

/** Their unpaid invoices. Of a deleted customer only the name is left to look for. */
const unpaidOf = ({ customer_id, customer_name }: Debtor) =>
  customer_id === null ? { filter: 'unpaid' as const, search: customer_name } : { filter: 'unpaid' as const, customer_id };

const keyOf = ({ customer_id, customer_name }: Debtor) => customer_id ?? customer_name;

const AGES = DEBT_AGES.map(({ key }) => key);

function DebtorsTable({ rows, total }: Report) {
  const currency = useProfile()?.currency;
  return (
    <Card className="overflow-clip print:shadow-none">
      <table className="w-full text-base tabular-nums print:text-xs">
        <caption className="sr-only">Customers by age of debt</caption>
        <thead>
          <tr className="border-b text-sm text-ink-3">
            <th scope="col" className="py-3 pl-5 text-left font-medium print:py-1">
              Customer
            </th>
            <th scope="col" className="px-2 text-right font-medium">
              Invoices
            </th>
            {AGES.map((age) => (
              <th key={age} scope="col" className="px-2 text-right font-medium">
                {DEBT_AGE_WORDS[age]}
              </th>
            ))}
            <th scope="col" className="pr-5 pl-2 text-right font-medium">
              Total
            </th>
          </tr>
        </thead>
        <tbody className="divide-y">
          {rows.map((debtor) => (
            <tr key={keyOf(debtor)} className="relative h-12 break-inside-avoid hover:bg-sunken print:h-auto">
              <th scope="row" className="py-2 pl-5 text-left font-medium print:py-1">
                <Link
                  to="/invoices"
                  search={unpaidOf(debtor)}
                  className="[overflow-wrap:anywhere] -outline-offset-2 after:absolute after:inset-0"
                >
                  {debtor.customer_name}
                </Link>
                {debtor.customer_id === null && <span className="block text-sm font-normal text-ink-3">Deleted</span>}
              </th>
              <td className="px-2 text-right text-ink-2">{debtor.invoices}</td>
              {AGES.map((age) => (
                <td
                  key={age}
                  className={classes(
                    'px-2 text-right',
                    isZero(debtor[age]) ? 'text-ink-3' : age === 'current' ? 'text-ink' : 'font-medium text-danger-ink',
                  )}
                >
                  {isZero(debtor[age]) ? '–' : formatAmount(debtor[age])}
                </td>
              ))}
              <td className="pr-5 pl-2 text-right font-semibold">{formatAmount(debtor.total)}</td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr className="border-t font-semibold">
            <th scope="row" className="py-4 pl-5 text-left font-semibold print:py-1.5">
              All customers
            </th>
            <td className="px-2 text-right">{total.invoices}</td>
            {AGES.map((age) => (
              <td key={age} className="px-2 text-right">
                {formatMoney(total[age], currency)}
              </td>
            ))}
            <td className="pr-5 pl-2 text-right">{formatMoney(total.total, currency)}</td>
          </tr>
        </tfoot>
      </table>
    </Card>
  );
}

/** On a phone every customer is a card with only the ages that they have. */
function DebtorCards({ rows, total }: Report) {
  const currency = useProfile()?.currency;
  return (
    <Card className="overflow-clip">
      <div className="border-b px-4 py-3">
        <p className="flex flex-wrap items-baseline justify-between gap-x-3">
          <span className="text-base text-ink-2">All customers</span>
          <span className="text-xl font-semibold tabular-nums">{formatMoney(total.total, currency)}</span>
        </p>
        <Ages sums={total} />
      </div>
      <ul aria-label="Customers by age of debt" className="divide-y">
        {rows.map((debtor) => (
          <li key={keyOf(debtor)}>
            <Link
              to="/invoices"
              search={unpaidOf(debtor)}
              className="flex items-center gap-2 py-3 pr-2 pl-4 -outline-offset-2 active:bg-sunken"
            >
              <span className="min-w-0 flex-1">
                <span className="flex flex-wrap items-baseline justify-between gap-x-3">
                  <span className="text-lg font-medium [overflow-wrap:anywhere]">{debtor.customer_name}</span>
                  <span className="shrink-0 text-lg font-semibold tabular-nums">{formatAmount(debtor.total)}</span>
                </span>
                <Ages sums={debtor} />
              </span>
              <ChevronRight aria-hidden="true" className="size-5 shrink-0 text-ink-3" />
            </Link>
          </li>
        ))}
      </ul>
    </Card>
  );
}

function Ages({ sums }: { sums: Sums }) {
  return (
    <span className="mt-0.5 block text-sm tabular-nums">
      {AGES.filter((age) => !isZero(sums[age])).map((age) => (
        <span key={age} className={classes('flex flex-wrap justify-between gap-x-3', age === 'current' ? 'text-ink-2' : 'text-danger-ink')}>
          <span>{DEBT_AGE_WORDS[age]}</span>
          <span>{formatAmount(sums[age])}</span>
        </span>
      ))}
    </span>
  );
}
