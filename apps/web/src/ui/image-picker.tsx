import { ImageUp, Trash2 } from 'lucide-react';
import { type DragEvent, type ReactNode, useId, useRef, useState } from 'react';
import { Button } from './button.tsx';
import { classes } from './classes.ts';
import { FieldError } from './field.tsx';

interface ImagePickerProps {
  /** Names the control: 'Logo'. */
  label: string;
  /** The image that counts now. */
  src: string | null;
  /** What shows while there is none. */
  placeholder: ReactNode;
  /** For the file dialog: '.png,.jpg'. */
  accept: string;
  hint: string;
  error?: string | undefined;
  /** Being sent or removed. */
  busy: boolean;
  round?: boolean;
  onPick: (file: File) => void;
  onRemove: () => void;
}

/** One image: chosen, dropped or taken away; the one that counts is always the one shown. */
export function ImagePicker({ label, src, placeholder, accept, hint, error, busy, round = false, onPick, onRemove }: ImagePickerProps) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const [over, setOver] = useState(false);
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    const file = event.dataTransfer.files[0];
    if (file && !busy) onPick(file);
  };
  return (
    // Dropping is a shortcut beside the button, which everybody can reach.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <div
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
      className={classes('flex items-center gap-4 rounded-control', over && 'outline-2 outline-offset-8 outline-accent')}
    >
      <span
        className={classes(
          'flex size-20 shrink-0 items-center justify-center overflow-clip bg-sunken text-ink-3 ring-1 ring-line ring-inset [&_svg]:size-7',
          round ? 'rounded-full' : 'rounded-control',
          busy && 'animate-pulse',
        )}
      >
        {src === null ? (
          placeholder
        ) : (
          <img src={src} alt={label} className={classes('size-full', round ? 'object-cover' : 'object-contain')} />
        )}
      </span>
      <div className="min-w-0">
        <input
          ref={input}
          id={id}
          type="file"
          accept={accept}
          aria-label={label}
          aria-describedby={error === undefined ? `${id}-hint` : `${id}-hint ${id}-error`}
          aria-invalid={error !== undefined || undefined}
          tabIndex={-1}
          className="sr-only"
          onChange={(event) => {
            const file = event.target.files?.[0];
            // The same file chosen again after a failure must count as chosen.
            event.target.value = '';
            if (file) onPick(file);
          }}
        />
        <div className="flex flex-wrap gap-2">
          <Button busy={busy} aria-describedby={`${id}-hint`} onClick={() => input.current?.click()}>
            {!busy && <ImageUp aria-hidden="true" />}
            {src === null ? `Upload ${label.toLowerCase()}` : `Change ${label.toLowerCase()}`}
          </Button>
          {src !== null && (
            <Button tone="quiet" disabled={busy} onClick={onRemove}>
              <Trash2 aria-hidden="true" />
              Remove
            </Button>
          )}
        </div>
        <p id={`${id}-hint`} className="mt-1.5 text-sm text-ink-3">
          {hint}
        </p>
        <FieldError id={id} error={error} />
      </div>
    </div>
  );
}
