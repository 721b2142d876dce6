import type { ReactNode } from 'react';
import { Kbd } from '../../ui/kbd.tsx';
import { Sheet } from '../../ui/sheet.tsx';
import { MOD_KEY } from './mod-key.ts';
import { useMenu } from './use-menu.ts';

function Row({ what, children }: { what: string; children: ReactNode }) {
  return (
    <div className="flex items-center justify-between gap-4 py-1.5">
      <dt className="text-base">{what}</dt>
      <dd className="flex items-center gap-1.5 text-xs text-ink-3">{children}</dd>
    </div>
  );
}

export function KeyboardHelp({ open, onOpenChange }: { open: boolean; onOpenChange: (open: boolean) => void }) {
  const menu = useMenu();
  return (
    <Sheet open={open} onOpenChange={onOpenChange} title="Keyboard" size="medium">
      <dl className="gap-x-10 md:columns-2 [&>div]:break-inside-avoid">
        <Row what="Search, go to, create">
          <Kbd>{MOD_KEY}</Kbd>
          <Kbd>K</Kbd>
        </Row>
        <Row what="Search this screen">
          <Kbd>/</Kbd>
        </Row>
        <Row what="New">
          <Kbd>N</Kbd>
        </Row>
        <Row what="This help">
          <Kbd>?</Kbd>
        </Row>
        {menu.map(({ id, label, key }) => (
          <Row key={id} what={label}>
            <Kbd>G</Kbd> then <Kbd>{key.toUpperCase()}</Kbd>
          </Row>
        ))}
      </dl>
    </Sheet>
  );
}
