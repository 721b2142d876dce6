import { MutationObserver, type QueryClient } from '@tanstack/react-query';
import { CallError } from '../error-messages.ts';
import { uploadFile } from '../upload-file.ts';

/** More at once would only make each of them slower on a phone's connection. */
export const MAX_PARALLEL_UPLOADS = 3;

interface Upload {
  id: string;
  file: File;
  onProgress: (share: number) => void;
  signal: AbortSignal;
}

export async function uploadAttachment(queryClient: QueryClient, { id, file, onProgress, signal }: Upload): Promise<void> {
  const upload = new MutationObserver(queryClient, {
    mutationFn: () => uploadFile(`/files/${id}`, file, onProgress, signal),
    meta: { failure: () => (signal.aborted ? undefined : 'Failed to upload files') },
  });
  await upload.mutate();
}

/** The server's refusals stay what they are; the connection, a restart or too many uploads at once may pass. */
export const isWorthRetrying = (error: unknown) =>
  !(error instanceof CallError) || error.status >= 500 || [401, 408, 429].includes(error.status);
