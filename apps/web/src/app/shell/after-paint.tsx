import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useState } from 'react';
import { connectLive } from '../../lib/live.ts';
import { useLazily } from '../../ui/use-lazily.ts';
import { OfflineBanner } from './offline-banner.tsx';
import { useShortcuts } from './use-shortcuts.ts';

interface AfterPaintProps {
  paletteOpen: boolean;
  onPalette: (open: boolean) => void;
}

/** What the shell does besides showing pages; loaded after them, because nobody waits for it. */
export function AfterPaint({ paletteOpen, onPalette }: AfterPaintProps) {
  const queryClient = useQueryClient();
  useEffect(() => connectLive(queryClient), [queryClient]);

  const [helpOpen, setHelpOpen] = useState(false);
  const openPalette = useCallback(() => onPalette(true), [onPalette]);
  const openHelp = useCallback(() => setHelpOpen(true), []);
  useShortcuts({ openPalette, openHelp, paused: paletteOpen || helpOpen });

  const palette = useLazily(
    () => import('../palette/palette.tsx'),
    paletteOpen,
    () => onPalette(false),
  );
  const help = useLazily(
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
