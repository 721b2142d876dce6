import { formatDateTime } from '@callout/domain/time/date-format';
import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useState } from 'react';
import { useActiveTimer } from '../../features/timer/timer.api.ts';
import { connectLive } from '../../lib/live.ts';
import { useShownTimeZone } from '../../lib/time-zone.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { useLazyModule } from '../../ui/use-lazy-module.ts';
import { useConnected, useOfflineState } from '../offline/offline-state.ts';
import { useShortcuts } from './shortcuts.tsx';

interface ShellOverlaysProps {
  hasRendered: boolean;
  paletteOpen: boolean;
  onPalette: (open: boolean) => void;
}

/** Live updates, keyboard shortcuts, the banners about the connection and a new version, and the palette. */
export function ShellOverlays({ hasRendered, paletteOpen, onPalette }: ShellOverlaysProps) {
  const queryClient = useQueryClient();
  useEffect(() => connectLive(queryClient, () => useOfflineState.getState().onLost?.()), [queryClient]);

  const [helpOpen, setHelpOpen] = useState(false);
  const openPalette = useCallback(() => onPalette(true), [onPalette]);
  const openHelp = useCallback(() => setHelpOpen(true), []);
  useShortcuts({ openPalette, openHelp, paused: paletteOpen || helpOpen });

  const palette = useLazyModule(
    () => import('../palette/palette.tsx'),
    paletteOpen,
    () => onPalette(false),
  );
  const help = useLazyModule(
    () => import('./keyboard-help.tsx'),
    helpOpen,
    () => setHelpOpen(false),
  );
  return (
    <>
      {hasRendered && <Timer />}
      <OfflineBanner />
      <NewVersionBanner />
      {palette && <palette.Palette open={paletteOpen} onOpenChange={onPalette} />}
      {help && <help.KeyboardHelp open={helpOpen} onOpenChange={setHelpOpen} />}
    </>
  );
}

/** Its card or bar, and its question; loaded with the first timer. */
function Timer() {
  const timer = useActiveTimer();
  const overlays = useLazyModule(() => import('../../features/timer/timer-overlays.tsx'), timer !== null);
  return overlays ? <overlays.TimerOverlays timer={timer} /> : null;
}

/** It belongs to the header: what is stuck below that, and pages that fill the window, leave room for it. */
function makeRoom(banner: HTMLElement | null) {
  if (!banner) return undefined;
  const { style } = document.documentElement;
  const observer = new ResizeObserver(() => style.setProperty('--banner-height', `${banner.offsetHeight}px`));
  observer.observe(banner);
  return () => {
    observer.disconnect();
    style.removeProperty('--banner-height');
  };
}

function OfflineBanner() {
  const readAt = useOfflineState((state) => state.readAt);
  const zone = useShownTimeZone();
  if (useConnected()) return null;
  return (
    <Banner ref={makeRoom} tone="warn" className="sticky top-[calc(var(--header-height)-var(--banner-height))] z-20 rounded-none">
      You're offline. You can keep viewing what's loaded; saving works again once you're back online.
      {readAt !== undefined && ` Last updated ${formatDateTime(new Date(readAt).toISOString(), zone)}.`}
    </Banner>
  );
}

/** In its own place: a message that lasts would cover what stands below it. */
function NewVersionBanner() {
  const open = useOfflineState(({ openNewVersion }) => openNewVersion);
  if (!open) return null;
  return (
    <Banner className="rounded-none" actions={<Button onClick={open}>Reload</Button>}>
      A new version is ready.
    </Banner>
  );
}
