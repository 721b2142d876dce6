import { useQuery } from '@tanstack/react-query';
import { FileText, Plus } from 'lucide-react';
import { ListCount } from '../../lib/list-count.tsx';
import { isFiltered } from '../../lib/list-filter.ts';
import { ListToolbar, NoMatches } from '../../lib/list-toolbar.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { useCan } from '../company/company.api.ts';
import { type QuotesSearch, quoteFilter } from './quote-filter.ts';
import { type QuoteFilter, quotesCountOptions } from './quotes.api.ts';
import { QuotesTable } from './quotes-table.tsx';

interface QuotesListPageProps {
  search: QuotesSearch;
  onSearch: (search: QuotesSearch) => void;
}

export function QuotesListPage({ search, onSearch }: QuotesListPageProps) {
  const mayEdit = useCan('quotes.edit');
  const filter = quoteFilter.read(search);
  const onFilter = (changed: QuoteFilter) => onSearch(quoteFilter.write(changed));
  const all = useQuery(quotesCountOptions()).data?.total;
  const found = useQuery(quotesCountOptions(quoteFilter.criteria(filter))).data?.total;
  return (
    <>
      <PageHeader
        title="Quotes"
        aside={<ListCount one="quote" many="quotes" all={all} found={isFiltered(filter) ? found : undefined} />}
        actions={mayEdit && <NewQuote tone="primary" />}
      />
      <ListToolbar definition={quoteFilter} filter={filter} onFilter={onFilter} />
      <QuotesTable
        filter={filter}
        sorting={{ ...filter, onSort: (sort) => onFilter(quoteFilter.sortBy(filter, sort)) }}
        total={found}
        empty={<NoQuotes filter={filter} onFilter={onFilter} mayEdit={mayEdit} />}
        headTop="top-[calc(var(--header-height)+3.25rem)]"
      />
    </>
  );
}

function NewQuote({ tone }: { tone: 'primary' | 'secondary' }) {
  return (
    <LinkButton to="/quotes/new" tone={tone}>
      <Plus aria-hidden="true" />
      New Quote
    </LinkButton>
  );
}

interface NoQuotesProps {
  filter: QuoteFilter;
  onFilter: (filter: QuoteFilter) => void;
  mayEdit: boolean;
}

function NoQuotes({ filter, onFilter, mayEdit }: NoQuotesProps) {
  const sentence = 'No quotes found';
  if (isFiltered(filter)) {
    const add = mayEdit && <NewQuote tone="secondary" />;
    return <NoMatches definition={quoteFilter} filter={filter} onFilter={onFilter} sentence={sentence} add={add} />;
  }
  return (
    <EmptyState
      icon={FileText}
      sentence={sentence}
      hint={mayEdit && 'Build your first quote and let the customer accept it online.'}
      action={mayEdit && <NewQuote tone="primary" />}
    />
  );
}
