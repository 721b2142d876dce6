import { MutationObserver, type QueryClient } from '@tanstack/react-query';
import { CallError, isNetworkFailure } from './error-messages.ts';
import { uploadFile } from './upload-file.ts';

/** On a phone's connection, more parallel uploads would only slow each other down. */
export const MAX_PARALLEL_UPLOADS = 3;

interface UploadInput {
  id: string;
  file: File;
  onProgress: (fraction: number) => void;
  signal: AbortSignal;
  /** True if the caller uploads the file again once the connection is back, so that a lost connection is no failure. */
  isQueued?: boolean;
}

export async function uploadAttachment(queryClient: QueryClient, { id, file, onProgress, signal, isQueued }: UploadInput): Promise<void> {
  const upload = new MutationObserver(queryClient, {
    mutationFn: () => uploadFile(`/files/${id}`, file, onProgress, signal),
    meta: { failure: (error) => (signal.aborted || (isQueued && isNetworkFailure(error)) ? undefined : 'Failed to upload files') },
  });
  await upload.mutate();
}

/** Returns true for temporary failures: network errors, server restarts, expired sessions and rate limits. Any other error is final. */
export const isRetryableError = (error: unknown) =>
  !(error instanceof CallError) || error.status >= 500 || [401, 408, 429].includes(error.status);
