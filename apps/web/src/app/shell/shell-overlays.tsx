import { PRODUCT_NAME } from '@callout/domain/product/product';
import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useState } from 'react';
import { useMe } from '../../features/company/company.api.ts';
import { useActiveTimer } from '../../features/timer/timer.api.ts';
import { connectLiveUpdates } from '../../lib/live-updates.ts';
import { useOfflineState } from '../../lib/offline-state.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { useLazyModule } from '../../ui/use-lazy-module.ts';
import { startOutbox } from '../unsent/start-outbox.ts';
import { useShortcuts } from './shortcuts.tsx';

interface ShellOverlaysProps {
  hasRendered: boolean;
  isPaletteOpen: boolean;
  onPaletteOpenChange: (open: boolean) => void;
}

/** Connects live updates and keyboard shortcuts, and renders the banners and dialogs that every page shares. */
export function ShellOverlays({ hasRendered, isPaletteOpen, onPaletteOpenChange }: ShellOverlaysProps) {
  const queryClient = useQueryClient();
  const { user, profile } = useMe();
  const [person, staffId, company] = [user.id, user.staff_id, profile?.company_id];
  useEffect(
    () => (company === undefined ? undefined : startOutbox(queryClient, { person, company }, staffId)),
    [queryClient, person, staffId, company],
  );
  useEffect(() => connectLiveUpdates(queryClient, () => useOfflineState.getState().onLiveConnectionLost?.()), [queryClient]);

  const [isHelpOpen, setHelpOpen] = useState(false);
  const openPalette = useCallback(() => onPaletteOpenChange(true), [onPaletteOpenChange]);
  const openHelp = useCallback(() => setHelpOpen(true), []);
  useShortcuts({ openPalette, openHelp, isPaused: isPaletteOpen || isHelpOpen });

  const palette = useLazyModule(
    () => import('../palette/command-palette.tsx'),
    isPaletteOpen,
    () => onPaletteOpenChange(false),
  );
  const help = useLazyModule(
    () => import('./keyboard-help.tsx'),
    isHelpOpen,
    () => setHelpOpen(false),
  );
  return (
    <>
      {hasRendered && <TimerOverlay />}
      <NewVersionBanner />
      <InstallHint />
      {palette && <palette.CommandPalette open={isPaletteOpen} onOpenChange={onPaletteOpenChange} />}
      {help && <help.KeyboardHelp open={isHelpOpen} onOpenChange={setHelpOpen} />}
    </>
  );
}

/** Loads the timer's code when the first timer starts. */
function TimerOverlay() {
  const timer = useActiveTimer();
  const overlays = useLazyModule(() => import('../../features/timer/timer-overlays.tsx'), timer !== null);
  return overlays ? <overlays.TimerOverlays timer={timer} /> : null;
}

/** Shows a banner rather than a toast, which would cover part of the page until dismissed. */
function NewVersionBanner() {
  const openNewVersion = useOfflineState((state) => state.openNewVersion);
  if (!openNewVersion) return null;
  return (
    <Banner className="rounded-none" actions={<Button onClick={openNewVersion}>Reload</Button>}>
      A new version is ready.
    </Banner>
  );
}

/** Shown on iPhones, where only installed apps keep what they have stored. */
function InstallHint() {
  const dismiss = useOfflineState((state) => state.dismissInstallHint);
  if (!dismiss) return null;
  return (
    <Banner className="rounded-none" actions={<Button onClick={dismiss}>Dismiss</Button>}>
      {`To work without a connection, add ${PRODUCT_NAME} to your Home Screen. Otherwise, Safari deletes stored data after seven days without a visit.`}
    </Banner>
  );
}
