import { useRouter } from '@tanstack/react-router';
import { type ReactNode, useEffect } from 'react';
import { create } from 'zustand';
import { persist } from 'zustand/middleware';
import { browserStorage } from '../../lib/browser-storage.ts';
import { pageKey } from '../../ui/page-keys.ts';
import { useMenu } from '../menu.ts';

const isApple = /mac|iphone|ipad/i.test(navigator.platform);

/** The label of the modifier key on this keyboard. */
export const MOD_KEY = isApple ? '⌘' : 'Ctrl';

/** Time to press the second key of 'G then C'. */
const SECOND_KEY_MS = 1_500;

interface ShortcutSettings {
  /** Off for people whose speech or switch input would trigger single keys by accident. */
  singleKeys: boolean;
  setSingleKeys: (singleKeys: boolean) => void;
}

/** Belongs to the device, so it outlives the session. */
export const useShortcutSettings = create<ShortcutSettings>()(
  persist((set) => ({ singleKeys: true, setSingleKeys: (singleKeys) => set({ singleKeys }) }), {
    name: 'callout-shortcuts',
    version: 1,
    storage: browserStorage(),
    partialize: ({ singleKeys }) => ({ singleKeys }),
  }),
);

interface ShortcutActions {
  openPalette: () => void;
  openHelp: () => void;
  /** A dialog is opening: text typed before its field has the focus must not run commands. */
  paused: boolean;
}

/** Ctrl or Cmd with K or /; and, unless turned off, the single keys /, N, ?, those of the page, and G followed by the key of a menu entry. */
export function useShortcuts({ openPalette, openHelp, paused }: ShortcutActions): void {
  const router = useRouter();
  const menu = useMenu();
  const singleKeys = useShortcutSettings((settings) => settings.singleKeys);
  useEffect(() => {
    if (paused) return undefined;
    let goUntil = 0;
    const go = (to: string) => void router.navigate({ to });

    const withModifier: Record<string, () => void> = { k: openPalette, '/': openHelp };
    const single: Record<string, () => void> = {
      '/': () => focusSearch() || openPalette(),
      '?': openHelp,
      n: () => {
        const page = newPageFor(router.state.location.pathname);
        if (page) router.history.push(page);
        else openPalette();
      },
      g: () => {
        goUntil = Date.now() + SECOND_KEY_MS;
      },
    };

    const findCommand = (event: KeyboardEvent) => {
      const key = event.key.toLowerCase();
      if (event.ctrlKey || event.metaKey) return event.altKey ? undefined : withModifier[key];
      if (!singleKeys || isTypedInto(event)) return undefined;
      const entry = Date.now() < goUntil ? menu.find((candidate) => candidate.key === key) : undefined;
      goUntil = 0;
      if (entry) return () => go(entry.to);
      return single[key] ?? (event.shiftKey || keepsArrows(event) ? undefined : pageKey(key));
    };
    const handleKey = (event: KeyboardEvent) => {
      const run = findCommand(event);
      if (!run) return;
      event.preventDefault();
      run();
    };
    window.addEventListener('keydown', handleKey);
    return () => window.removeEventListener('keydown', handleKey);
  }, [router, menu, singleKeys, openPalette, openHelp, paused]);
}

function focusSearch(): boolean {
  const fields = [...document.querySelectorAll<HTMLInputElement>('[data-search]')];
  const visible = fields.find((field) => field.checkVisibility({ visibilityProperty: true }) && !field.closest('[inert]'));
  visible?.focus();
  visible?.select();
  return visible !== undefined;
}

/** Which page N opens; on other pages it opens the palette. */
const NEW: readonly (readonly [RegExp, string])[] = [
  [/^\/customers/, '/customers/new'],
  [/^\/quotes/, '/quotes/new'],
  [/^\/(jobs|board|calendar)/, '/jobs/new'],
  [/^\/items-services/, '/items-services/suppliers/new'],
  [/^\/staff/, '/staff/new'],
  [/^\/todo/, '/todo?add=true'],
];

function newPageFor(pathname: string): string | undefined {
  return NEW.find(([pattern]) => pattern.test(pathname))?.[1];
}

/** Keys that somebody types into a field, or uses in an open dialog or menu, are no shortcuts. */
function isTypedInto(event: KeyboardEvent): boolean {
  if (event.defaultPrevented || event.altKey || event.isComposing) return true;
  const target = event.target instanceof Element ? event.target : null;
  return Boolean(target?.closest('input, textarea, select, [contenteditable], [role=dialog], [role=alertdialog], [role=menu]'));
}

/** A grid that is wider than the window and has the focus keeps the arrow keys, and so does what says that it does. */
function keepsArrows({ key, target }: KeyboardEvent): boolean {
  if (!key.startsWith('Arrow') || !(target instanceof Element) || target === document.body) return false;
  return target.scrollWidth > target.clientWidth || target.closest('[data-keeps-arrows]') !== null;
}

export function Kbd({ children }: { children: ReactNode }) {
  return (
    <kbd className="inline-flex h-5 min-w-5 items-center justify-center rounded border border-line bg-surface px-1.5 font-sans text-xs font-medium text-ink-3">
      {children}
    </kbd>
  );
}
