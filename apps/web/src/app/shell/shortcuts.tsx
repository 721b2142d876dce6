import { useRouter } from '@tanstack/react-router';
import { type ReactNode, useEffect } from 'react';
import { create } from 'zustand';
import { persist } from 'zustand/middleware';
import { createBrowserStorage } from '../../lib/browser-storage.ts';
import { findPageShortcut } from '../../ui/page-shortcuts.ts';
import { useMenu } from '../menu.ts';

const isApplePlatform = /mac|iphone|ipad/i.test(navigator.platform);

export const MODIFIER_KEY = isApplePlatform ? '⌘' : 'Ctrl';

/** Time allowed between the two keys of a sequence such as G, C. */
const SECOND_KEY_TIMEOUT_MS = 1_500;

interface ShortcutSettings {
  /** False if the user has turned single-key shortcuts off, for example because speech or switch input triggers them by accident. */
  singleKeys: boolean;
  setSingleKeys: (singleKeys: boolean) => void;
}

/** Settings of this device, which persist after sign-out. */
export const useShortcutSettings = create<ShortcutSettings>()(
  persist((set) => ({ singleKeys: true, setSingleKeys: (singleKeys) => set({ singleKeys }) }), {
    name: 'callout-shortcuts',
    version: 1,
    storage: createBrowserStorage(),
    partialize: ({ singleKeys }) => ({ singleKeys }),
  }),
);

interface ShortcutActions {
  openPalette: () => void;
  openHelp: () => void;
  /** True while a dialog is open or opening. Text typed before the dialog's field has focus must not run commands. */
  isPaused: boolean;
}

/** Handles Ctrl/Cmd+K and Ctrl/Cmd+/. Unless turned off, also handles /, N, ?, the page's own keys, and G followed by a menu key. */
export function useShortcuts({ openPalette, openHelp, isPaused }: ShortcutActions): void {
  const router = useRouter();
  const menu = useMenu();
  const singleKeys = useShortcutSettings((settings) => settings.singleKeys);
  useEffect(() => {
    if (isPaused) return undefined;
    let goSequenceExpiresAt = 0;
    const navigateTo = (to: string) => void router.navigate({ to });

    const modifierCommands: Record<string, () => void> = { k: openPalette, '/': openHelp };
    const singleKeyCommands: Record<string, () => void> = {
      '/': () => tryFocusSearch() || openPalette(),
      '?': openHelp,
      n: () => {
        const page = findNewRecordPath(router.state.location.pathname);
        if (page) router.history.push(page);
        else openPalette();
      },
      g: () => {
        goSequenceExpiresAt = Date.now() + SECOND_KEY_TIMEOUT_MS;
      },
    };

    const findCommand = (event: KeyboardEvent) => {
      const key = event.key.toLowerCase();
      if (event.ctrlKey || event.metaKey) return event.altKey ? undefined : modifierCommands[key];
      if (!singleKeys || isHandledByTarget(event)) return undefined;
      const entry = Date.now() < goSequenceExpiresAt ? menu.find((candidate) => candidate.shortcutKey === key) : undefined;
      goSequenceExpiresAt = 0;
      if (entry) return () => navigateTo(entry.to);
      return singleKeyCommands[key] ?? (event.shiftKey || usesArrowKeys(event) ? undefined : findPageShortcut(key));
    };
    const handleKey = (event: KeyboardEvent) => {
      const run = findCommand(event);
      if (!run) return;
      event.preventDefault();
      run();
    };
    window.addEventListener('keydown', handleKey);
    return () => window.removeEventListener('keydown', handleKey);
  }, [router, menu, singleKeys, openPalette, openHelp, isPaused]);
}

function tryFocusSearch(): boolean {
  const fields = [...document.querySelectorAll<HTMLInputElement>('[data-search]')];
  const visibleField = fields.find((field) => field.checkVisibility({ visibilityProperty: true }) && !field.closest('[inert]'));
  visibleField?.focus();
  visibleField?.select();
  return visibleField !== undefined;
}

/** The page that N opens, by current path. On any path that isn't listed, N opens the palette. */
const NEW_RECORD_PATHS: readonly (readonly [RegExp, string])[] = [
  [/^\/customers/, '/customers/new'],
  [/^\/quotes/, '/quotes/new'],
  [/^\/(jobs|board|calendar)/, '/jobs/new'],
  [/^\/items-services/, '/items-services/suppliers/new'],
  [/^\/staff/, '/staff/new'],
  [/^\/todo/, '/todo?add=true'],
];

function findNewRecordPath(pathname: string): string | undefined {
  return NEW_RECORD_PATHS.find(([pattern]) => pattern.test(pathname))?.[1];
}

/** Returns true if the key belongs to a text field, dialog or menu rather than to a shortcut. */
function isHandledByTarget(event: KeyboardEvent): boolean {
  if (event.defaultPrevented || event.altKey || event.isComposing) return true;
  const target = event.target instanceof Element ? event.target : null;
  return Boolean(target?.closest('input, textarea, select, [contenteditable], [role=dialog], [role=alertdialog], [role=menu]'));
}

/** Returns true if the focused element scrolls sideways or claims the arrow keys with `data-keeps-arrows`. */
function usesArrowKeys({ key, target }: KeyboardEvent): boolean {
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
