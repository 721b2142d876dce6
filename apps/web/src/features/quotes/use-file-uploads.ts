import { MAX_QUOTE_FILES } from '@callout/contract/quote-input';
import { attachmentProblem, TOO_MANY_FILES } from '@callout/domain/files/attachment';
import { isImage } from '@callout/domain/files/file-types';
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect, useLayoutEffect, useState } from 'react';
import type { PendingFile, RefusedFile } from '../../lib/attachments/pending-file.ts';
import { messageOf } from '../../lib/error-messages.ts';
import { newId } from '../../lib/new-id.ts';
import { isWorthRetrying, MAX_PARALLEL_UPLOADS, uploadAttachment } from '../../lib/upload-attachment.ts';
import { toast } from '../../ui/toast.ts';
import type { FileRow } from './quote-form.ts';

const IS_SAVING = 'Please wait until the quote is saved.';

const LOST_TOAST_MS = 8_000;

const lostText = (names: readonly string[]) =>
  `${names.join(', ')} couldn't be uploaded and ${names.length === 1 ? "isn't" : "aren't"} in the quote.`;

const isUnderWay = ({ status }: PendingFile) => status === 'waiting' || status === 'uploading';

interface FileUploadsOptions {
  /** How many files the quote has already. */
  count: () => number;
  /** A file that came during a save would be in no version of the quote. */
  isSaving: boolean;
  /** `isLater`: whether another of its files was chosen after this one. */
  onUploaded: (file: FileRow, isLater: (id: string) => boolean) => void;
}

type OnFiles = (files: readonly PendingFile[]) => void;
type OnRefused = (files: readonly RefusedFile[]) => void;

function createUploads(queryClient: QueryClient, onFiles: OnFiles, onRefused: OnRefused) {
  let quote: FileUploadsOptions = { count: () => 0, isSaving: false, onUploaded: () => undefined };
  let pending: readonly PendingFile[] = [];
  /** In the order in which they were chosen. */
  const chosenIds: string[] = [];
  const bytes = new Map<string, File>();
  const running = new Map<string, AbortController>();
  const set = (next: readonly PendingFile[]) => {
    pending = next;
    onFiles(next);
  };
  const update = (id: string, change: Partial<PendingFile>) => set(pending.map((file) => (file.id === id ? { ...file, ...change } : file)));
  const forget = (id: string) => {
    bytes.delete(id);
    const preview = pending.find((file) => file.id === id)?.preview;
    if (preview) URL.revokeObjectURL(preview);
    set(pending.filter((file) => file.id !== id));
  };
  const startNext = () => {
    const waiting = pending.filter(({ status }) => status === 'waiting');
    for (const file of waiting.slice(0, Math.max(0, MAX_PARALLEL_UPLOADS - running.size))) void upload(file);
  };
  const upload = async ({ id, name, size, type, preview }: PendingFile) => {
    const file = bytes.get(id);
    if (!file) return;
    const cancelling = new AbortController();
    running.set(id, cancelling);
    update(id, { status: 'uploading', progress: 0, problem: undefined });
    try {
      const { signal } = cancelling;
      await uploadAttachment(queryClient, { id, file, onProgress: (progress) => update(id, { progress }), signal });
      forget(id);
      const url = `/api/files/${id}`;
      const row = { id, file_name: name, file_size: String(size), file_type: type, url };
      const place = chosenIds.indexOf(id);
      quote.onUploaded({ ...row, thumbnail_url: preview === null ? '' : `${url}/thumbnail` }, (other) => chosenIds.indexOf(other) > place);
    } catch (error) {
      if (!cancelling.signal.aborted) update(id, { status: 'failed', problem: messageOf(error), canRetry: isWorthRetrying(error) });
    } finally {
      running.delete(id);
    }
    startNext();
  };
  return {
    addFiles: (chosen: readonly File[]) => {
      const wrong: RefusedFile[] = [];
      const added: PendingFile[] = [];
      for (const file of chosen) {
        const isFull = quote.count() + pending.length + added.length >= MAX_QUOTE_FILES;
        const problem = quote.isSaving ? IS_SAVING : (attachmentProblem(file) ?? (isFull ? TOO_MANY_FILES : null));
        const id = newId();
        if (problem !== null) {
          wrong.push({ id, name: file.name, problem });
          continue;
        }
        bytes.set(id, file);
        chosenIds.push(id);
        const preview = isImage(file.type) ? URL.createObjectURL(file) : null;
        added.push({ id, name: file.name, size: file.size, type: file.type, status: 'waiting', progress: 0, canRetry: true, preview });
      }
      onRefused(wrong);
      set([...pending, ...added]);
      startNext();
    },
    /** Ends its upload, too. */
    removeFile: (id: string) => {
      running.get(id)?.abort();
      forget(id);
      startNext();
    },
    retryFile: (id: string) => {
      update(id, quote.isSaving ? { problem: IS_SAVING } : { status: 'waiting', problem: undefined });
      startNext();
    },
    hasUnderWay: () => pending.some(isUnderWay),
    /** They stay on the page, to be sent again. */
    cancelUnderWay: () => {
      for (const { id } of pending.filter(isUnderWay)) {
        update(id, { status: 'failed', problem: 'Upload cancelled' });
        running.get(id)?.abort();
      }
    },
    /** The quote as it is now. */
    follow: (options: FileUploadsOptions) => {
      quote = options;
    },
    dismissRefused: () => onRefused([]),
    /** The page is left. What failed is lost with it, which nobody should find out at the customer's. */
    close: () => {
      for (const controller of running.values()) controller.abort();
      const failed = pending.filter(({ status }) => status === 'failed').map(({ name }) => name);
      if (failed.length > 0) toast.error(lostText(failed), { ms: LOST_TOAST_MS });
      for (const { preview } of pending) if (preview) URL.revokeObjectURL(preview);
    },
  };
}

/** Files on their way to a quote. Each starts when it is chosen and becomes one of the quote's files when it has arrived. */
export function useFileUploads(options: FileUploadsOptions) {
  const queryClient = useQueryClient();
  const [files, setFiles] = useState<readonly PendingFile[]>([]);
  const [refused, setRefused] = useState<readonly RefusedFile[]>([]);
  const [uploads] = useState(() => createUploads(queryClient, setFiles, setRefused));
  useLayoutEffect(() => uploads.follow(options));
  useEffect(() => () => uploads.close(), [uploads]);

  const underWay = files.filter(isUnderWay).length;
  const hasAny = underWay > 0;
  useEffect(() => {
    if (!hasAny) return undefined;
    // The bytes of a file end with the tab.
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [hasAny]);
  return { files, refused, underWay, ...uploads };
}

export type FileUploads = ReturnType<typeof useFileUploads>;
