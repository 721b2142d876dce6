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
  label: string;
  items: readonly SortableItem[];
  onReorder: (ids: readonly string[]) => void;
}

export const ROW_CLASSES =
  'flex min-h-13 flex-wrap items-center justify-end gap-x-2 bg-surface px-2 text-base font-medium select-none lg:min-h-11';

/**
 * Short list that people reorder by mouse, touch or keyboard, or with each row's up and down buttons. The drag-and-drop code is large, so
 * it loads after the rows.
 */
export function SortableList(props: SortableListProps) {
  const [isRequested, setRequested] = useState(true);
  const loaded = useLazyModule(
    () => import('./sortable-rows.tsx'),
    isRequested,
    () => setRequested(false),
  );
  if (loaded) return <loaded.SortableRows {...props} />;
  return (
    <>
      <ul aria-label={props.label} aria-busy={isRequested} className="divide-y">
        {props.items.map(({ id, label, icon: Icon }) => (
          <li key={id} className={ROW_CLASSES}>
            <span className="size-[min(2.75rem,48px)] lg:size-9" />
            {Icon && <Icon aria-hidden="true" className="size-5 shrink-0 text-ink-3 lg:size-4.5" />}
            <span className="min-w-0 flex-1 basis-12 [overflow-wrap:anywhere]">{label}</span>
          </li>
        ))}
      </ul>
      {!isRequested && (
        <div className="border-t p-3">
          <Button onClick={() => setRequested(true)}>Retry</Button>
        </div>
      )}
    </>
  );
}
