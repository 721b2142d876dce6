import { Menu as BaseMenu } from '@base-ui/react/menu';
import { useLayoutEffect, useRef, useState } from 'react';
import { classNames } from './class-names.ts';
import type { MenuItem, MenuProps } from './menu.tsx';
import { useCloseOnBack } from './use-close-on-back.ts';

const ITEM_CLASSES =
  'flex min-h-11 items-center gap-2.5 rounded-control px-3 py-1.5 text-base font-medium outline-none select-none data-highlighted:bg-sunken lg:min-h-9 [&_svg]:size-4 [&_svg]:shrink-0';

export interface MenuPopupProps extends Omit<MenuProps, 'items'> {
  items: readonly MenuItem[];
}

export function MenuPopup({ trigger, items, label }: MenuPopupProps) {
  const button = useRef<HTMLButtonElement>(null);
  const [isOpen, setOpen] = useState(true);
  useCloseOnBack(isOpen, () => setOpen(false));
  // Take over the focus from the button that this trigger replaces. Otherwise, key presses are lost or the page moves the focus.
  useLayoutEffect(() => {
    if (document.activeElement === document.body) button.current?.focus({ preventScroll: true });
  }, []);
  return (
    <BaseMenu.Root open={isOpen} onOpenChange={setOpen}>
      <BaseMenu.Trigger ref={button} render={trigger} aria-label={label} />
      <BaseMenu.Portal container={document.querySelector('main')}>
        <BaseMenu.Positioner align="end" sideOffset={6} className="z-60">
          <BaseMenu.Popup className="max-h-[min(24rem,var(--available-height))] min-w-44 overflow-y-auto rounded-card bg-raised p-1.5 shadow-float transition-opacity duration-120 outline-none data-ending-style:opacity-0 data-starting-style:opacity-0">
            {items.map(({ id, label: text, icon: Icon, tone, disabledReason, onSelect }) => (
              <BaseMenu.Item
                key={id ?? text}
                disabled={disabledReason !== undefined}
                onClick={onSelect}
                className={classNames(ITEM_CLASSES, tone === 'danger' && !disabledReason ? 'text-danger-ink' : 'text-ink')}
              >
                {Icon && <Icon aria-hidden="true" />}
                <span className="max-w-64 flex-1">
                  {text}
                  {disabledReason && <span className="block text-sm font-normal text-ink-2">{disabledReason}</span>}
                </span>
              </BaseMenu.Item>
            ))}
          </BaseMenu.Popup>
        </BaseMenu.Positioner>
      </BaseMenu.Portal>
    </BaseMenu.Root>
  );
}
