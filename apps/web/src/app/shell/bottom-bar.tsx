import { Link } from '@tanstack/react-router';
import { Menu as MenuIcon } from 'lucide-react';
import { type MenuEntry, useIsCovered, useMenu } from '../menu.ts';
import type { SidebarState } from './use-sidebar.ts';

const SHOWN = 4;

const CELL =
  'flex min-w-0 flex-1 flex-col items-center justify-center gap-0.5 px-0.5 text-center text-[min(0.75rem,3.5vw)] leading-tight font-medium -outline-offset-2 [&_svg]:size-5.5 [&_svg]:shrink-0';

/** Below 1024 px: the first pages of the person's own menu, and More for the rest. */
export function BottomBar({ sidebar }: { sidebar: SidebarState }) {
  const menu = useMenu();
  return (
    <nav
      aria-label="Quick menu"
      className="fixed inset-x-0 bottom-0 z-30 flex h-[calc(var(--menu-bar-height)+env(safe-area-inset-bottom))] border-t bg-surface pb-[env(safe-area-inset-bottom)] print:hidden"
    >
      {menu.slice(0, SHOWN).map((entry) => (
        <BarLink key={entry.id} entry={entry} />
      ))}
      <button type="button" className={`${CELL} text-ink-3`} aria-controls="sidebar" aria-expanded={sidebar.open} onClick={sidebar.toggle}>
        <MenuIcon aria-hidden="true" />
        More
      </button>
    </nav>
  );
}

const ACTIVE = { className: 'text-accent-ink', 'aria-current': 'page' } as const;

function BarLink({ entry }: { entry: MenuEntry }) {
  const { to, label, icon: Icon } = entry;
  return (
    <Link to={to} className={CELL} activeProps={ACTIVE} inactiveProps={useIsCovered(entry) ? ACTIVE : { className: 'text-ink-3' }}>
      <Icon aria-hidden="true" />
      <span className="line-clamp-2">{label}</span>
    </Link>
  );
}
