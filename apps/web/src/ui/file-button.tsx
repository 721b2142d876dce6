import { type ComponentProps, type ReactNode, useRef } from 'react';
import { Button } from './button.tsx';

interface FileButtonProps extends Omit<ComponentProps<typeof Button>, 'onClick' | 'type'> {
  /** As a file input takes it: '.png,.jpg'. */
  accept: string;
  onFile: (file: File) => void;
}

/** A button that asks for one file. */
export function FileButton({ accept, onFile, ...button }: FileButtonProps) {
  return (
    <FileInput accept={accept} onFiles={([file]) => file && onFile(file)}>
      {(open) => <Button {...button} onClick={open} />}
    </FileInput>
  );
}

interface FileInputProps extends Pick<ComponentProps<'input'>, 'accept' | 'multiple' | 'capture' | 'aria-label'> {
  onFiles: (files: readonly File[]) => void;
  /** The button, which calls `open`. */
  children: (open: () => void) => ReactNode;
}

/** Asks for files with a button of the caller's. */
export function FileInput({ onFiles, children, ...input }: FileInputProps) {
  const element = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        {...input}
        ref={element}
        type="file"
        hidden
        onChange={({ target }) => {
          const files = [...(target.files ?? [])];
          // The same file again must count as a choice, too.
          target.value = '';
          if (files.length > 0) onFiles(files);
        }}
      />
      {children(() => element.current?.click())}
    </>
  );
}
