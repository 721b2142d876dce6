import { useEffect, useRef, useState } from 'react';
import { requestHeaders } from '../../lib/request-person.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import type { FileRow } from './quote-form.ts';

interface MissingFilesProps {
  /** Files of the form that no saved quote holds yet: the server removes those after a day. */
  files: readonly FileRow[];
  isRestored: boolean;
  saving: boolean;
  dirty: boolean;
  onRemove: (ids: ReadonlySet<string>) => void;
}

/** Names the files that stop a save because the server has removed them. Looks after a draft is restored and after a save that failed. */
export function MissingFiles({ files, isRestored, saving, dirty, onRemove }: MissingFilesProps) {
  const [gone, setGone] = useState<ReadonlySet<string>>(new Set());
  const wasSaving = useRef(false);
  const latest = useRef({ files, dirty });
  useEffect(() => {
    latest.current = { files, dirty };
  });
  useEffect(() => {
    const isDue = isRestored || (wasSaving.current && latest.current.dirty);
    wasSaving.current = saving;
    if (!isDue || saving) return undefined;
    const stop = new AbortController();
    const findGone = async () => {
      const found = await Promise.all(latest.current.files.map(async (file) => ((await isGone(file.url, stop.signal)) ? [file.id] : [])));
      if (!stop.signal.aborted) setGone(new Set(found.flat()));
    };
    void findGone();
    return () => stop.abort();
  }, [isRestored, saving]);

  const missing = files.filter(({ id }) => gone.has(id));
  if (missing.length === 0) return null;
  const names = missing.map(({ file_name: name }) => name).join(', ');
  const [are, them] = missing.length === 1 ? ['is', 'it'] : ['are', 'them'];
  return (
    <Banner
      tone="warn"
      className="mb-4"
      actions={
        <Button aria-label={`Remove ${names}`} onClick={() => onRemove(gone)}>
          Remove
        </Button>
      }
    >
      {`${names} ${are} no longer on the server. Remove ${them} to save the quote, or add ${them} again.`}
    </Banner>
  );
}

/** Only what the server says for sure counts, not a lost connection. */
async function isGone(url: string, signal: AbortSignal): Promise<boolean> {
  const enough = new AbortController();
  try {
    const { status } = await fetch(new Request(url, { headers: requestHeaders(), signal: AbortSignal.any([signal, enough.signal]) }));
    return status === 404;
  } catch {
    return false;
  } finally {
    // The answer's first line is enough; the bytes are not needed.
    enough.abort();
  }
}
