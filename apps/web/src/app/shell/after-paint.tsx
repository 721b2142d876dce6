import { useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useCallback, useEffect, useState } from 'react';
import { connectLive } from '../../lib/live.ts';
import { OfflineBanner } from './offline-banner.tsx';
import { useShortcuts } from './use-shortcuts.ts';

const Palette = lazy(() => import('../palette/palette.tsx').then((file) => ({ default: file.Palette })));
const KeyboardHelp = lazy(() => import('./keyboard-help.tsx').then((file) => ({ default: file.KeyboardHelp })));

interface AfterPaintProps {
  paletteOpen: boolean;
  onPalette: (open: boolean) => void;
}

/** What the shell does besides showing pages; loaded after them, because nobody waits for it. */
export function AfterPaint({ paletteOpen, onPalette }: AfterPaintProps) {
  const queryClient = useQueryClient();
  useEffect(() => connectLive(queryClient), [queryClient]);

  const [paletteWanted, setPaletteWanted] = useState(paletteOpen);
  if (paletteOpen && !paletteWanted) setPaletteWanted(true);
  const [help, setHelp] = useState<'never' | 'open' | 'closed'>('never');
  const openPalette = useCallback(() => onPalette(true), [onPalette]);
  const openHelp = useCallback(() => setHelp('open'), []);
  useShortcuts({ openPalette, openHelp });

  return (
    <>
      <OfflineBanner />
      <Suspense fallback={null}>
        {paletteWanted && <Palette open={paletteOpen} onOpenChange={onPalette} />}
        {help !== 'never' && <KeyboardHelp open={help === 'open'} onOpenChange={(open) => setHelp(open ? 'open' : 'closed')} />}
      </Suspense>
    </>
  );
}
