import type { ContractOutputs } from '@callout/contract/contract';
import { isZeroAmount } from '@callout/domain/money/money';
import { formatMoney } from '@callout/domain/money/money-format';
import { pluralize } from '@callout/domain/text/count-format';
import { useQuery } from '@tanstack/react-query';
import { Link, type LinkProps } from '@tanstack/react-router';
import { ChevronRight } from 'lucide-react';
import { QueryView } from '../../lib/query-view.tsx';
import { classNames } from '../../ui/class-names.ts';
import { SkeletonRows } from '../../ui/skeleton.tsx';
import { dashboardMoneyQueryOptions } from './dashboard.api.ts';
import { DashboardSection } from './dashboard-section.tsx';

type MoneyTotals = ContractOutputs['dashboard']['money'];

interface MoneyFigure {
  readonly label: string;
  readonly amount: string;
  readonly count: string;
  readonly isLate?: boolean;
  readonly link: Pick<LinkProps, 'to' | 'search'>;
}

const getMoneyFigures = ({ outstanding, overdue, unsent, uninvoiced }: MoneyTotals): readonly MoneyFigure[] => [
  {
    label: 'Outstanding',
    amount: outstanding.amount,
    count: pluralize(outstanding.invoices, 'invoice'),
    link: { to: '/invoices', search: { filter: 'unpaid' } },
  },
  {
    label: 'Overdue',
    amount: overdue.amount,
    count: pluralize(overdue.invoices, 'invoice'),
    isLate: !isZeroAmount(overdue.amount),
    link: { to: '/invoices', search: { filter: 'overdue' } },
  },
  ...(unsent.invoices === 0
    ? []
    : [
        {
          label: 'Not sent yet',
          amount: unsent.amount,
          count: `${pluralize(unsent.invoices, 'invoice')}, included in Outstanding`,
          link: { to: '/invoices', search: { filter: 'unsent' } },
        } as const,
      ]),
  {
    label: 'Done, not invoiced',
    amount: uninvoiced.amount,
    count: pluralize(uninvoiced.jobs, 'job'),
    link: { to: '/jobs', search: { group: 'uninvoiced' } },
  },
];

export function DashboardMoney() {
  const query = useQuery(dashboardMoneyQueryOptions);
  return (
    <DashboardSection title="Money">
      <QueryView query={query} skeleton={<SkeletonRows label="Loading amounts" count={3} className="h-17" />}>
        {(money) => (
          <ul className="divide-y">
            {getMoneyFigures(money).map((figure) => (
              <MoneyRow key={figure.label} figure={figure} currency={money.currency} />
            ))}
          </ul>
        )}
      </QueryView>
    </DashboardSection>
  );
}

function MoneyRow({ figure: { label, amount, count, isLate = false, link }, currency }: { figure: MoneyFigure; currency: string | null }) {
  return (
    <li>
      <Link {...link} className="flex min-h-17 flex-wrap items-center gap-x-3 px-4 py-2 -outline-offset-2 hover:bg-sunken lg:px-5">
        <span className="min-w-0 flex-1 basis-32">
          <span className="block text-base text-ink-2">{label}</span>
          <span className="block text-sm text-ink-3 tabular-nums">{count}</span>
        </span>
        <span className="flex items-center gap-3">
          <span className={classNames('text-xl font-semibold tabular-nums', isLate && 'text-danger-ink')}>
            {formatMoney(amount, currency)}
          </span>
          <ChevronRight aria-hidden="true" className="size-4.5 shrink-0 text-ink-3" />
        </span>
      </Link>
    </li>
  );
}
