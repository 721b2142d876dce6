import { Menu as BaseMenu } from '@base-ui/react/menu';
import { Check } from 'lucide-react';
import { classes } from './classes.ts';
import type { MenuItem, MenuProps } from './menu.tsx';

const ROW =
  'flex h-11 items-center gap-2.5 rounded-control px-3 text-base font-medium outline-none select-none data-highlighted:bg-sunken lg:h-9 [&_svg]:size-4';

/** The opened menu; loaded by Menu at the first press. */
export function MenuPopup({ trigger, items, label }: MenuProps) {
  const chosen = items.find(({ checked }) => checked)?.label;
  const isChoice = items.some(({ checked }) => checked !== undefined);
  return (
    <BaseMenu.Root defaultOpen>
      <BaseMenu.Trigger render={trigger} aria-label={label} />
      <BaseMenu.Portal container={document.querySelector('main')}>
        <BaseMenu.Positioner align="end" sideOffset={6} className="z-60">
          <BaseMenu.Popup className="min-w-44 rounded-card bg-raised p-1.5 shadow-float transition-opacity duration-120 outline-none data-ending-style:opacity-0 data-starting-style:opacity-0">
            {isChoice ? (
              <BaseMenu.RadioGroup value={chosen}>
                {items.map((item) => (
                  <BaseMenu.RadioItem
                    key={item.label}
                    value={item.label}
                    closeOnClick
                    onClick={item.onSelect}
                    className={classes(ROW, 'text-ink')}
                  >
                    <RowContent item={item} />
                    <BaseMenu.RadioItemIndicator>
                      <Check aria-hidden="true" />
                    </BaseMenu.RadioItemIndicator>
                  </BaseMenu.RadioItem>
                ))}
              </BaseMenu.RadioGroup>
            ) : (
              items.map((item) => (
                <BaseMenu.Item
                  key={item.label}
                  onClick={item.onSelect}
                  className={classes(ROW, item.tone === 'danger' ? 'text-danger-ink' : 'text-ink')}
                >
                  <RowContent item={item} />
                </BaseMenu.Item>
              ))
            )}
          </BaseMenu.Popup>
        </BaseMenu.Positioner>
      </BaseMenu.Portal>
    </BaseMenu.Root>
  );
}

function RowContent({ item: { icon: Icon, label } }: { item: MenuItem }) {
  return (
    <>
      {Icon && <Icon aria-hidden="true" />}
      <span className="flex-1">{label}</span>
    </>
  );
}
