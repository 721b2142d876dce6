import type { ContractOutputs } from '@callout/contract/contract';
import { isZero } from '@callout/domain/money/money';
import { formatMoney } from '@callout/domain/money/money-text';
import { countText } from '@callout/domain/text/count-text';
import { useQuery } from '@tanstack/react-query';
import { Link, type LinkProps } from '@tanstack/react-router';
import { ChevronRight } from 'lucide-react';
import { QueryView } from '../../lib/query-view.tsx';
import { classes } from '../../ui/classes.ts';
import { SkeletonRows } from '../../ui/skeleton.tsx';
import { moneyOptions } from './dashboard.api.ts';
import { Section } from './section.tsx';

type Money = ContractOutputs['dashboard']['money'];

interface Figure {
  readonly label: string;
  readonly amount: string;
  readonly of: string;
  readonly isLate?: boolean;
  readonly link: Pick<LinkProps, 'to' | 'search'>;
}

const figuresOf = ({ outstanding, overdue, uninvoiced }: Money): readonly Figure[] => [
  {
    label: 'Outstanding',
    amount: outstanding.amount,
    of: countText(outstanding.invoices, 'invoice'),
    link: { to: '/invoices', search: { filter: 'unpaid' } },
  },
  {
    label: 'Overdue',
    amount: overdue.amount,
    of: countText(overdue.invoices, 'invoice'),
    isLate: !isZero(overdue.amount),
    link: { to: '/invoices', search: { filter: 'overdue' } },
  },
  {
    label: 'Done, not invoiced',
    amount: uninvoiced.amount,
    of: countText(uninvoiced.jobs, 'job'),
    link: { to: '/jobs', search: { group: 'uninvoiced' } },
  },
];

/** What customers owe, what of it is late, and what nobody has billed yet. */
export function DashboardMoney() {
  const query = useQuery(moneyOptions);
  return (
    <Section title="Money">
      <QueryView query={query} skeleton={<SkeletonRows label="Loading amounts" count={3} className="h-17" />}>
        {(money) => (
          <ul className="divide-y">
            {figuresOf(money).map((figure) => (
              <MoneyRow key={figure.label} figure={figure} currency={money.currency} />
            ))}
          </ul>
        )}
      </QueryView>
    </Section>
  );
}

function MoneyRow({ figure: { label, amount, of, isLate = false, link }, currency }: { figure: Figure; currency: string | null }) {
  return (
    <li>
      <Link {...link} className="flex min-h-17 flex-wrap items-center gap-x-3 px-4 py-2 -outline-offset-2 hover:bg-sunken lg:px-5">
        <span className="min-w-0 flex-1 basis-32">
          <span className="block text-base text-ink-2">{label}</span>
          <span className="block text-sm text-ink-3 tabular-nums">{of}</span>
        </span>
        <span className="flex items-center gap-3">
          <span className={classes('text-xl font-semibold tabular-nums', isLate && 'text-danger-ink')}>
            {formatMoney(amount, currency)}
          </span>
          <ChevronRight aria-hidden="true" className="size-4.5 shrink-0 text-ink-3" />
        </span>
      </Link>
    </li>
  );
}
