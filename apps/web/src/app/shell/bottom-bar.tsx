import { Link } from '@tanstack/react-router';
import { Menu as MenuIcon } from 'lucide-react';
import { BOTTOM_BAR, MENU } from '../menu.ts';

const CELL =
  'flex min-w-0 flex-1 flex-col items-center justify-center gap-0.5 text-xs font-medium whitespace-nowrap overflow-clip -outline-offset-2 [&_svg]:size-5.5';

/** On phones: the most used pages, and More for the rest. */
export function BottomBar({ onMore }: { onMore: () => void }) {
  return (
    <nav
      aria-label="Most used"
      className="fixed inset-x-0 bottom-0 z-30 flex h-[calc(var(--bottom-bar-height)+env(safe-area-inset-bottom))] border-t bg-surface pb-[env(safe-area-inset-bottom)] md:hidden print:hidden"
    >
      {MENU.filter(({ id }) => BOTTOM_BAR.some((shown) => shown === id)).map(({ id, to, label, icon: Icon }) => (
        <Link
          key={id}
          to={to}
          className={CELL}
          activeProps={{ className: 'text-accent-ink', 'aria-current': 'page' }}
          inactiveProps={{ className: 'text-ink-3' }}
        >
          <Icon aria-hidden="true" />
          {label}
        </Link>
      ))}
      <button type="button" className={`${CELL} text-ink-3`} aria-controls="sidebar" onClick={onMore}>
        <MenuIcon aria-hidden="true" />
        More
      </button>
    </nav>
  );
}
