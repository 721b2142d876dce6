import type { Category } from '@callout/contract/categories';
import { useQuery } from '@tanstack/react-query';
import { Tags, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { centralMessage } from '../../lib/error-messages.ts';
import { IconButton } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { AddCategory } from './add-category.tsx';
import { categoriesQuery } from './categories.api.ts';
import { DeleteCategory } from './delete-category.tsx';

/** The kinds of jobs: added by name, listed by name. */
export function CategoriesSettings() {
  const [asked, setAsked] = useState<Category | null>(null);
  return (
    <div className="mx-auto max-w-xl">
      <p className="mb-3 text-base text-ink-2">Kinds of jobs, to sort and count your work by.</p>
      <AddCategory />
      <Card className="mt-4 overflow-clip">
        <CategoryList onDelete={setAsked} />
      </Card>
      <DeleteCategory category={asked} onClose={() => setAsked(null)} />
    </div>
  );
}

function CategoryList({ onDelete }: { onDelete: (category: Category) => void }) {
  const { data: rows, error, isFetching, refetch } = useQuery(categoriesQuery);
  if (!rows) {
    return error ? (
      <ErrorState message={centralMessage(error)} onRetry={() => void refetch()} retrying={isFetching} />
    ) : (
      <CategoriesSkeleton />
    );
  }
  if (rows.length === 0) return <EmptyState icon={Tags} sentence="No categories found" hint="Add the first one above." />;
  return (
    <ul aria-label="Categories" className="divide-y">
      {rows.map((category) => (
        <li key={category.id} className="flex min-h-13 items-center gap-3 pr-2 pl-4 lg:min-h-11 lg:pl-5">
          <span className="min-w-0 flex-1 py-2 text-base font-medium [overflow-wrap:anywhere]">{category.name}</span>
          <IconButton label={`Delete ${category.name}`} onClick={() => onDelete(category)}>
            <Trash2 aria-hidden="true" />
          </IconButton>
        </li>
      ))}
    </ul>
  );
}

const PLACEHOLDERS = ['one', 'two', 'three'];

function CategoriesSkeleton() {
  return (
    <div role="status" className="divide-y">
      <span className="sr-only">Loading categories</span>
      {PLACEHOLDERS.map((row) => (
        <div key={row} className="flex h-13 items-center px-4 lg:h-11 lg:px-5">
          <Skeleton className="h-4 w-40" />
        </div>
      ))}
    </div>
  );
}
