import type { LucideIcon } from 'lucide-react';
import { useState } from 'react';
import { Button } from './button.tsx';
import { useLazyModule } from './use-lazy-module.ts';

export interface SortableItem {
  readonly id: string;
  readonly label: string;
  readonly icon?: LucideIcon;
}

export interface SortableListProps {
  /** Names the list for people who listen. */
  label: string;
  items: readonly SortableItem[];
  onOrder: (ids: readonly string[]) => void;
}

export const SORTABLE_ROW =
  'flex min-h-13 flex-wrap items-center justify-end gap-x-2 bg-surface px-2 text-base font-medium select-none lg:min-h-11';

/**
 * A short list put in order by mouse, by finger, by keyboard, or step by step with the buttons of each row.
 * What moves the rows is heavy and comes after them.
 */
export function SortableList(props: SortableListProps) {
  const [wanted, setWanted] = useState(true);
  const file = useLazyModule(
    () => import('./sortable-rows.tsx'),
    wanted,
    () => setWanted(false),
  );
  if (file) return <file.SortableRows {...props} />;
  return (
    <>
      <ul aria-label={props.label} aria-busy={wanted} className="divide-y">
        {props.items.map(({ id, label, icon: Icon }) => (
          <li key={id} className={SORTABLE_ROW}>
            <span className="size-[min(2.75rem,48px)] lg:size-9" />
            {Icon && <Icon aria-hidden="true" className="size-5 shrink-0 text-ink-3 lg:size-4.5" />}
            <span className="min-w-0 flex-1 basis-12 [overflow-wrap:anywhere]">{label}</span>
          </li>
        ))}
      </ul>
      {!wanted && (
        <div className="border-t p-3">
          <Button onClick={() => setWanted(true)}>Retry</Button>
        </div>
      )}
    </>
  );
}
