import { ImageUp, Trash2 } from 'lucide-react';
import { type DragEvent, type ReactNode, useId, useRef, useState } from 'react';
import { Button } from './button.tsx';
import { classNames } from './class-names.ts';
import { FieldError } from './field.tsx';
import { FileButton } from './file-button.tsx';

interface ImagePickerProps {
  /** Name of the image, e.g. 'Logo'. */
  label: string;
  src: string | null;
  placeholder: ReactNode;
  /** File types offered in the file dialog, e.g. '.png,.jpg'. */
  accept: string;
  hint: string;
  error?: string | undefined;
  /** True while an image is being uploaded or removed. */
  busy: boolean;
  onPick: (file: File) => void;
  onRemove: () => void;
}

/** Uploads, replaces or removes one image. Always displays the stored image, never an unsaved one. */
export function ImagePicker({ label, src, placeholder, accept, hint, error, busy, onPick, onRemove }: ImagePickerProps) {
  const id = useId();
  const [isDragOver, setDragOver] = useState(false);
  const pickButton = useRef<HTMLButtonElement>(null);
  const remove = () => {
    // The Remove button disappears with the image, so move the focus to the pick button first.
    pickButton.current?.focus();
    onRemove();
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setDragOver(false);
    const file = event.dataTransfer.files[0];
    if (file && !busy) onPick(file);
  };
  return (
    // Drag and drop is only a shortcut; the button is the accessible alternative.
    <div
      onDragOver={(event) => {
        event.preventDefault();
        setDragOver(true);
      }}
      onDragLeave={() => setDragOver(false)}
      onDrop={drop}
      className={classNames('flex flex-wrap items-center gap-4 rounded-control', isDragOver && 'outline-2 outline-offset-8 outline-accent')}
    >
      <span
        className={classNames(
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
