import type { BoardFilter } from '@callout/contract/board';
import { BOARD_STATUSES } from '@callout/domain/jobs/job';
import { useQuery } from '@tanstack/react-query';
import { Plus, SearchX, SquareKanban } from 'lucide-react';
import { useId, useMemo, useState } from 'react';
import { ListCount } from '../../lib/list-count.tsx';
import { OfflineSearchNote, QueryView } from '../../lib/query-view.tsx';
import { TimeZoneNote } from '../../lib/time-zone-note.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { classNames } from '../../ui/class-names.ts';
import { DebouncedSearchField } from '../../ui/debounced-search-field.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { FilterToggle } from '../../ui/filter-toggle.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { buildChoices, SelectField } from '../../ui/select-field.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { categoriesQueryOptions, DELETED_CATEGORY_LABEL } from '../categories/categories.api.ts';
import { getJobStatusPill } from '../jobs/job-list-filter.ts';
import { FORMER_STAFF_LABEL, staffNamesQueryOptions } from '../staff/staff.api.ts';
import { type BilledJobCanceler, type ClashFormatter, useBoard } from './board.api.ts';
import { COLUMN_CLASSES } from './board-column.tsx';
import type { Board } from './board-columns.ts';
import { BoardView } from './board-view.tsx';

interface BoardPageProps {
  search: BoardFilter;
  onSearchChange: (search: BoardFilter) => void;
  formatClash: ClashFormatter;
  cancelBilledJob: BilledJobCanceler;
}

/** Fits the board into the window below the header, so that each column scrolls separately. */
const PAGE_CLASSES =
  '@container -mb-6 flex h-[calc(100dvh-var(--header-height)-var(--bottom-bar-height)-env(safe-area-inset-top)-env(safe-area-inset-bottom)-1rem)] min-h-112 flex-col ' +
  'lg:-mb-10 lg:h-[calc(100dvh-var(--header-height)-1.5rem)]';

const countBoardJobs = (board: Board | undefined) => board?.columns.reduce((sum, { total }) => sum + total, 0);

export function BoardPage({ search, onSearchChange, ...moving }: BoardPageProps) {
  const { search: term, staff_id, category_id } = search;
  const filter = useMemo(
    (): BoardFilter => ({ ...(term && { search: term }), ...(staff_id && { staff_id }), ...(category_id && { category_id }) }),
    [term, staff_id, category_id],
  );
  const board = useBoard(filter);
  return (
    <div data-full-width="" className={PAGE_CLASSES}>
      <div className="mb-3 flex flex-wrap items-center gap-x-3 gap-y-2 lg:mb-4">
        <div className="flex basis-full flex-wrap items-center gap-x-3 gap-y-2 min-[85rem]:contents">
          <div className="flex flex-1 basis-40 flex-wrap items-baseline gap-x-3 min-[85rem]:basis-auto">
            <h1 className="text-2xl font-semibold tracking-tight whitespace-nowrap">Job Board</h1>
            <span className="text-sm whitespace-nowrap text-ink-3">
              <ListCount
                singular="job"
                plural="jobs"
                total={board.isPlaceholderData && board.fetchStatus === 'paused' ? undefined : countBoardJobs(board.data)}
              />
            </span>
            <TimeZoneNote />
          </div>
          <LinkButton to="/jobs/new" tone="primary" className="min-[85rem]:order-last">
            <Plus aria-hidden="true" />
            New Job
          </LinkButton>
        </div>
        <BoardFilters filter={filter} onFilter={onSearchChange} />
      </div>
      <QueryView
        query={board}
        isInCard
        skeleton={<BoardSkeleton />}
        isEmpty={(data) => countBoardJobs(data) === 0}
        empty={<NoJobs filter={filter} onFilter={onSearchChange} />}
      >
        {(data) => (
          <>
            <OfflineSearchNote query={board} />
            <BoardView board={data} filter={filter} isOutdated={board.isPlaceholderData} {...moving} />
          </>
        )}
      </QueryView>
    </div>
  );
}

interface BoardFilterProps {
  filter: BoardFilter;
  onFilter: (filter: BoardFilter) => void;
}

