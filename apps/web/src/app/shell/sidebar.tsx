import { PRODUCT_NAME } from '@callout/domain/product/product';
import { Link } from '@tanstack/react-router';
import { LogOut, type LucideIcon, Monitor, Moon, Sun, X } from 'lucide-react';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { useMe } from '../../features/company/company.api.ts';
import { type ThemeChoice, useTheme } from '../../lib/theme.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { IconButton, Spinner } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { type MenuEntry, useIsOnRelatedPage, useMenu } from '../menu.ts';
import { signOutAllTabs } from '../session.ts';
import type { SidebarState } from './use-sidebar.ts';

const ENTRY_CLASS =
  'flex h-11 w-full items-center gap-3 rounded-control px-3 text-base font-medium lg:h-9 [&_svg]:size-5 [&_svg]:shrink-0 lg:[&_svg]:size-4.5';

const INACTIVE_CLASS = 'text-ink-2 hover:bg-sunken hover:text-ink';

export function Sidebar({ isOpen, isDocked, close }: SidebarState) {
  const closeButton = useRef<HTMLButtonElement>(null);
  const isOverlay = isOpen && !isDocked;
  // The sidebar's contents render only once it has been opened, so that the page appears sooner on a phone.
  const [hasOpened, setHasOpened] = useState(isOpen);
  if (isOpen && !hasOpened) setHasOpened(true);
  useEffect(() => {
    if (!isOverlay) return undefined;
    const previouslyFocused = document.activeElement;
    closeButton.current?.focus();
    return () => {
      if (previouslyFocused instanceof HTMLElement) previouslyFocused.focus();
    };
  }, [isOverlay]);

  return (
    <>
      {isOverlay && <div aria-hidden="true" className="fixed inset-0 z-40 animate-appear bg-scrim lg:hidden" onClick={close} />}
      <aside
        id="sidebar"
        aria-label="Sidebar"
        inert={!isOpen}
        className={classNames(
          'fixed inset-y-0 left-0 z-50 flex w-64 max-w-[calc(100vw-3rem)] flex-col overflow-y-auto overscroll-contain bg-surface transition-transform duration-200 ease-out max-lg:shadow-float lg:border-r print:hidden',
          !isOpen && '-translate-x-full shadow-none!',
        )}
      >
        {hasOpened && <SidebarContents closeButton={closeButton} onClose={close} onNavigate={isDocked ? undefined : close} />}
      </aside>
    </>
  );
}

interface SidebarContentsProps {
  closeButton: RefObject<HTMLButtonElement | null>;
  onClose: () => void;
  onNavigate: (() => void) | undefined;
}

function SidebarContents({ closeButton, onClose, onNavigate }: SidebarContentsProps) {
  const menu = useMenu();
  return (
    <>
      <div className="sticky top-0 z-10 flex h-(--top-bar-height) shrink-0 items-center gap-2.5 bg-surface pr-2 pl-5">
        <img src="/icon.svg" alt="" width={26} height={26} />
        <span className="flex-1 text-lg font-semibold tracking-tight">{PRODUCT_NAME}</span>
        <IconButton ref={closeButton} label="Close sidebar" onClick={onClose}>
          <X aria-hidden="true" />
        </IconButton>
      </div>
      <nav aria-label="Main menu" className="flex-1 shrink-0 px-3 py-2">
        <ul className="space-y-0.5">
          {menu.map((entry) => (
            <li key={entry.id}>
              <MenuLink entry={entry} onNavigate={onNavigate} />
            </li>
          ))}
        </ul>
      </nav>
      <SidebarFooter onNavigate={onNavigate} />
    </>
  );
}

const ACTIVE_PROPS = { className: 'bg-accent-soft text-accent-ink', 'aria-current': 'page' } as const;

function MenuLink({ entry, onNavigate }: { entry: MenuEntry; onNavigate: (() => void) | undefined }) {
  const { to, label, icon: Icon } = entry;
  return (
    <Link
      to={to}
      activeOptions={{ exact: false, includeSearch: false }}
      activeProps={ACTIVE_PROPS}
      inactiveProps={useIsOnRelatedPage(entry) ? ACTIVE_PROPS : { className: INACTIVE_CLASS }}
      className={ENTRY_CLASS}
      onClick={onNavigate}
    >
      <Icon aria-hidden="true" />
      {label}
    </Link>
  );
}

function SidebarFooter({ onNavigate }: { onNavigate: (() => void) | undefined }) {
  const { user, profile } = useMe();
  const [isSigningOut, setSigningOut] = useState(false);
  const handleSignOut = async () => {
    setSigningOut(true);
    await signOutAllTabs();
    setSigningOut(false);
  };
  return (
    <div className="border-t p-3 pb-[max(0.75rem,env(safe-area-inset-bottom))]">
      <Link
        // A user without a company can open only the Admin page, not the settings.
        to={profile ? '/settings' : '/admin'}
        search={{ tab: 'profile' }}
        title="Your profile"
        onClick={onNavigate}
        className="mb-1 flex items-center gap-3 rounded-control px-2 py-1.5 hover:bg-sunken"
      >
        <Avatar name={user.name || user.email} src={user.avatar_url} color={user.hex_code} />
        <span className="min-w-0">
          <span className="block truncate text-base font-medium">{user.name || user.email}</span>
          <span className="block truncate text-xs text-ink-3 capitalize">{profile?.role}</span>
        </span>
      </Link>
      <ThemeSwitch />
      <button
        type="button"
        className={classNames(ENTRY_CLASS, INACTIVE_CLASS)}
        aria-disabled={isSigningOut}
        onClick={() => void (isSigningOut || handleSignOut())}
      >
        {isSigningOut ? <Spinner className="size-4.5" /> : <LogOut aria-hidden="true" />}
        Sign Out
      </button>
    </div>
  );
}

const THEME_OPTIONS: readonly { choice: ThemeChoice; label: string; icon: LucideIcon }[] = [
  { choice: 'system', label: 'System', icon: Monitor },
  { choice: 'light', label: 'Light', icon: Sun },
  { choice: 'dark', label: 'Dark', icon: Moon },
];

const THEME_OPTION_CLASS =
  'flex h-11 flex-1 items-center justify-center gap-1.5 rounded-control text-xs font-medium text-ink-2 hover:text-ink lg:h-8 [&_svg]:size-4 ' +
  'has-checked:bg-accent-soft has-checked:text-accent-ink has-checked:ring-1 has-checked:ring-accent has-checked:ring-inset has-focus-visible:outline-2 has-focus-visible:outline-accent';

function ThemeSwitch() {
  const { choice, setChoice } = useTheme();
  return (
    <fieldset className="mb-2 flex flex-wrap gap-0.5 rounded-control bg-sunken p-0.5">
      <legend className="sr-only">Theme</legend>
      {THEME_OPTIONS.map(({ choice: theme, label, icon: Icon }) => (
        <label key={theme} className={THEME_OPTION_CLASS}>
          <input type="radio" name="theme" className="sr-only" checked={theme === choice} onChange={() => setChoice(theme)} />
          <Icon aria-hidden="true" />
          {label}
        </label>
      ))}
    </fieldset>
  );
}
