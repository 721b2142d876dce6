import { useQuery } from '@tanstack/react-query';
import { FileText, Plus } from 'lucide-react';
import { getExactCount, getMatchingCount, ListCount } from '../../lib/list-count.tsx';
import { isFiltered } from '../../lib/list-filter.ts';
import { ListToolbar, NoMatches } from '../../lib/list-toolbar.tsx';
import { TimeZoneNote } from '../../lib/time-zone-note.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { useCan } from '../company/company.api.ts';
import { type QuoteSearchParams, quoteListFilter } from './quote-list-filter.ts';
import { type QuoteFilter, quoteCountQueryOptions } from './quotes.api.ts';
import { QuotesTable } from './quotes-table.tsx';

interface QuotesListPageProps {
  search: QuoteSearchParams;
  onSearch: (search: QuoteSearchParams) => void;
}

export function QuotesListPage({ search, onSearch }: QuotesListPageProps) {
  const canEdit = useCan('quotes.edit');
  const filter = quoteListFilter.fromParams(search);
  const onFilter = (changed: QuoteFilter) => onSearch(quoteListFilter.toParams(changed));
  const totalCount = useQuery(quoteCountQueryOptions()).data?.total;
  const matchingCount = getMatchingCount(useQuery(quoteCountQueryOptions(quoteListFilter.withoutSort(filter))));
  return (
    <>
      <PageHeader
        title="Quotes"
        note={<TimeZoneNote />}
        aside={<ListCount singular="quote" plural="quotes" total={totalCount} matching={isFiltered(filter) ? matchingCount : undefined} />}
        actions={canEdit && <NewQuoteButton tone="primary" />}
      />
      <ListToolbar definition={quoteListFilter} filter={filter} onFilter={onFilter} />
      <QuotesTable
        filter={filter}
        sorting={{ ...filter, onSort: (sort) => onFilter(quoteListFilter.withSort(filter, sort)) }}
        total={getExactCount(matchingCount)}
        empty={<EmptyQuotesList filter={filter} onFilter={onFilter} canEdit={canEdit} />}
        stickyTopClass="top-[calc(var(--header-height)+3.25rem)]"
      />
    </>
  );
}

function NewQuoteButton({ tone }: { tone: 'primary' | 'secondary' }) {
  return (
    <LinkButton to="/quotes/new" tone={tone}>
      <Plus aria-hidden="true" />
      New Quote
    </LinkButton>
  );
}

interface EmptyQuotesListProps {
  filter: QuoteFilter;
  onFilter: (filter: QuoteFilter) => void;
  canEdit: boolean;
}

function EmptyQuotesList({ filter, onFilter, canEdit }: EmptyQuotesListProps) {
  const sentence = 'No quotes found';
  if (isFiltered(filter)) {
    const add = canEdit && <NewQuoteButton tone="secondary" />;
    return <NoMatches definition={quoteListFilter} filter={filter} onFilter={onFilter} sentence={sentence} addAction={add} />;
  }
  return (
    <EmptyState
      icon={FileText}
      message={sentence}
      hint={canEdit && 'Build your first quote and let the customer accept it online.'}
      action={canEdit && <NewQuoteButton tone="primary" />}
    />
  );
}
