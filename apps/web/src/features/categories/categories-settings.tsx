import type { Category } from '@callout/contract/categories';
import { useQuery } from '@tanstack/react-query';
import { Pencil, Tags, Trash2 } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { QueryView } from '../../lib/query-view.tsx';
import { IconButton } from '../../ui/button.tsx';
import { FormSection } from '../../ui/card.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { SkeletonRows } from '../../ui/skeleton.tsx';
import { categoriesQuery } from './categories.api.ts';
import { AddCategory, RenameCategory } from './category-forms.tsx';
import { DeleteCategory, jobsText } from './delete-category.tsx';

interface CategoriesSettingsProps {
  /** How many jobs each has, by its id; those without are not in it. Undefined until it is known. */
  jobs: ReadonlyMap<string, number> | undefined;
}

/** The categories of jobs: added, renamed, deleted and listed by name. */
export function CategoriesSettings({ jobs }: CategoriesSettingsProps) {
  const query = useQuery(categoriesQuery);
  const [asked, setAsked] = useState<Category | null>(null);
  return (
    <FormSection title="Job categories" description="Group your jobs by type.">
      <div className="sm:col-span-6">
        <AddCategory />
        <div className="mt-4 overflow-clip rounded-control ring-1 ring-line">
          <QueryView
            query={query}
            skeleton={<SkeletonRows label="Loading categories" count={3} className="h-13 lg:h-11" />}
            isEmpty={(rows) => rows.length === 0}
            empty={<EmptyState icon={Tags} sentence="No categories found" hint="Add your first category above." />}
          >
            {(rows) => (
              <ul aria-label="Categories" className="divide-y">
                {rows.map((category) => (
                  <CategoryRow
                    key={category.id}
                    category={category}
                    jobs={jobs && (jobs.get(category.id) ?? 0)}
                    onDelete={() => setAsked(category)}
                  />
                ))}
              </ul>
            )}
          </QueryView>
        </div>
      </div>
      <DeleteCategory category={asked} jobs={(asked && jobs?.get(asked.id)) ?? undefined} onClose={() => setAsked(null)} />
    </FormSection>
  );
}

interface CategoryRowProps {
  category: Category;
  jobs: number | undefined;
  onDelete: () => void;
}

function CategoryRow({ category, jobs, onDelete }: CategoryRowProps) {
  const [isRenaming, setRenaming] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const wasRenaming = useRef(false);
  useEffect(() => {
    // The form had the focus: the keyboard continues at the button that opened it.
    if (wasRenaming.current && !isRenaming && document.activeElement === document.body) button.current?.focus();
    wasRenaming.current = isRenaming;
  }, [isRenaming]);
  if (isRenaming) {
    return (
      <li className="p-2 lg:px-3">
        <RenameCategory category={category} onClose={() => setRenaming(false)} />
      </li>
    );
  }
  return (
    <li className="flex min-h-13 items-center gap-1 pr-2 pl-4 lg:min-h-11">
      <span className="min-w-0 flex-1 py-2 text-base font-medium [overflow-wrap:anywhere]">{category.name}</span>
      {jobs !== undefined && (
        <span className="mr-2 shrink-0 text-sm text-ink-3 tabular-nums">{jobs === 0 ? 'No jobs' : jobsText(jobs)}</span>
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
