import { Link } from '@tanstack/react-router';
import { Menu as MenuIcon } from 'lucide-react';
import { type MenuEntry, useIsOnRelatedPage, useMenu } from '../menu.ts';
import type { SidebarState } from './use-sidebar.ts';

const MAX_BAR_ENTRIES = 4;

const CELL_CLASS =
  'flex min-w-0 flex-1 flex-col items-center justify-center gap-0.5 px-0.5 text-center text-[min(0.75rem,3.5vw)] leading-tight font-medium -outline-offset-2 [&_svg]:size-5.5 [&_svg]:shrink-0';

/** Navigation for screens below 1024 px: the first entries of the user's menu, and a More button for the rest. */
export function BottomBar({ sidebar: { isOpen, toggle } }: { sidebar: SidebarState }) {
  const menu = useMenu();
  return (
    <nav
      aria-label="Quick menu"
      className="fixed inset-x-0 bottom-0 z-30 flex h-[calc(var(--menu-bar-height)+env(safe-area-inset-bottom))] border-t bg-surface pb-[env(safe-area-inset-bottom)] print:hidden"
    >
      {menu.slice(0, MAX_BAR_ENTRIES).map((entry) => (
        <BottomBarLink key={entry.id} entry={entry} />
      ))}
      <button type="button" className={`${CELL_CLASS} text-ink-3`} aria-controls="sidebar" aria-expanded={isOpen} onClick={toggle}>
        <MenuIcon aria-hidden="true" />
        More
      </button>
    </nav>
  );
}

const ACTIVE_PROPS = { className: 'text-accent-ink', 'aria-current': 'page' } as const;

function BottomBarLink({ entry }: { entry: MenuEntry }) {
  const { to, label, icon: Icon } = entry;
  const inactiveProps = useIsOnRelatedPage(entry) ? ACTIVE_PROPS : { className: 'text-ink-3' };
  return (
    <Link to={to} className={CELL_CLASS} activeProps={ACTIVE_PROPS} inactiveProps={inactiveProps}>
      <Icon aria-hidden="true" />
      <span className="line-clamp-2">{label}</span>
    </Link>
  );
}
