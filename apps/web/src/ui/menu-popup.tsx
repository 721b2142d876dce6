import { Menu as BaseMenu } from '@base-ui/react/menu';
import { useLayoutEffect, useRef } from 'react';
import { classes } from './classes.ts';
import type { MenuProps } from './menu.tsx';

const ROW =
  'flex min-h-11 items-center gap-2.5 rounded-control px-3 py-1.5 text-base font-medium outline-none select-none data-highlighted:bg-sunken lg:min-h-9 [&_svg]:size-4 [&_svg]:shrink-0';

/** The opened menu; loaded by Menu at the first press. */
export function MenuPopup({ trigger, items, label }: MenuProps) {
  const button = useRef<HTMLButtonElement>(null);
  // It takes the place of a button that had the focus: until the popup has it, keys would go nowhere, or the page would put it elsewhere.
  useLayoutEffect(() => {
    if (document.activeElement === document.body) button.current?.focus({ preventScroll: true });
  }, []);
  return (
    <BaseMenu.Root defaultOpen>
      <BaseMenu.Trigger ref={button} render={trigger} aria-label={label} />
      <BaseMenu.Portal container={document.querySelector('main')}>
        <BaseMenu.Positioner align="end" sideOffset={6} className="z-60">
          <BaseMenu.Popup className="max-h-[min(24rem,var(--available-height))] min-w-44 overflow-y-auto rounded-card bg-raised p-1.5 shadow-float transition-opacity duration-120 outline-none data-ending-style:opacity-0 data-starting-style:opacity-0">
            {items.map(({ label: text, icon: Icon, tone, disabledBecause, onSelect }) => (
              <BaseMenu.Item
                key={text}
                disabled={disabledBecause !== undefined}
                onClick={onSelect}
                className={classes(ROW, tone === 'danger' && !disabledBecause ? 'text-danger-ink' : 'text-ink')}
              >
                {Icon && <Icon aria-hidden="true" />}
                <span className="max-w-64 flex-1">
                  {text}
                  {disabledBecause && <span className="block text-sm font-normal text-ink-2">{disabledBecause}</span>}
                </span>
              </BaseMenu.Item>
            ))}
          </BaseMenu.Popup>
        </BaseMenu.Positioner>
      </BaseMenu.Portal>
    </BaseMenu.Root>
  );
}
