import { useEffect } from 'react';
import { Button } from './button.tsx';
import { classNames } from './class-names.ts';

interface SaveBarProps {
  saving: boolean;
  /** True if there are unsaved changes. The bar then sticks to the bottom of the screen. */
  dirty: boolean;
  label?: string | undefined;
  onDiscard: () => void;
  /** Called to leave the form. If set, the bar is always sticky; if undefined, the bar only offers to discard changes. */
  onCancel?: (() => void) | undefined;
  /** True if the bar follows several cards, false if it is the footer of one card. */
  isStandalone?: boolean | undefined;
}

const STICKY_CLASSES = 'sticky bottom-[calc(var(--bottom-bar-height)+env(safe-area-inset-bottom))] lg:bottom-0';
const FOOTER_CLASSES = '-mx-4 mt-4 -mb-4 border-t bg-surface px-4 md:-mx-5 md:-mb-5 md:rounded-b-card md:px-5';
const STANDALONE_CLASSES = 'bg-surface px-4 max-md:-mx-4 max-md:-mb-6 max-md:border-t md:mb-4 md:rounded-card md:px-5';

/** Footer of a long form. Sticks to the bottom of the screen, within thumb's reach, if there are unsaved changes or a Cancel button. */
export function SaveBar({ saving, dirty, label = 'Save Changes', onDiscard, onCancel, isStandalone = false }: SaveBarProps) {
  useEffect(() => {
    // The bar may cover the focused field, so scroll the field into view.
    if (dirty) document.activeElement?.scrollIntoView({ block: 'nearest' });
  }, [dirty]);
  const layout = isStandalone ? classNames(STANDALONE_CLASSES, dirty ? 'md:shadow-float lg:bottom-4' : 'md:shadow-card') : FOOTER_CLASSES;
  const isSticky = dirty || onCancel !== undefined;
  return (
    <div
      data-save-bar={isSticky ? '' : undefined}
      className={classNames('z-10 flex flex-wrap items-center gap-2 py-3', isSticky && STICKY_CLASSES, layout)}
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
