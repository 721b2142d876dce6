import { type ComponentProps, useRef } from 'react';
import { Button } from './button.tsx';

interface FileButtonProps extends Omit<ComponentProps<typeof Button>, 'onClick' | 'type'> {
  /** Value of the input's accept attribute, e.g. '.png,.jpg'. */
  accept: string;
  onFile: (file: File) => void;
}

export function FileButton({ accept, onFile, ...button }: FileButtonProps) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <FileInput ref={input} accept={accept} onFiles={([file]) => file && onFile(file)} />
      <Button {...button} onClick={() => input.current?.click()} />
    </>
  );
}

interface FileInputProps extends Pick<ComponentProps<'input'>, 'ref' | 'accept' | 'multiple' | 'capture' | 'aria-label'> {
  onFiles: (files: readonly File[]) => void;
}

/** Hidden file input that is opened by a visible button. */
export function FileInput({ onFiles, ...input }: FileInputProps) {
  return (
    <input
      {...input}
      type="file"
      hidden
      onChange={({ target }) => {
        const files = [...(target.files ?? [])];
        // Resets the input, so that choosing the same file again fires a change event.
        target.value = '';
        if (files.length > 0) onFiles(files);
      }}
    />
  );
}
