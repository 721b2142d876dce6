import { SlidersHorizontal } from 'lucide-react';
import type { ComponentProps } from 'react';
import { Button } from './button.tsx';

interface FilterToggleProps extends ComponentProps<'button'> {
  open: boolean;
  panelId: string;
  /** Number of active filters in the panel. */
  activeCount: number;
}

export function FilterToggle({ open, panelId, activeCount, ...rest }: FilterToggleProps) {
  return (
    <Button aria-expanded={open} aria-controls={panelId} {...rest}>
      <SlidersHorizontal aria-hidden="true" />
      Filters
      {activeCount > 0 && (
        <span className="inline-flex h-5 min-w-5 items-center justify-center rounded-full bg-accent-soft px-1.5 text-xs text-accent-ink">
          {activeCount}
        </span>
      )}
    </Button>
  );
}
