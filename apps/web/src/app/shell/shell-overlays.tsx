import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useState } from 'react';
import { connectLive } from '../../lib/live.ts';
import { useLazyModule } from '../../ui/use-lazy-module.ts';
import { OfflineBanner } from './offline-banner.tsx';
import { useShortcuts } from './use-shortcuts.ts';

interface ShellOverlaysProps {
  paletteOpen: boolean;
  onPalette: (open: boolean) => void;
}

/** What the shell does besides showing pages: live updates, keyboard shortcuts, the offline banner and the palette. */
export function ShellOverlays({ paletteOpen, onPalette }: ShellOverlaysProps) {
  const queryClient = useQueryClient();
  useEffect(() => connectLive(queryClient), [queryClient]);

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
      <OfflineBanner />
      {palette && <palette.Palette open={paletteOpen} onOpenChange={onPalette} />}
      {help && <help.KeyboardHelp open={helpOpen} onOpenChange={setHelpOpen} />}
    </>
  );
}
