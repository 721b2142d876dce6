import { ImageUp, Trash2 } from 'lucide-react';
import { type DragEvent, type ReactNode, useId, useRef, useState } from 'react';
import { Button } from './button.tsx';
import { classes } from './classes.ts';
import { FieldError } from './field.tsx';
import { FileButton } from './file-button.tsx';

interface ImagePickerProps {
  /** Names the image: 'Logo'. */
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
  onPick: (file: File) => void;
  onRemove: () => void;
}

/** One image: chosen, dropped or taken away; the one that counts is always the one shown. */
export function ImagePicker({ label, src, placeholder, accept, hint, error, busy, onPick, onRemove }: ImagePickerProps) {
  const id = useId();
  const [over, setOver] = useState(false);
  const pickButton = useRef<HTMLButtonElement>(null);
  const remove = () => {
    // Remove disappears with the image, and the focus must not.
    pickButton.current?.focus();
    onRemove();
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    const file = event.dataTransfer.files[0];
    if (file && !busy) onPick(file);
  };
  return (
    // Dropping is a shortcut beside the button, which everybody can reach.
    <div
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
      className={classes('flex flex-wrap items-center gap-4 rounded-control', over && 'outline-2 outline-offset-8 outline-accent')}
    >
      <span
        className={classes(
          'flex h-20 w-20 shrink-0 items-center justify-center overflow-clip sm:w-40 rounded-control bg-sunken text-ink-3 ring-1 ring-line ring-inset [&_svg]:size-7',
          busy && 'animate-pulse',
        )}
      >
        {src === null ? placeholder : <img src={src} alt={label} className="size-full object-contain p-1" />}
      </span>
      <div className="min-w-0 flex-1 basis-40">
        <div className="flex flex-wrap gap-2">
          <FileButton
            ref={pickButton}
            accept={accept}
            onFile={onPick}
            busy={busy}
            aria-describedby={error === undefined ? `${id}-hint` : `${id}-hint ${id}-error`}
          >
            {!busy && <ImageUp aria-hidden="true" />}
            {`${src === null ? 'Upload' : 'Change'} ${label.toLowerCase()}`}
          </FileButton>
          {src !== null && (
            <Button tone="quiet" disabled={busy} onClick={remove}>
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
