import type { ContractOutputs } from '@callout/contract/contract';
import { formatCount } from '@callout/domain/text/count-format';
import { useQuery } from '@tanstack/react-query';
import { Link, type LinkProps } from '@tanstack/react-router';
import { BriefcaseBusiness, HardHat, ListTodo, type LucideIcon, Tags, Users } from 'lucide-react';
import type { ReactNode } from 'react';
import { QueryView } from '../../lib/query-view.tsx';
import { classNames } from '../../ui/class-names.ts';
import { Skeleton } from '../../ui/skeleton.tsx';
import { useCan } from '../company/company.api.ts';
import { dashboardCountsQueryOptions } from './dashboard.api.ts';

const LOAD_ERROR_MESSAGE = 'Unable to load dashboard statistics. Please check your connection and try again.';

type DashboardCounts = ContractOutputs['dashboard']['counts'];

interface TileProps {
  readonly countKey: keyof DashboardCounts;
  readonly label: string;
  readonly icon: LucideIcon;
  /** The list that the number counts; undefined if the user may not open that list. */
  readonly link?: Pick<LinkProps, 'to' | 'search'>;
}

function useTiles(): readonly TileProps[] {
  const staffLink = useCan('staff.manage') ? { link: { to: '/staff' } as const } : {};
  const categoriesLink = useCan('categories.edit') ? { link: { to: '/settings', search: { tab: 'categories' } } as const } : {};
  return [
    { countKey: 'customers', label: 'Customers', icon: Users, link: { to: '/customers', search: { status: 'active' } } },
    { countKey: 'active_jobs', label: 'Active Jobs', icon: BriefcaseBusiness, link: { to: '/jobs', search: { group: 'active' } } },
    { countKey: 'tasks', label: 'Tasks', icon: ListTodo, link: { to: '/todo' } },
    { countKey: 'staff', label: 'Staff', icon: HardHat, ...staffLink },
    { countKey: 'categories', label: 'Categories', icon: Tags, ...categoriesLink },
  ];
}

export function DashboardTiles() {
  const query = useQuery(dashboardCountsQueryOptions);
  return (
    <div className="mt-4 lg:mt-5">
      <QueryView query={query} formatError={() => LOAD_ERROR_MESSAGE} isInCard skeleton={<TileGrid />}>
        {(counts) => <TileGrid counts={counts} />}
      </QueryView>
    </div>
  );
}

function TileGrid({ counts }: { counts?: DashboardCounts }) {
  const tiles = useTiles();
  return (
    <ul aria-label="Statistics" className="grid grid-cols-[repeat(auto-fit,minmax(6rem,1fr))] gap-2 lg:gap-4">
      {tiles.map((tile) => (
        <li key={tile.label} className="flex">
          <Tile {...tile} number={counts?.[tile.countKey]} />
        </li>
      ))}
    </ul>
  );
}

const TILE_CLASSES = 'block w-full rounded-card bg-surface px-3 py-2.5 shadow-card lg:p-4';

function Tile({ label, icon: Icon, link, number }: TileProps & { number: number | undefined }) {
  const content: ReactNode = (
    <>
      <span className="flex items-center justify-between gap-1 text-sm text-ink-2">
        {label}
        <Icon aria-hidden="true" className="size-4.5 shrink-0 text-ink-3 max-sm:hidden" />
      </span>
      <span className="mt-0.5 block h-8 text-xl font-semibold tabular-nums lg:text-2xl">
        {number === undefined ? <Skeleton className="mt-1 h-6 w-12" /> : formatCount(number)}
      </span>
    </>
  );
  if (!link) return <span className={TILE_CLASSES}>{content}</span>;
  return (
    <Link {...link} className={classNames(TILE_CLASSES, 'transition-shadow duration-120 hover:shadow-float')}>
      {content}
    </Link>
  );
}
