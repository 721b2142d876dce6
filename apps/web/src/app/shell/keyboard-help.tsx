import type { ReactNode } from 'react';
import { SwitchField } from '../../ui/choice-fields.tsx';
import { Sheet } from '../../ui/dialog.tsx';
import { useMenu } from '../menu.ts';
import { Kbd, MOD_KEY, useShortcutSettings } from './shortcuts.tsx';

function Row({ action, children }: { action: string; children: ReactNode }) {
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
        <Row action="Search, go to, create">
          <Kbd>{MOD_KEY}</Kbd>
          <Kbd>K</Kbd>
        </Row>
        <Row action="Show this help">
          <Kbd>{MOD_KEY}</Kbd>
          <Kbd>/</Kbd>
          {singleKeys && (
            <>
              or <Kbd>?</Kbd>
            </>
          )}
        </Row>
        <Row action="Save">
          <Kbd>{MOD_KEY}</Kbd>
          <Kbd>S</Kbd>
        </Row>
        <Row action="Move in a list">
          <Kbd>↑</Kbd>
          <Kbd>↓</Kbd>
        </Row>
        {singleKeys && (
          <>
            <Row action="Search this screen">
              <Kbd>/</Kbd>
            </Row>
            <Row action="New">
              <Kbd>N</Kbd>
            </Row>
            <Row action="Previous, next, this week on the time sheet">
              <Kbd>←</Kbd>
              <Kbd>→</Kbd>
              <Kbd>W</Kbd>
            </Row>
            <Row action="Calendar: previous, next">
              <Kbd>←</Kbd>
              <Kbd>→</Kbd>
              or <Kbd>K</Kbd>
              <Kbd>J</Kbd>
            </Row>
            <Row action="Calendar: today">
              <Kbd>T</Kbd>
            </Row>
            <Row action="Calendar: day, week, month">
              <Kbd>D</Kbd>
              <Kbd>W</Kbd>
              <Kbd>M</Kbd>
            </Row>
            {menu.map(({ id, label, key }) => (
              <Row key={id} action={label}>
                <Kbd>G</Kbd> then <Kbd>{key.toUpperCase()}</Kbd>
              </Row>
            ))}
          </>
        )}
      </dl>
      <SwitchField
        label="Single-key shortcuts"
        hint={`Turn off if you trigger them by accident. ${MOD_KEY} K and ${MOD_KEY} / always work.`}
        checked={singleKeys}
        onChange={(event) => setSingleKeys(event.target.checked)}
        className="mt-4 border-t pt-3"
      />
    </Sheet>
  );
}
