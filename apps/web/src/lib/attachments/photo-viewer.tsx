import { Dialog } from '@base-ui/react/dialog';
import { fileSizeText } from '@callout/domain/files/file-size';
import { formatDateTime } from '@callout/domain/time/date-format';
import { ChevronLeft, ChevronRight, Download, Maximize, RotateCw, X, ZoomIn } from 'lucide-react';
import { type KeyboardEvent, type PointerEvent, useEffect, useRef, useState } from 'react';
import { Button, IconButton, Spinner } from '../../ui/button.tsx';
import { iconButtonStyle } from '../../ui/button-style.ts';
import { classes } from '../../ui/classes.ts';
import { useBackCloses } from '../../ui/use-back-closes.ts';
import { useReturnFocus } from '../../ui/use-return-focus.ts';
import { companyTimeZone } from '../time-zone.ts';
import type { Photo } from './photos.tsx';

interface PhotoViewerProps {
  photos: readonly Photo[];
  shownId: string | null;
  onShow: (id: string | null) => void;
}

/** Always dark, in both color schemes: photographs are judged against black. */
const ON_DARK = 'text-white/85 hover:bg-white/15 hover:text-white focus-visible:outline-white';

/** All pictures in full size, one at a time: by swipe, arrow keys or buttons. */
export function PhotoViewer({ photos, shownId, onShow }: PhotoViewerProps) {
  const index = photos.findIndex(({ id }) => id === shownId);
  const open = index >= 0;
  const close = () => onShow(null);
  const returnFocus = useReturnFocus(open);
  useBackCloses(open, close);
  const [previous, photo, next] = [photos[index - 1], photos[index], photos[index + 1]];
  useEffect(() => {
    for (const neighbor of [next, previous]) if (neighbor) new Image().src = neighbor.url;
  }, [next, previous]);
  const step = (to: Photo | undefined) => to && onShow(to.id);
  const onKeyDown = ({ key }: KeyboardEvent) => {
    if (key === 'ArrowLeft') step(previous);
    if (key === 'ArrowRight') step(next);
    if (key === 'Home') step(photos[0]);
    if (key === 'End') step(photos.at(-1));
  };
  return (
    <Dialog.Root open={open} onOpenChange={(isOpen) => !isOpen && close()}>
      <Dialog.Portal>
        <Dialog.Popup
          data-modal=""
          finalFocus={returnFocus}
          onKeyDown={onKeyDown}
          className="fixed inset-0 z-60 flex flex-col bg-black pt-[env(safe-area-inset-top)] pb-[env(safe-area-inset-bottom)] text-white transition-opacity duration-160 data-ending-style:opacity-0 data-starting-style:opacity-0"
        >
          {photo && (
            <>
              <div className="flex items-center gap-1 px-2 py-1.5 lg:px-4">
                <div className="min-w-0 flex-1 px-2">
                  <Dialog.Title className="truncate text-base font-medium">{photo.file_name}</Dialog.Title>
                  <Dialog.Description className="line-clamp-2 text-sm text-white/75 tabular-nums">
                    {photo.author}
                    {photo.created_at && ` · ${formatDateTime(photo.created_at, companyTimeZone())}`}
                    <span className="max-md:hidden"> · {fileSizeText(photo.file_size)}</span>
                  </Dialog.Description>
                </div>
                <span className="px-1 text-sm text-white/75 tabular-nums" aria-live="polite">
                  <span className="sr-only">Photo </span>
                  {index + 1} / {photos.length}
                </span>
                <a href={photo.url} download={photo.file_name} title="Download" className={classes(iconButtonStyle(), ON_DARK)}>
                  <Download aria-label="Download" />
                </a>
                <Dialog.Close
                  render={
                    <IconButton label="Close" className={ON_DARK}>
                      <X aria-hidden="true" />
                    </IconButton>
                  }
                />
              </div>
              <div className="relative min-h-0 flex-1">
                <FullSizePhoto key={photo.id} photo={photo} onSwipe={(direction) => step(direction === 'left' ? next : previous)} />
                <StepButton label="Previous photo" side="left" disabled={!previous} onClick={() => step(previous)} />
                <StepButton label="Next photo" side="right" disabled={!next} onClick={() => step(next)} />
              </div>
            </>
          )}
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

interface StepButtonProps {
  label: string;
  side: 'left' | 'right';
  disabled: boolean;
  onClick: () => void;
}

/** At the first and last picture it stays where it is, so that the focus does too. */
function StepButton({ label, side, disabled, onClick }: StepButtonProps) {
  const Icon = side === 'left' ? ChevronLeft : ChevronRight;
  return (
    <IconButton
      label={label}
      aria-disabled={disabled || undefined}
      onClick={onClick}
      className={classes(
        'absolute top-1/2 -translate-y-1/2 rounded-full bg-black/55 aria-disabled:opacity-0 max-md:top-auto max-md:bottom-3 max-md:translate-y-0',
        side === 'left' ? 'left-3' : 'right-3',
        ON_DARK,
      )}
    >
      <Icon aria-hidden="true" />
    </IconButton>
  );
}

const SWIPE_PX = 48;

/** Fits the window; zoomed, it has its real size and is scrolled. Until it is there, its thumbnail stands in. */
function FullSizePhoto({ photo, onSwipe }: { photo: Photo; onSwipe: (direction: 'left' | 'right') => void }) {
  const [status, setStatus] = useState<'loading' | 'loaded' | 'failed'>('loading');
  const [attempt, setAttempt] = useState(0);
  const [isZoomed, setZoomed] = useState(false);
  const start = useRef<{ x: number; y: number } | null>(null);
  const retry = () => {
    setStatus('loading');
    setAttempt((count) => count + 1);
  };
  const swipe = {
    onPointerDown: ({ clientX, clientY, isPrimary }: PointerEvent) => {
      start.current = isPrimary && !isZoomed ? { x: clientX, y: clientY } : null;
    },
    onPointerUp: ({ clientX, clientY }: PointerEvent) => {
      if (!start.current) return;
      const [right, down] = [clientX - start.current.x, clientY - start.current.y];
      start.current = null;
      if (Math.abs(right) >= SWIPE_PX && Math.abs(right) > Math.abs(down)) onSwipe(right < 0 ? 'left' : 'right');
    },
    onPointerCancel: () => {
      start.current = null;
    },
  };
  return (
    <div
      {...swipe}
      data-photo={status}
      className={classes(
        'flex size-full',
        isZoomed ? 'overflow-auto' : 'touch-pan-y touch-pinch-zoom items-center justify-center select-none',
      )}
    >
      {status !== 'failed' && (
        <img
          key={attempt}
          src={photo.url}
          alt={photo.file_name}
          draggable={false}
          onLoad={() => setStatus('loaded')}
          onError={() => setStatus('failed')}
          className={classes(isZoomed ? 'm-auto max-w-none' : 'max-h-full max-w-full object-contain', status === 'loading' && 'opacity-0')}
        />
      )}
      {status === 'loading' && (
        <span role="status" className="absolute inset-0 flex items-center justify-center">
          {photo.thumbnail_url && <img src={photo.thumbnail_url} alt="" className="absolute inset-0 m-auto h-3/4 opacity-40 blur-sm" />}
          <Spinner className="relative size-8" />
          <span className="sr-only">Loading...</span>
        </span>
      )}
      {status === 'failed' && (
        <div role="alert" className="flex flex-col items-center gap-4 px-6 text-center">
          <p className="text-lg font-medium">Couldn't load this photo. Check your connection and try again.</p>
          <Button onClick={retry}>
            <RotateCw aria-hidden="true" />
            Retry
          </Button>
        </div>
      )}
      {status === 'loaded' && (
        <IconButton
          label={isZoomed ? 'Zoom to fit' : 'Zoom in'}
          onClick={() => setZoomed(!isZoomed)}
          className={classes('absolute bottom-3 left-1/2 -translate-x-1/2 rounded-full bg-black/55', ON_DARK)}
        >
          {isZoomed ? <Maximize aria-hidden="true" /> : <ZoomIn aria-hidden="true" />}
        </IconButton>
      )}
    </div>
  );
}
