import { useEffect } from 'react';
import { Button } from './button.tsx';
import { classes } from './classes.ts';

interface SaveBarProps {
  saving: boolean;
  /** Whether anything is unsaved: then the bar stays on screen. */
  dirty: boolean;
  /** What Save does, if it does something else than usual. */
  label?: string | undefined;
  onDiscard: () => void;
  /** Leaves the form; without it what is typed can only be discarded. */
  onCancel?: (() => void) | undefined;
  /** Stands by itself under several cards instead of being the foot of one. */
  alone?: boolean | undefined;
}

const STUCK = 'sticky bottom-[calc(var(--bottom-bar-height)+env(safe-area-inset-bottom))] lg:bottom-0';
const FOOT = '-mx-4 mt-4 -mb-4 border-t bg-surface px-4 md:-mx-5 md:-mb-5 md:rounded-b-card md:px-5';
const ALONE = 'bg-surface px-4 max-md:-mx-4 max-md:-mb-6 max-md:border-t md:mb-4 md:rounded-card md:px-5';

/** The end of a long form: while something is unsaved it is always within the thumb's reach. */
export function SaveBar({ saving, dirty, label = 'Save Changes', onDiscard, onCancel, alone = false }: SaveBarProps) {
  useEffect(() => {
    // The bar may come up over the very field that is being typed into.
    if (dirty) document.activeElement?.scrollIntoView({ block: 'nearest' });
  }, [dirty]);
  const place = alone ? classes(ALONE, dirty ? 'md:shadow-float lg:bottom-4' : 'md:shadow-card') : FOOT;
  const isStuck = dirty || onCancel !== undefined;
  return (
    <div
      data-save-bar={isStuck ? '' : undefined}
      className={classes('z-10 flex flex-wrap items-center gap-2 py-3', isStuck && STUCK, place)}
    >
      <span className="mr-auto text-sm text-ink-2 max-sm:sr-only">{dirty && 'Unsaved changes'}</span>
      {onCancel ? (
        <Button onClick={onCancel} className="max-sm:flex-1">
          Cancel
        </Button>
      ) : (
        dirty && (
          <Button onClick={onDiscard} disabled={saving} className="max-sm:flex-1">
            Discard
          </Button>
        )
      )}
      <Button type="submit" tone="primary" busy={saving} className="max-sm:flex-1">
        {saving ? 'Saving…' : label}
      </Button>
    </div>
  );
}
