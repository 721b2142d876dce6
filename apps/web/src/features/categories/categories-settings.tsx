import type { Category } from '@callout/contract/categories';
import { useQuery } from '@tanstack/react-query';
import { Tags, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { QueryView } from '../../lib/query-view.tsx';
import { IconButton } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { SkeletonRows } from '../../ui/skeleton.tsx';
import { AddCategory } from './add-category.tsx';
import { categoriesQuery } from './categories.api.ts';
import { DeleteCategory } from './delete-category.tsx';

/** The categories of jobs: added and listed by name. */
export function CategoriesSettings() {
  const [asked, setAsked] = useState<Category | null>(null);
  return (
    <div className="mx-auto max-w-xl">
      <p className="mb-3 text-base text-ink-2">Group your jobs by type.</p>
      <AddCategory />
      <Card className="mt-4 overflow-clip">
        <CategoryList onDelete={setAsked} />
      </Card>
      <DeleteCategory category={asked} onClose={() => setAsked(null)} />
    </div>
  );
}

function CategoryList({ onDelete }: { onDelete: (category: Category) => void }) {
  const query = useQuery(categoriesQuery);
  return (
    <QueryView
      query={query}
      skeleton={<SkeletonRows label="Loading categories" count={3} className="h-13 lg:h-11" />}
      isEmpty={(rows) => rows.length === 0}
      empty={<EmptyState icon={Tags} sentence="No categories found" hint="Add the first one above." />}
    >
      {(rows) => <CategoryRows rows={rows} onDelete={onDelete} />}
    </QueryView>
  );
}

function CategoryRows({ rows, onDelete }: { rows: readonly Category[]; onDelete: (category: Category) => void }) {
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
