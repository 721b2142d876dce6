import { ArrowUpDown, SlidersHorizontal } from 'lucide-react';
import type { ComponentProps } from 'react';
import { Button } from './button.tsx';

interface FilterToggleProps extends ComponentProps<'button'> {
  open: boolean;
  panelId: string;
  /** Number of active filters in the panel. */
  activeCount: number;
  /** True if the panel only sorts. */
  isSortOnly?: boolean;
}

export function FilterToggle({ open, panelId, activeCount, isSortOnly = false, ...rest }: FilterToggleProps) {
  return (
    <Button aria-expanded={open} aria-controls={panelId} {...rest}>
      {isSortOnly ? <ArrowUpDown aria-hidden="true" /> : <SlidersHorizontal aria-hidden="true" />}
      {isSortOnly ? 'Sort' : 'Filters'}
      {activeCount > 0 && (
        <span className="inline-flex h-5 min-w-5 items-center justify-center rounded-full bg-accent-soft px-1.5 text-xs text-accent-ink">
          {activeCount}
        </span>
      )}
    </Button>
  );
}
