import type { ReactNode } from 'react';
import { SwitchField } from '../../ui/choice-fields.tsx';
import { Sheet } from '../../ui/dialog.tsx';
import { useMenu } from '../menu.ts';
import { Kbd, MODIFIER_KEY, useShortcutSettings } from './shortcuts.tsx';

function ShortcutRow({ action, children }: { action: string; children: ReactNode }) {
  return (
    <div className="flex items-center justify-between gap-4 py-1.5">
      <dt className="text-base">{action}</dt>
      <dd className="flex items-center gap-1.5 text-xs text-ink-3">{children}</dd>
    </div>
  );
}

export function KeyboardHelp({ open, onOpenChange }: { open: boolean; onOpenChange: (open: boolean) => void }) {
  const menu = useMenu();
  const { singleKeys, setSingleKeys } = useShortcutSettings();
  return (
    <Sheet open={open} onOpenChange={onOpenChange} title="Keyboard shortcuts" size="medium">
      <dl className="gap-x-10 md:columns-2 [&>div]:break-inside-avoid">
        <ShortcutRow action="Search, open or create">
          <Kbd>{MODIFIER_KEY}</Kbd>
          <Kbd>K</Kbd>
        </ShortcutRow>
        <ShortcutRow action="Show this help">
          <Kbd>{MODIFIER_KEY}</Kbd>
          <Kbd>/</Kbd>
          {singleKeys && (
            <>
              or <Kbd>?</Kbd>
            </>
          )}
        </ShortcutRow>
        <ShortcutRow action="Save">
          <Kbd>{MODIFIER_KEY}</Kbd>
          <Kbd>S</Kbd>
        </ShortcutRow>
        <ShortcutRow action="Move through a list">
          <Kbd>↑</Kbd>
          <Kbd>↓</Kbd>
        </ShortcutRow>
        {singleKeys && (
          <>
            <ShortcutRow action="Search this screen">
              <Kbd>/</Kbd>
            </ShortcutRow>
            <ShortcutRow action="New">
              <Kbd>N</Kbd>
            </ShortcutRow>
            <ShortcutRow action="Time sheet: previous, next, this week">
              <Kbd>←</Kbd>
              <Kbd>→</Kbd>
              <Kbd>W</Kbd>
            </ShortcutRow>
            <ShortcutRow action="Calendar: previous, next">
              <Kbd>←</Kbd>
              <Kbd>→</Kbd>
              or <Kbd>K</Kbd>
              <Kbd>J</Kbd>
            </ShortcutRow>
            <ShortcutRow action="Calendar: today">
              <Kbd>T</Kbd>
            </ShortcutRow>
            <ShortcutRow action="Calendar: day, week, month">
              <Kbd>D</Kbd>
              <Kbd>W</Kbd>
              <Kbd>M</Kbd>
            </ShortcutRow>
            {menu.map(({ id, label, shortcutKey: key }) => (
              <ShortcutRow key={id} action={label}>
                <Kbd>G</Kbd> then <Kbd>{key.toUpperCase()}</Kbd>
              </ShortcutRow>
            ))}
          </>
        )}
      </dl>
      <SwitchField
        label="Single-key shortcuts"
        hint={`Turn these off if you trigger them by accident. ${MODIFIER_KEY} K and ${MODIFIER_KEY} / always work.`}
        checked={singleKeys}
        onChange={(event) => setSingleKeys(event.target.checked)}
        className="mt-4 border-t pt-3"
      />
    </Sheet>
  );
}
