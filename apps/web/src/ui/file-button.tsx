import { type ReactNode, useRef } from 'react';
import { Button } from './button.tsx';

interface FileButtonProps {
  /** As a file input takes it: '.png,.jpg'. */
  accept: string;
  busy?: boolean;
  onFile: (file: File) => void;
  children: ReactNode;
}

/** A button that asks for one file. */
export function FileButton({ accept, busy = false, onFile, children }: FileButtonProps) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={input}
        type="file"
        accept={accept}
        hidden
        onChange={({ target }) => {
          const file = target.files?.[0];
          // The same file again must count as a choice, too.
          target.value = '';
          if (file) onFile(file);
        }}
      />
      <Button busy={busy} onClick={() => input.current?.click()}>
        {children}
      </Button>
    </>
  );
}
