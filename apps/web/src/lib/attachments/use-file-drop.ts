import { type DragEvent, useEffect, useRef, useState } from 'react';

/** `dragging`: files are over the page; `accepted` and `rejected`: over this zone, and may be dropped or not. */
export type DropState = 'idle' | 'dragging' | 'accepted' | 'rejected';

const hasFiles = (data: DataTransfer | null) => data?.types.includes('Files') ?? false;

/** Before files are dropped, a browser tells only their types, and of some not even that. */
const isAccepted = (data: DataTransfer, types: readonly string[]) =>
  [...data.items].every(({ kind, type }) => kind !== 'file' || type === '' || types.includes(type));

/** A zone that files are dropped on. A file dropped beside it does nothing, instead of replacing the page. */
export function useFileDrop(types: readonly string[], onFiles: (files: readonly File[]) => void) {
  const [state, setState] = useState<DropState>('idle');
  /** A drag enters an element before it leaves the one around it. */
  const entered = useRef(0);
  useEffect(() => {
    const stop = new AbortController();
    const { signal } = stop;
    let overPage = 0;
    window.addEventListener(
      'dragenter',
      ({ dataTransfer }) => {
        overPage += 1;
        if (hasFiles(dataTransfer)) setState((now) => (now === 'idle' ? 'dragging' : now));
      },
      { signal },
    );
    window.addEventListener(
      'dragleave',
      () => {
        overPage -= 1;
        if (overPage <= 0) {
          overPage = 0;
          entered.current = 0;
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
        overPage = 0;
        entered.current = 0;
        setState('idle');
      },
      { signal },
    );
    return () => stop.abort();
  }, []);
  const zone = {
    onDragEnter: ({ dataTransfer }: DragEvent) => {
      entered.current += 1;
      if (hasFiles(dataTransfer)) setState(isAccepted(dataTransfer, types) ? 'accepted' : 'rejected');
    },
    onDragLeave: () => {
      entered.current -= 1;
      if (entered.current <= 0) setState((now) => (now === 'idle' ? now : 'dragging'));
    },
    onDrop: ({ dataTransfer }: DragEvent) => {
      if (hasFiles(dataTransfer)) onFiles([...dataTransfer.files]);
    },
  };
  return { state, zone };
}
