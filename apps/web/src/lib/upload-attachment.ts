import { MutationObserver, type QueryClient } from '@tanstack/react-query';
import { CallError } from './error-messages.ts';
import { uploadFile } from './upload-file.ts';

/** On a phone's connection, more parallel uploads would only slow each other down. */
export const MAX_PARALLEL_UPLOADS = 3;

interface UploadInput {
  id: string;
  file: File;
  onProgress: (fraction: number) => void;
  signal: AbortSignal;
}

export async function uploadAttachment(queryClient: QueryClient, { id, file, onProgress, signal }: UploadInput): Promise<void> {
  const upload = new MutationObserver(queryClient, {
    mutationFn: () => uploadFile(`/files/${id}`, file, onProgress, signal),
    meta: { failure: () => (signal.aborted ? undefined : 'Failed to upload files') },
  });
  await upload.mutate();
}

/** Returns true for temporary failures: network errors, server restarts, expired sessions and rate limits. Any other error is final. */
export const isRetryableError = (error: unknown) =>
  !(error instanceof CallError) || error.status >= 500 || [401, 408, 429].includes(error.status);
