import { Dialog } from '@base-ui/react/dialog';
import { formatFileSize } from '@callout/domain/files/file-size';
import { ChevronLeft, ChevronRight, Download, Maximize, RotateCw, X, ZoomIn } from 'lucide-react';
import { type KeyboardEvent, type PointerEvent, useEffect, useRef, useState } from 'react';
import { Button, IconButton, Spinner } from '../../ui/button.tsx';
import { getIconButtonClasses } from '../../ui/button-classes.ts';
import { classNames } from '../../ui/class-names.ts';
import { useCloseOnBack } from '../../ui/use-close-on-back.ts';
import { useReturnFocus } from '../../ui/use-return-focus.ts';
import { useDisplayFormat } from '../time-zone.ts';
import type { Photo } from './lazy-photo-viewer.tsx';

interface PhotoViewerProps {
  photos: readonly Photo[];
  openPhotoId: string | null;
  onOpenPhoto: (id: string | null) => void;
}

/** The viewer is dark in both color schemes, because photos are easier to judge against black. */
const ON_DARK = 'text-white/85 hover:bg-white/15 hover:text-white focus-visible:outline-white';

/** Shows one photo at a time at full size. Swiping, arrow keys and buttons move between photos. */
export function PhotoViewer({ photos, openPhotoId, onOpenPhoto }: PhotoViewerProps) {
  const { formatDisplayDateTime } = useDisplayFormat();
  const index = photos.findIndex(({ id }) => id === openPhotoId);
  const open = index >= 0;
  const close = () => onOpenPhoto(null);
  const returnFocus = useReturnFocus(open);
  useCloseOnBack(open, close);
  const [previous, photo, next] = [photos[index - 1], photos[index], photos[index + 1]];
  useEffect(() => {
    for (const neighbor of [next, previous]) if (neighbor) new Image().src = neighbor.url;
  }, [next, previous]);
  const goTo = (target: Photo | undefined) => target && onOpenPhoto(target.id);
  const onKeyDown = ({ key }: KeyboardEvent) => {
    if (key === 'ArrowLeft') goTo(previous);
    if (key === 'ArrowRight') goTo(next);
    if (key === 'Home') goTo(photos[0]);
    if (key === 'End') goTo(photos.at(-1));
  };
  return (
    <Dialog.Root open={open} onOpenChange={(isOpen) => !isOpen && close()}>
      <Dialog.Portal>
        <Dialog.Popup
          data-modal=""
          data-photo-viewer=""
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
                    {photo.created_at && ` · ${formatDisplayDateTime(photo.created_at)}`}
                    <span className="max-md:hidden"> · {formatFileSize(photo.file_size)}</span>
                  </Dialog.Description>
                </div>
                <span className="px-1 text-sm text-white/75 tabular-nums" aria-live="polite">
                  <span className="sr-only">Photo </span>
                  {index + 1} / {photos.length}
                </span>
                <a
                  href={`${photo.url}?download`}
                  download={photo.file_name}
                  title="Download"
                  className={classNames(getIconButtonClasses(), ON_DARK)}
                >
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
                <FullSizePhoto key={photo.id} photo={photo} onSwipe={(direction) => goTo(direction === 'left' ? next : previous)} />
                <PhotoNavButton label="Previous photo" side="left" disabled={!previous} onClick={() => goTo(previous)} />
                <PhotoNavButton label="Next photo" side="right" disabled={!next} onClick={() => goTo(next)} />
              </div>
            </>
          )}
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

interface PhotoNavButtonProps {
  label: string;
  side: 'left' | 'right';
  disabled: boolean;
  onClick: () => void;
}

/** Previous or Next button. At the first or last photo, the button is disabled rather than removed, so that it keeps the focus. */
function PhotoNavButton({ label, side, disabled, onClick }: PhotoNavButtonProps) {
  const Icon = side === 'left' ? ChevronLeft : ChevronRight;
  return (
    <IconButton
      label={label}
      aria-disabled={disabled || undefined}
      onClick={onClick}
      className={classNames(
        'absolute top-1/2 -translate-y-1/2 rounded-full bg-black/55 aria-disabled:opacity-0 max-md:top-auto max-md:bottom-3 max-md:translate-y-0',
        side === 'left' ? 'left-3' : 'right-3',
        ON_DARK,
      )}
    >
      <Icon aria-hidden="true" />
    </IconButton>
  );
}

const MIN_SWIPE_PX = 48;

/** Fits the photo to the window, or shows it at actual size with scrolling when zoomed. Shows the thumbnail until the photo loads. */
function FullSizePhoto({ photo, onSwipe }: { photo: Photo; onSwipe: (direction: 'left' | 'right') => void }) {
  const [status, setStatus] = useState<'loading' | 'loaded' | 'failed'>('loading');
  const [attempt, setAttempt] = useState(0);
  const [isZoomed, setZoomed] = useState(false);
  const swipeStart = useRef<{ x: number; y: number } | null>(null);
  const retry = () => {
    setStatus('loading');
    setAttempt((count) => count + 1);
  };
  const swipeHandlers = {
    onPointerDown: ({ clientX, clientY, isPrimary }: PointerEvent) => {
      swipeStart.current = isPrimary && !isZoomed ? { x: clientX, y: clientY } : null;
    },
    onPointerUp: ({ clientX, clientY }: PointerEvent) => {
      if (!swipeStart.current) return;
      const [right, down] = [clientX - swipeStart.current.x, clientY - swipeStart.current.y];
      swipeStart.current = null;
      if (Math.abs(right) >= MIN_SWIPE_PX && Math.abs(right) > Math.abs(down)) onSwipe(right < 0 ? 'left' : 'right');
    },
    onPointerCancel: () => {
      swipeStart.current = null;
    },
  };
  return (
    <div
      {...swipeHandlers}
      data-photo={status}
      className={classNames(
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
          className={classNames(
            isZoomed ? 'm-auto max-w-none' : 'max-h-full max-w-full object-contain',
            status === 'loading' && 'opacity-0',
          )}
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
          className={classNames('absolute bottom-3 left-1/2 -translate-x-1/2 rounded-full bg-black/55', ON_DARK)}
        >
          {isZoomed ? <Maximize aria-hidden="true" /> : <ZoomIn aria-hidden="true" />}
        </IconButton>
      )}
    </div>
  );
}
