import { MAX_QUOTE_FILES } from '@callout/contract/quote-input';
import { findAttachmentError, TOO_MANY_FILES_ERROR } from '@callout/domain/files/attachment';
import { isImageMimeType } from '@callout/domain/files/file-types';
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect, useLayoutEffect, useState } from 'react';
import type { PendingFile, RejectedFile } from '../../lib/attachments/pending-file.ts';
import { createId } from '../../lib/create-id.ts';
import { getErrorMessage } from '../../lib/error-messages.ts';
import { isRetryableError, MAX_PARALLEL_UPLOADS, uploadAttachment } from '../../lib/upload-attachment.ts';
import { toast } from '../../ui/toast.ts';
import type { QuoteFileRow } from './quote-form.ts';

const QUOTE_SAVING_ERROR = 'Please wait until the quote is saved.';
const LOST_FILES_TOAST_MS = 8_000;

const formatLostFiles = (names: readonly string[]) =>
  `${names.join(', ')} couldn't be uploaded and ${names.length === 1 ? "isn't" : "aren't"} in the quote.`;

const isPending = ({ status }: PendingFile) => status === 'waiting' || status === 'uploading';

interface FileUploadsOptions {
  countFiles: () => number;
  /** While true, chosen files are rejected, because neither the saved quote nor the edited one would contain them. */
  isSaving: boolean;
  /** `isLater` returns true for the id of any file that was chosen after `file`. */
  onUploaded: (file: QuoteFileRow, isLater: (id: string) => boolean) => void;
}

type PendingFilesListener = (files: readonly PendingFile[]) => void;
type RejectedFilesListener = (files: readonly RejectedFile[]) => void;

function createUploadQueue(queryClient: QueryClient, onPendingFiles: PendingFilesListener, onRejected: RejectedFilesListener) {
  let quote: FileUploadsOptions = { countFiles: () => 0, isSaving: false, onUploaded: () => undefined };
  let pending: readonly PendingFile[] = [];
  /** Ids of all files, in the order in which they were chosen. */
  const chosenIds: string[] = [];
  const filesById = new Map<string, File>();
  const running = new Map<string, AbortController>();
  const set = (next: readonly PendingFile[]) => {
    pending = next;
    onPendingFiles(next);
  };
  const update = (id: string, change: Partial<PendingFile>) => set(pending.map((file) => (file.id === id ? { ...file, ...change } : file)));
  const removePending = (id: string) => {
    filesById.delete(id);
    const preview = pending.find((file) => file.id === id)?.preview;
    if (preview) URL.revokeObjectURL(preview);
    set(pending.filter((file) => file.id !== id));
  };
  const startNext = () => {
    const waiting = pending.filter(({ status }) => status === 'waiting');
    for (const file of waiting.slice(0, Math.max(0, MAX_PARALLEL_UPLOADS - running.size))) void upload(file);
  };
  const upload = async ({ id, name, size, type, preview }: PendingFile) => {
    const file = filesById.get(id);
    if (!file) return;
    const controller = new AbortController();
    running.set(id, controller);
    update(id, { status: 'uploading', progress: 0, problem: undefined });
    try {
      const { signal } = controller;
      await uploadAttachment(queryClient, { id, file, onProgress: (progress) => update(id, { progress }), signal });
      removePending(id);
      const url = `/api/files/${id}`;
      const row = { id, file_name: name, file_size: String(size), file_type: type, url };
      const index = chosenIds.indexOf(id);
      quote.onUploaded({ ...row, thumbnail_url: preview === null ? '' : `${url}/thumbnail` }, (other) => chosenIds.indexOf(other) > index);
    } catch (error) {
      if (!controller.signal.aborted) update(id, { status: 'failed', problem: getErrorMessage(error), canRetry: isRetryableError(error) });
    } finally {
      running.delete(id);
    }
    startNext();
  };
  return {
    addFiles: (chosen: readonly File[]) => {
      const rejected: RejectedFile[] = [];
      const added: PendingFile[] = [];
      for (const file of chosen) {
        const isFull = quote.countFiles() + pending.length + added.length >= MAX_QUOTE_FILES;
        const problem = quote.isSaving ? QUOTE_SAVING_ERROR : (findAttachmentError(file) ?? (isFull ? TOO_MANY_FILES_ERROR : null));
        const id = createId();
        if (problem !== null) {
          rejected.push({ id, name: file.name, problem });
          continue;
        }
        filesById.set(id, file);
        chosenIds.push(id);
        const preview = isImageMimeType(file.type) ? URL.createObjectURL(file) : null;
        added.push({ id, name: file.name, size: file.size, type: file.type, status: 'waiting', progress: 0, canRetry: true, preview });
      }
      onRejected(rejected);
      set([...pending, ...added]);
      startNext();
    },
    removeFile: (id: string) => {
      running.get(id)?.abort();
      removePending(id);
      startNext();
    },
    retryFile: (id: string) => {
      update(id, quote.isSaving ? { problem: QUOTE_SAVING_ERROR } : { status: 'waiting', problem: undefined });
      startNext();
    },
    hasPending: () => pending.some(isPending),
    /** Cancels all pending uploads. Their files stay on the page and can be retried. */
    cancelPending: () => {
      for (const { id } of pending.filter(isPending)) {
        update(id, { status: 'failed', problem: 'Upload canceled' });
        running.get(id)?.abort();
      }
    },
    setOptions: (options: FileUploadsOptions) => {
      quote = options;
    },
    dismissRejected: () => onRejected([]),
    /** Call this when the user leaves the page. Warns about failed files, which are lost. */
    close: () => {
      for (const controller of running.values()) controller.abort();
      const failed = pending.filter(({ status }) => status === 'failed').map(({ name }) => name);
      if (failed.length > 0) toast.error(formatLostFiles(failed), { timeoutMs: LOST_FILES_TOAST_MS });
      for (const { preview } of pending) if (preview) URL.revokeObjectURL(preview);
    },
  };
}

/** Uploads files for a quote. Each upload starts when its file is chosen, and adds the file to the quote when complete. */
export function useFileUploads(options: FileUploadsOptions) {
  const queryClient = useQueryClient();
  const [files, setFiles] = useState<readonly PendingFile[]>([]);
  const [rejected, setRejected] = useState<readonly RejectedFile[]>([]);
  const [uploads] = useState(() => createUploadQueue(queryClient, setFiles, setRejected));
  useLayoutEffect(() => uploads.setOptions(options));
  useEffect(() => () => uploads.close(), [uploads]);

  const pendingCount = files.filter(isPending).length;
  const hasPendingUploads = pendingCount > 0;
  useEffect(() => {
    if (!hasPendingUploads) return undefined;
    // Closing the tab would lose pending uploads, so the browser asks first.
    const confirmUnload = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', confirmUnload);
    return () => window.removeEventListener('beforeunload', confirmUnload);
  }, [hasPendingUploads]);
  return { files, rejected, pendingCount, ...uploads };
}

export type FileUploads = ReturnType<typeof useFileUploads>;
