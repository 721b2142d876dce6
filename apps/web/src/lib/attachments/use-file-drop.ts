import { type DragEvent, useEffect, useRef, useState } from 'react';

/** `dragging`: files are over the page. `accepted` or `rejected`: files are over the drop zone, which takes or refuses their types. */
export type FileDropState = 'idle' | 'dragging' | 'accepted' | 'rejected';

const hasFiles = (data: DataTransfer | null) => data?.types.includes('Files') ?? false;

/** Accepts files of unknown type (''), because some browsers don't reveal a file's type before the drop. */
const isAccepted = (data: DataTransfer, types: readonly string[]) =>
  [...data.items].every(({ kind, type }) => kind !== 'file' || type === '' || types.includes(type));

/** Makes an element accept dropped files. Ignores files dropped outside it, which the browser would open in place of the page. */
export function useFileDrop(types: readonly string[], onFiles: (files: readonly File[]) => void) {
  const [state, setState] = useState<FileDropState>('idle');
  /** Number of nested elements under the pointer. A boolean isn't enough, because a drag enters a child before it leaves the parent. */
  const enteredCount = useRef(0);
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    let pageEnteredCount = 0;
    window.addEventListener(
      'dragenter',
      ({ dataTransfer }) => {
        pageEnteredCount += 1;
        if (hasFiles(dataTransfer)) setState((now) => (now === 'idle' ? 'dragging' : now));
      },
      { signal },
    );
    window.addEventListener(
      'dragleave',
      () => {
        pageEnteredCount -= 1;
        if (pageEnteredCount <= 0) {
          pageEnteredCount = 0;
          enteredCount.current = 0;
          setState('idle');
        }
      },
      { signal },
    );
    window.addEventListener('dragover', (event) => hasFiles(event.dataTransfer) && event.preventDefault(), { signal });
    window.addEventListener(
      'drop',
      (event) => {
        if (hasFiles(event.dataTransfer)) event.preventDefault();
        pageEnteredCount = 0;
        enteredCount.current = 0;
        setState('idle');
      },
      { signal },
    );
    return () => controller.abort();
  }, []);
  const zone = {
    onDragEnter: ({ dataTransfer }: DragEvent) => {
      enteredCount.current += 1;
      if (hasFiles(dataTransfer)) setState(isAccepted(dataTransfer, types) ? 'accepted' : 'rejected');
    },
    onDragLeave: () => {
      enteredCount.current -= 1;
      if (enteredCount.current <= 0) setState((now) => (now === 'idle' ? now : 'dragging'));
    },
    onDrop: ({ dataTransfer }: DragEvent) => {
      if (hasFiles(dataTransfer)) onFiles([...dataTransfer.files]);
    },
  };
  return { state, zone };
}