function BoardFilters({ filter, onFilter }: BoardFilterProps) {
  const activeCount = [filter.staff_id, filter.category_id].filter((id) => id !== undefined).length;
  const [open, setOpen] = useState(activeCount > 0);
  const panel = useId();
  const staff = useQuery(staffNamesQueryOptions).data;
  const categories = useQuery(categoriesQueryOptions).data;
  return (
    <>
      <div className="flex min-w-0 basis-full flex-wrap gap-2 lg:basis-auto">
        <DebouncedSearchField
          label="Search jobs"
          placeholder="Search jobs..."
          maxLength={200}
          value={filter.search ?? ''}
          onChange={(search) => onFilter({ ...filter, search: search || undefined })}
          className="flex-1 basis-36 lg:w-64 lg:basis-auto"
        />
        <FilterToggle open={open} panelId={panel} activeCount={activeCount} className="lg:hidden" onClick={() => setOpen(!open)} />
      </div>
      <div
        id={panel}
        className={classNames(
          'grid basis-full grid-cols-[repeat(auto-fit,minmax(8.5rem,1fr))] gap-2 lg:flex lg:basis-auto',
          !open && 'max-lg:hidden',
        )}
      >
        <SelectField
          label="Staff Member"
          hideLabel
          className="lg:w-40"
          choices={[{ value: '', label: 'All Staff' }, ...buildChoices(staff, filter.staff_id, FORMER_STAFF_LABEL)]}
          value={filter.staff_id ?? ''}
          onChange={({ target }) => onFilter({ ...filter, staff_id: target.value || undefined })}
        />
        <SelectField
          label="Category"
          hideLabel
          className="lg:w-40"
          choices={[{ value: '', label: 'All Categories' }, ...buildChoices(categories, filter.category_id, DELETED_CATEGORY_LABEL)]}
          value={filter.category_id ?? ''}
          onChange={({ target }) => onFilter({ ...filter, category_id: target.value || undefined })}
        />
      </div>
    </>
  );
}

function NoJobs({ filter, onFilter }: BoardFilterProps) {
  const { search } = filter;
  const isFiltered = Object.keys(filter).length > 0;
  const create = (
    <LinkButton to="/jobs/new" tone={isFiltered ? 'secondary' : 'primary'}>
      <Plus aria-hidden="true" />
      Create New Job
    </LinkButton>
  );
  if (!isFiltered) return <EmptyState icon={SquareKanban} message="No jobs found" hint="Unpaid jobs appear here." action={create} />;
  return (
    <EmptyState
      icon={SearchX}
      message="No jobs found"
      hint={
        search
          ? `Nothing on the board matches “${search}”${filter.staff_id || filter.category_id ? ' with these filters' : ''}.`
          : 'No jobs match these filters.'
      }
      action={
        <>
          <Button tone="primary" onClick={() => onFilter({})}>
            Clear search and filters
          </Button>
          {create}
        </>
      }
    />
  );
}

const SKELETON_CARD_KEYS = ['one', 'two', 'three', 'four'];

function BoardSkeleton() {
  return (
    <div role="status" className="contents">
      <span className="sr-only">Loading...</span>
      <div aria-hidden="true" className="-mx-4 mb-2 flex shrink-0 gap-2 overflow-hidden px-4 py-0.5 @min-[93rem]:hidden">
        {BOARD_STATUSES.map((status) => (
          <Skeleton key={status} className="h-11 w-28 shrink-0 rounded-full lg:h-8" />
        ))}
      </div>
      <div aria-hidden="true" className="-mx-4 flex min-h-0 flex-1 gap-3 overflow-hidden px-4 pb-2 lg:-mx-6 lg:px-6 lg:pb-3">
        {BOARD_STATUSES.map((status) => (
          <div key={status} className={COLUMN_CLASSES}>
            <div className="flex items-center px-3 py-2.5 text-base text-ink-3">
              <span className="flex h-6 items-center">{getJobStatusPill(status).text}</span>
            </div>
            <div className="min-h-0 space-y-2 overflow-hidden px-2">
              {SKELETON_CARD_KEYS.map((card) => (
                <Card key={card} className="space-y-2 rounded-control p-4">
                  <Skeleton className="h-4 w-3/4" />
                  <Skeleton className="h-4 w-1/2" />
                  <Skeleton className="h-4 w-full" />
                </Card>
              ))}
            </div>
          </div>
        ))}
      </div>
    </div>
  );
}
