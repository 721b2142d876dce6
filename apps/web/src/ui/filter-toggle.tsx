import { SlidersHorizontal } from 'lucide-react';
import type { ComponentProps } from 'react';
import { Button } from './button.tsx';

interface FilterToggleProps extends ComponentProps<'button'> {
  open: boolean;
  /** The id of what it opens. */
  panel: string;
  /** How many of the filters behind it are set. */
  changed: number;
}

export function FilterToggle({ open, panel, changed, ...rest }: FilterToggleProps) {
  return (
    <Button aria-expanded={open} aria-controls={panel} {...rest}>
      <SlidersHorizontal aria-hidden="true" />
      Filters
      {changed > 0 && (
        <span className="inline-flex h-5 min-w-5 items-center justify-center rounded-full bg-accent-soft px-1.5 text-xs text-accent-ink">
          {changed}
        </span>
      )}
    </Button>
  );
}
