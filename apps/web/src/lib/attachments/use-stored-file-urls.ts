import { useEffect, useState } from 'react';
import { findStoredFile } from '../commands/outbox.ts';
import type { StoredFile } from '../commands/stored-command.ts';

const NO_URLS: ReadonlyMap<string, string> = new Map();

/** Returns URLs for the contents of files that are stored on this device, by id. Without those that are still being read. */
export function useStoredFileUrls(files: readonly StoredFile[]): ReadonlyMap<string, string> {
  const [urls, setUrls] = useState(NO_URLS);
  const ids = files.map(({ id }) => id).join();
  useEffect(() => {
    if (ids === '') return;
    const created = new Map<string, string>();
    const closing = new AbortController();
    const create = async ({ id, type }: StoredFile) => {
      const bytes = await findStoredFile(id);
      if (bytes && !closing.signal.aborted) created.set(id, URL.createObjectURL(new Blob([bytes], { type })));
    };
    void Promise.all(files.map(create)).then(() => closing.signal.aborted || setUrls(created));
    return () => {
      closing.abort();
      setUrls(NO_URLS);
      for (const url of created.values()) URL.revokeObjectURL(url);
    };
    // oxlint-disable-next-line react/exhaustive-deps -- The ids stand for the files, which are a new array on each render.
  }, [ids]);
  return urls;
}
