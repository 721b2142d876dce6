import { useEffect, useRef, useState } from 'react';
import { getRequestHeaders } from '../../lib/request-identity.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import type { QuoteFileRow } from './quote-form.ts';

interface MissingFilesBannerProps {
  /** Uploaded files that no saved quote contains yet. The server deletes such files after a day. */
  files: readonly QuoteFileRow[];
  isRestored: boolean;
  saving: boolean;
  dirty: boolean;
  onRemove: (ids: ReadonlySet<string>) => void;
}

/** Lists files that block saving because the server has deleted them. Checks when a draft is restored and when a save fails. */
export function MissingFilesBanner({ files, isRestored, saving, dirty, onRemove }: MissingFilesBannerProps) {
  const [missingIds, setMissingIds] = useState<ReadonlySet<string>>(new Set());
  const wasSaving = useRef(false);
  const latest = useRef({ files, dirty });
  useEffect(() => {
    latest.current = { files, dirty };
  });
  useEffect(() => {
    const shouldCheck = isRestored || (wasSaving.current && latest.current.dirty);
    wasSaving.current = saving;
    if (!shouldCheck || saving) return undefined;
    const controller = new AbortController();
    const findMissing = async () => {
      const found = await Promise.all(
        latest.current.files.map(async (file) => ((await isMissing(file.url, controller.signal)) ? [file.id] : [])),
      );
      if (!controller.signal.aborted) setMissingIds(new Set(found.flat()));
    };
    void findMissing();
    return () => controller.abort();
  }, [isRestored, saving]);

  const missing = files.filter(({ id }) => missingIds.has(id));
  if (missing.length === 0) return null;
  const names = missing.map(({ file_name: name }) => name).join(', ');
  const [are, them] = missing.length === 1 ? ['is', 'it'] : ['are', 'them'];
  return (
    <Banner
      tone="warn"
      className="mb-4"
      actions={
        <Button aria-label={`Remove ${names}`} onClick={() => onRemove(missingIds)}>
          Remove
        </Button>
      }
    >
      {`${names} ${are} no longer on the server. Remove ${them} to save the quote, or add ${them} again.`}
    </Banner>
  );
}

/** Returns true only for a 404 response, because a failed request doesn't prove that the file is missing. */
async function isMissing(url: string, signal: AbortSignal): Promise<boolean> {
  const cancel = new AbortController();
  try {
    const { status } = await fetch(new Request(url, { headers: getRequestHeaders(), signal: AbortSignal.any([signal, cancel.signal]) }));
    return status === 404;
  } catch {
    return false;
  } finally {
    // The status is enough, so stop before the body is downloaded.
    cancel.abort();
  }
}
