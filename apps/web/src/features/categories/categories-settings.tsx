import type { Category } from '@callout/contract/categories';
import { useQuery } from '@tanstack/react-query';
import { Pencil, Tags, Trash2 } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { QueryView } from '../../lib/query-view.tsx';
import { IconButton } from '../../ui/button.tsx';
import { FormSection } from '../../ui/card.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { SkeletonRows } from '../../ui/skeleton.tsx';
import { categoriesQueryOptions } from './categories.api.ts';
import { AddCategoryForm, RenameCategoryForm } from './category-forms.tsx';
import { DeleteCategoryDialog, formatJobCount } from './delete-category-dialog.tsx';

interface CategoriesSettingsProps {
  /** Number of jobs by category id; undefined while loading. Unused categories have no entry. */
  jobCounts: ReadonlyMap<string, number> | undefined;
}

export function CategoriesSettings({ jobCounts }: CategoriesSettingsProps) {
  const query = useQuery(categoriesQueryOptions);
  const [deleting, setDeleting] = useState<Category | null>(null);
  return (
    <FormSection title="Job categories" description="Group your jobs by type.">
      <div className="sm:col-span-6">
        <AddCategoryForm />
        <div className="mt-4 overflow-clip rounded-control ring-1 ring-line">
          <QueryView
            query={query}
            skeleton={<SkeletonRows label="Loading categories" count={3} className="h-13 lg:h-11" />}
            isEmpty={(rows) => rows.length === 0}
            empty={<EmptyState icon={Tags} message="No categories found" hint="Add your first category above." />}
          >
            {(rows) => (
              <ul aria-label="Categories" className="divide-y">
                {rows.map((category) => (
                  <CategoryRow
                    key={category.id}
                    category={category}
                    jobCount={jobCounts && (jobCounts.get(category.id) ?? 0)}
                    onDelete={() => setDeleting(category)}
                  />
                ))}
              </ul>
            )}
          </QueryView>
        </div>
      </div>
      <DeleteCategoryDialog
        category={deleting}
        jobCount={(deleting && jobCounts?.get(deleting.id)) ?? undefined}
        onClose={() => setDeleting(null)}
      />
    </FormSection>
  );
}

interface CategoryRowProps {
  category: Category;
  jobCount: number | undefined;
  onDelete: () => void;
}

function CategoryRow({ category, jobCount, onDelete }: CategoryRowProps) {
  const [isRenaming, setRenaming] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const wasRenaming = useRef(false);
  useEffect(() => {
    // The rename form had the focus and is now closed, so return the focus to the button that opened it.
    if (wasRenaming.current && !isRenaming && document.activeElement === document.body) button.current?.focus();
    wasRenaming.current = isRenaming;
  }, [isRenaming]);
  if (isRenaming) {
    return (
      <li className="p-2 lg:px-3">
        <RenameCategoryForm category={category} onClose={() => setRenaming(false)} />
      </li>
    );
  }
  return (
    <li className="flex min-h-13 items-center gap-1 pr-2 pl-4 lg:min-h-11">
      <span className="min-w-0 flex-1 py-2 text-base font-medium [overflow-wrap:anywhere]">{category.name}</span>
      {jobCount !== undefined && (
        <span className="mr-2 shrink-0 text-sm text-ink-3 tabular-nums">{jobCount === 0 ? 'No jobs' : formatJobCount(jobCount)}</span>
      )}
      <IconButton ref={button} label={`Rename ${category.name}`} onClick={() => setRenaming(true)}>
        <Pencil aria-hidden="true" />
      </IconButton>
      <IconButton label={`Delete ${category.name}`} onClick={onDelete}>
        <Trash2 aria-hidden="true" />
      </IconButton>
    </li>
  );
}
