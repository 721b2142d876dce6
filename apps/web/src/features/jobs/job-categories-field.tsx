import { useQuery } from '@tanstack/react-query';
import { Star, X } from 'lucide-react';
import { type MouseEvent, useRef, useState } from 'react';
import { QueryView } from '../../lib/query-view.tsx';
import { useFormRows } from '../../lib/use-record-form.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { CheckboxField } from '../../ui/choice-fields.tsx';
import { ChoiceFieldset } from '../../ui/choice-fieldset.tsx';
import { SkeletonRows } from '../../ui/skeleton.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { categoriesQueryOptions } from '../categories/categories.api.ts';
import type { JobEditor } from './job-fields.tsx';

/** Further categories are behind a button, because a list that scrolls inside the page is hard to use with a thumb. */
const MAX_FOLDED_CATEGORIES = 8;

/** Lets the user choose several categories. The first one is the job's main category. */
export function JobCategoriesField({ editor: { form } }: { editor: JobEditor }) {
  const { rows: chosen, replace } = useFormRows(form.control, 'categories');
  const query = useQuery(categoriesQueryOptions);
  const [filter, setFilter] = useState('');
  const [showsAll, setShowsAll] = useState(false);
  const filterField = useRef<HTMLInputElement>(null);
  const rows = chosen.map(({ id, name }) => ({ id, name }));
  const without = (id: string) => rows.filter((row) => row.id !== id);
  const update = (event: MouseEvent<HTMLElement>, changed: typeof rows) => {
    replace(changed);
    // The pressed button disappears. Keyboard users continue in the filter; after a tap, focusing it would open the phone's keyboard.
    const next = filterField.current ?? event.currentTarget.closest('fieldset');
    if (event.detail === 0) next?.focus();
  };
  return (
    <ChoiceFieldset label="Categories" className="sm:col-span-6">
      {() => (
        <>
          {rows.length > 0 && (
            <ul aria-label="Chosen categories" className="mb-2 flex flex-wrap gap-2">
              {rows.map((row, index) => (
                <li
                  key={row.id}
                  className="flex min-h-11 max-w-full items-center rounded-3xl bg-accent-soft pl-3.5 text-base font-medium text-accent-ink lg:min-h-9"
                >
                  <span className="py-1 [overflow-wrap:anywhere]">{row.name}</span>
                  {index === 0 ? (
                    <span className="ml-2 text-sm font-normal">Main</span>
                  ) : (
                    <IconButton label={`Make ${row.name} the main category`} onClick={(event) => update(event, [row, ...without(row.id)])}>
                      <Star aria-hidden="true" />
                    </IconButton>
                  )}
                  <IconButton label={`Remove ${row.name}`} onClick={(event) => update(event, without(row.id))}>
                    <X aria-hidden="true" />
                  </IconButton>
                </li>
              ))}
            </ul>
          )}
          <QueryView
            query={query}
            skeleton={<SkeletonRows label="Loading categories" count={2} className="h-11" />}
            isEmpty={(categories) => categories.length === 0}
            empty={<NoCategoriesFound />}
          >
            {(categories) => {
              const found = categories.filter(({ name }) => name.toLowerCase().includes(filter.trim().toLowerCase()));
              return (
                <>
                  <TextField
                    ref={filterField}
                    label="Filter categories"
                    hideLabel
                    placeholder="Filter categories..."
                    value={filter}
                    onChange={({ target }) => setFilter(target.value)}
                    onKeyDown={(event) => {
                      // Keep Enter from submitting the whole form.
                      if (event.key === 'Enter') event.preventDefault();
                    }}
                  />
                  <div className="mt-2 grid grid-cols-1 gap-x-4 [overflow-wrap:anywhere] sm:grid-cols-2">
                    {(showsAll ? found : found.slice(0, MAX_FOLDED_CATEGORIES)).map((category) => (
                      <CheckboxField
                        key={category.id}
                        label={category.name}
                        checked={rows.some(({ id }) => id === category.id)}
                        onChange={({ target }) =>
                          replace(target.checked ? [...rows, { id: category.id, name: category.name }] : without(category.id))
                        }
                      />
                    ))}
                  </div>
                  {!showsAll && found.length > MAX_FOLDED_CATEGORIES && (
                    <Button tone="accent" className="-ml-4 lg:-ml-3.5" onClick={() => setShowsAll(true)}>
                      {`Show all ${found.length} categories`}
                    </Button>
                  )}
                  {found.length === 0 && <NoCategoriesFound />}
                </>
              );
            }}
          </QueryView>
        </>
      )}
    </ChoiceFieldset>
  );
}

function NoCategoriesFound() {
  return <p className="text-base text-ink-2">No categories found</p>;
}
