import { type ComponentProps, useRef } from 'react';
import { Button } from './button.tsx';

interface FileButtonProps extends Omit<ComponentProps<typeof Button>, 'onClick' | 'type'> {
  /** As a file input takes it: '.png,.jpg'. */
  accept: string;
  onFile: (file: File) => void;
}

/** A button that asks for one file. */
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

/** Not seen: a button beside it clicks it. */
export function FileInput({ onFiles, ...input }: FileInputProps) {
  return (
    <input
      {...input}
      type="file"
      hidden
      onChange={({ target }) => {
        const files = [...(target.files ?? [])];
        // The same file again must count as a choice, too.
        target.value = '';
        if (files.length > 0) onFiles(files);
      }}
    />
  );
}
