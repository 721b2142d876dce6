import { useEffect, useEffectEvent } from 'react';

/** What single keys do on a page, by `KeyboardEvent.key` in small letters. */
type PageKeys = Readonly<Record<string, () => void>>;

let readKeys: (() => PageKeys) | undefined;

/** Single keys of the page on screen. The shell carries them out, unless somebody types or has turned them off; its help lists them. */
export function usePageKeys(keys: PageKeys): void {
  const latest = useEffectEvent(() => keys);
  useEffect(() => {
    const read = () => latest();
    readKeys = read;
    return () => {
      if (readKeys === read) readKeys = undefined;
    };
  }, []);
}

export const pageKey = (key: string): (() => void) | undefined => readKeys?.()[key];
