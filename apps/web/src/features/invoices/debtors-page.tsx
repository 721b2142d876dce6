import type { Debtor, DebtorList } from '@callout/contract/invoices';
import { DEBT_AGE_LABELS, DEBT_AGES } from '@callout/domain/invoices/invoice-list';
import { isZeroAmount } from '@callout/domain/money/money';
import { formatAmount, formatMoney } from '@callout/domain/money/money-format';
import { pluralize } from '@callout/domain/text/count-format';
import { formatCivilDate } from '@callout/domain/time/date-format';
import { type UseInfiniteQueryResult, useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ChevronRight, PartyPopper, Printer } from 'lucide-react';
import { useEffect, useState } from 'react';
import { getUniqueRows } from '../../lib/query-cache.ts';
import { QueryView } from '../../lib/query-view.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { classNames } from '../../ui/class-names.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { SkeletonRows } from '../../ui/skeleton.tsx';
import { DESKTOP_UP, useMediaQuery } from '../../ui/use-browser-state.ts';
import { useProfile } from '../company/company.api.ts';
import { formatUnsentCount } from './invoice-labels.tsx';
import { debtorsQueryOptions } from './invoices-list.api.ts';
import { useInvoiceToday } from './use-invoice-today.ts';

export function DebtorsPage() {
  const list = useInfiniteQuery(debtorsQueryOptions);
  const [isDesktop, isPrinting] = [useMediaQuery(DESKTOP_UP), useMediaQuery('print')];
  const total = list.data?.pages[0]?.total;
  const hasRows = (total?.customers ?? 0) > 0;
  const { print, isLoadingAll } = usePrintAll(list);
  return (
    <div className="[page:landscape]">
      <PrintHeader />
      <div className="print:hidden">
        <PageHeader
          title="Who owes us"
          aside={total && hasRows && <span className="tabular-nums">{pluralize(total.customers, 'customer')}</span>}
          actions={
            <>
              <LinkButton to="/invoices" search={{ filter: 'unpaid' }}>
                Unpaid invoices
              </LinkButton>
              <Button disabled={!hasRows} busy={isLoadingAll} onClick={print}>
                <Printer aria-hidden="true" />
                Print
              </Button>
            </>
          }
        />
      </div>
      <QueryView
        query={list}
        isInCard
        skeleton={
          <Card className="overflow-clip">
            <SkeletonRows label="Loading debtors" count={6} className="h-20 lg:h-14" />
          </Card>
        }
        isEmpty={({ pages }) => pages.every(({ rows }) => rows.length === 0)}
        empty={
          <EmptyState
            icon={PartyPopper}
            message="Nobody owes you anything"
            hint="Customers appear here when you send an invoice, and disappear once it's paid."
            action={<LinkButton to="/invoices">All invoices</LinkButton>}
          />
        }
      >
        {({ pages }) =>
          total && (
            <>
              {isDesktop || isPrinting ? (
                <DebtorsTable rows={getUniqueRows(pages)} total={total} />
              ) : (
                <DebtorCards rows={getUniqueRows(pages)} total={total} />
              )}
              {list.hasNextPage && (
                <Button fullWidth className="mt-3 print:hidden" busy={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
                  {list.isFetchNextPageError ? 'Failed to load more. Try again' : 'Show more'}
                </Button>
              )}
            </>
          )
        }
      </QueryView>
    </div>
  );
}

/** Returns a function that loads all customers and prints them. If one page fails, the button below the list says so instead. */
function usePrintAll({ hasNextPage, fetchNextPage }: Pick<UseInfiniteQueryResult, 'hasNextPage' | 'fetchNextPage'>) {
  const [isLoadingAll, setLoadingAll] = useState(false);
  const [printCount, setPrintCount] = useState(0);
  useEffect(() => {
    // In an effect, because the last page must be on screen.
    if (printCount > 0) window.print();
  }, [printCount]);
  const print = async () => {
    setLoadingAll(true);
    let state = { hasNextPage, isFetchNextPageError: false };
    while (state.hasNextPage && !state.isFetchNextPageError) state = await fetchNextPage();
    setLoadingAll(false);
    if (!state.isFetchNextPageError) setPrintCount((count) => count + 1);
  };
  return { isLoadingAll, print: () => void print() };
}

function PrintHeader() {
  const profile = useProfile();
  const today = useInvoiceToday();
  return (
    <div className="mb-3 hidden items-baseline justify-between gap-6 print:flex">
      <p className="text-xl font-semibold">{profile?.company_name}</p>
      <p className="text-base">Who owes us, {formatCivilDate(today)}</p>
    </div>
  );
}

/** Builds the search params that select a debtor's unpaid invoices. A deleted customer has no id, so search by name instead. */
const buildUnpaidSearch = ({ customer_id, customer_name }: Debtor) =>
  customer_id === null ? { filter: 'unpaid' as const, search: customer_name } : { filter: 'unpaid' as const, customer_id };

const AGE_KEYS = DEBT_AGES.map(({ key }) => key);

type DebtorsProps = Pick<DebtorList, 'rows' | 'total'>;

function DebtorsTable({ rows, total }: DebtorsProps) {
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
            {AGE_KEYS.map((age) => (
              <th key={age} scope="col" className="px-2 text-right font-medium">
                {DEBT_AGE_LABELS[age]}
              </th>
            ))}
            <th scope="col" className="pr-5 pl-2 text-right font-medium">
              Total
            </th>
          </tr>
        </thead>
        <tbody className="divide-y">
          {rows.map((debtor) => (
            <tr key={debtor.id} className="relative h-12 break-inside-avoid hover:bg-sunken print:h-auto">
              <th scope="row" className="py-2 pl-5 text-left font-medium print:py-1">
                <Link
                  to="/invoices"
                  search={buildUnpaidSearch(debtor)}
                  className="[overflow-wrap:anywhere] -outline-offset-2 after:absolute after:inset-0"
                >
                  {debtor.customer_name}
                </Link>
                <DebtorNotes debtor={debtor} />
              </th>
              <td className="px-2 text-right text-ink-2">{debtor.invoices}</td>
              {AGE_KEYS.map((age) => (
                <td
                  key={age}
                  className={classNames(
                    'px-2 text-right',
                    isZeroAmount(debtor[age]) ? 'text-ink-3' : age === 'current' ? 'text-ink' : 'font-medium text-danger-ink',
                  )}
                >
                  {isZeroAmount(debtor[age]) ? '–' : formatAmount(debtor[age])}
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
            {AGE_KEYS.map((age) => (
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

function DebtorCards({ rows, total }: DebtorsProps) {
  const currency = useProfile()?.currency;
  return (
    <Card className="overflow-clip">
      <div className="border-b px-4 py-3">
        <p className="flex flex-wrap items-baseline justify-between gap-x-3">
          <span className="text-base text-ink-2">All customers</span>
          <span className="text-xl font-semibold tabular-nums">{formatMoney(total.total, currency)}</span>
        </p>
        <AgeBreakdown sums={total} />
      </div>
      <ul aria-label="Customers by age of debt" className="divide-y">
        {rows.map((debtor) => (
          <li key={debtor.id}>
            <Link
              to="/invoices"
              search={buildUnpaidSearch(debtor)}
              className="flex items-center gap-2 py-3 pr-2 pl-4 -outline-offset-2 active:bg-sunken"
            >
              <span className="min-w-0 flex-1">
                <span className="flex flex-wrap items-baseline justify-between gap-x-3">
                  <span className="text-lg font-medium [overflow-wrap:anywhere]">{debtor.customer_name}</span>
                  <span className="shrink-0 text-lg font-semibold tabular-nums">{formatAmount(debtor.total)}</span>
                </span>
                <DebtorNotes debtor={debtor} />
                <AgeBreakdown sums={debtor} />
              </span>
              <ChevronRight aria-hidden="true" className="size-5 shrink-0 text-ink-3" />
            </Link>
          </li>
        ))}
      </ul>
    </Card>
  );
}

function DebtorNotes({ debtor: { customer_id, invoices, unsent } }: { debtor: Debtor }) {
  const unsentText = formatUnsentCount(invoices, unsent);
  return (
    <>
      {customer_id === null && <span className="block text-sm font-normal text-ink-3">Deleted</span>}
      {unsentText && <span className="block text-sm font-normal text-warn-ink">{unsentText}</span>}
    </>
  );
}

function AgeBreakdown({ sums }: { sums: Pick<Debtor, (typeof AGE_KEYS)[number]> }) {
  return (
    <span className="mt-0.5 block text-sm tabular-nums">
      {AGE_KEYS.filter((age) => !isZeroAmount(sums[age])).map((age) => (
        <span
          key={age}
          className={classNames('flex flex-wrap justify-between gap-x-3', age === 'current' ? 'text-ink-2' : 'text-danger-ink')}
        >
          <span>{DEBT_AGE_LABELS[age]}</span>
          <span>{formatAmount(sums[age])}</span>
        </span>
      ))}
    </span>
  );
}
