import { attachmentProblem, MAX_COMMENT_FILES, MAX_COMMENT_LENGTH, TOO_MANY_FILES } from '@callout/domain/files/attachment';
import { isImage } from '@callout/domain/files/file-types';
import { formatCount } from '@callout/domain/text/count-text';
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect, useSyncExternalStore } from 'react';
import type { PendingFile, RefusedFile } from '../../lib/attachments/pending-file.ts';
import { draftKey } from '../../lib/draft-storage.ts';
import { isAborted, isNetworkFailure, messageOf } from '../../lib/error-messages.ts';
import { newId } from '../../lib/new-id.ts';
import { onSessionEnd } from '../../lib/session-end.ts';
import { isWorthRetrying, MAX_PARALLEL_UPLOADS, uploadAttachment } from '../../lib/upload-attachment.ts';
import { useMe } from '../company/company.api.ts';
import { addComment, readComments } from './comments.api.ts';

/** Between attempts when the browser has not noticed that the connection was lost; twice as long after each failure. */
const FIRST_RETRY_MS = 10_000;
const MAX_RETRY_MS = 300_000;
const LOST_FILE = 'The upload was interrupted. Please add the file again.';

export interface UnsentComment {
  readonly id: string;
  readonly content: string;
  readonly files: readonly PendingFile[];
  readonly status: 'draft' | 'sending' | 'failed';
  readonly problem?: string | undefined;
  /** It was sent, and no answer says whether the server has it. */
  readonly isUncertain?: boolean;
  /** It failed for want of a connection, and goes by itself when that is back. */
  readonly isOffline?: boolean;
}

export interface UnsentComments {
  /** What is being written. */
  readonly draft: UnsentComment;
  /** On their way, or failed; the oldest first. */
  readonly sent: readonly UnsentComment[];
  readonly refused: readonly RefusedFile[];
}

type UnsentStore = ReturnType<typeof createUnsentStore>;

const newDraft = (): UnsentComment => ({ id: newId(), content: '', files: [], status: 'draft' });

export const isEmptyDraft = ({ content, files }: UnsentComment) => content.trim() === '' && files.length === 0;

/** Why a comment cannot be sent. Files that may still arrive are waited for. */
export function draftProblem({ content, files }: UnsentComment): string | undefined {
  if (content.trim().length > MAX_COMMENT_LENGTH) return `Comment must be at most ${formatCount(MAX_COMMENT_LENGTH)} characters`;
  return files.some(isRefused) ? 'Remove the files that could not be uploaded' : undefined;
}

export const isRefused = ({ status, canRetry }: PendingFile) => status === 'failed' && !canRetry;

/** The unsent comments of one person on one job. They outlive the page; texts and uploaded files outlive a reload, too. */
function createUnsentStore(queryClient: QueryClient, jobId: string, storageKey: string) {
  let state = restore(storageKey);
  const listeners = new Set<() => void>();
  const bytes = new Map<string, File>();
  const uploads = new Map<string, AbortController>();
  const posting = new Set<string>();
  /** Since when something waits for the connection. */
  let lostAt: number | null = state.sent.some(({ isUncertain }) => isUncertain) ? 0 : null;
  let retryMs = FIRST_RETRY_MS;
  const noteFailure = (error: unknown) => {
    if (isNetworkFailure(error) || isAborted(error)) lostAt = Date.now();
  };

  let isSuspended = false;

  const set = (change: Partial<UnsentComments>) => {
    state = { ...state, ...change };
    keep(storageKey, state);
    for (const listener of listeners) listener();
  };
  const all = () => [...state.sent, state.draft];
  const find = (id: string) => all().find((comment) => comment.id === id);
  const update = (id: string, change: Partial<UnsentComment>) => {
    const changed = (comment: UnsentComment) => (comment.id === id ? { ...comment, ...change } : comment);
    set({ draft: changed(state.draft), sent: state.sent.map(changed) });
  };
  const ownerOf = (fileId: string) => all().find(({ files }) => files.some(({ id }) => id === fileId));
  const updateFile = (id: string, change: Partial<PendingFile>) => {
    const owner = ownerOf(id);
    if (owner) update(owner.id, { files: owner.files.map((file) => (file.id === id ? { ...file, ...change } : file)) });
  };
  const forget = (files: readonly PendingFile[]) => {
    for (const { id, preview } of files) {
      uploads.get(id)?.abort();
      bytes.delete(id);
      if (preview?.startsWith('blob:')) URL.revokeObjectURL(preview);
    }
  };

  /** Those of a comment that is already sent go first. */
  const startUploads = () => {
    if (isSuspended) return;
    const waiting = all().flatMap(({ files }) => files.filter(({ status }) => status === 'waiting'));
    for (const { id } of waiting.slice(0, Math.max(0, MAX_PARALLEL_UPLOADS - uploads.size))) void upload(id);
  };
  const upload = async (id: string) => {
    const file = bytes.get(id);
    if (!file) return;
    const cancelling = new AbortController();
    uploads.set(id, cancelling);
    updateFile(id, { status: 'uploading', progress: 0, problem: undefined });
    try {
      await uploadAttachment(queryClient, {
        id,
        file,
        onProgress: (progress) => updateFile(id, { progress }),
        signal: cancelling.signal,
      });
      updateFile(id, { status: 'uploaded', progress: 1 });
    } catch (error) {
      if (!cancelling.signal.aborted) {
        noteFailure(error);
        const isOffline = isNetworkFailure(error);
        updateFile(id, { status: 'failed', problem: messageOf(error), canRetry: isWorthRetrying(error), isOffline });
      }
    } finally {
      uploads.delete(id);
    }
    startUploads();
    const owner = ownerOf(id);
    if (owner) void post(owner.id);
  };

  /** Sends a comment whose files have all arrived. */
  const post = async (id: string) => {
    const comment = find(id);
    if (comment?.status !== 'sending' || posting.has(id) || isSuspended) return;
    const { content, files } = comment;
    const failed = files.filter(({ status }) => status === 'failed');
    if (failed.length > 0) {
      update(id, { status: 'failed', problem: 'Failed to upload files', isOffline: failed.every((file) => file.isOffline) });
      return;
    }
    if (files.some(({ status }) => status !== 'uploaded')) return;
    posting.add(id);
    try {
      await addComment(queryClient, { id, job_id: jobId, content: content.trim(), file_ids: files.map((file) => file.id) });
      drop(id);
      retryMs = FIRST_RETRY_MS;
    } catch (error) {
      noteFailure(error);
      const problem = `Failed to add comment: ${messageOf(error)}`;
      update(id, { status: 'failed', problem, isUncertain: isWorthRetrying(error), isOffline: isNetworkFailure(error) });
    } finally {
      posting.delete(id);
    }
  };
  /** Changed and sent under another id, a comment that the server has would be there twice. */
  const isMissing = async (id: string): Promise<boolean> => {
    try {
      const rows = await readComments(queryClient, jobId);
      if (!rows.some((row) => row.id === id)) return true;
      drop(id);
    } catch (error) {
      update(id, { problem: `Failed to edit comment: ${messageOf(error)}`, isOffline: false });
    }
    return false;
  };
  const drop = (id: string) => {
    forget(find(id)?.files ?? []);
    set({ sent: state.sent.filter((comment) => comment.id !== id) });
  };

  const store = {
    read: () => state,
    subscribe: (listener: () => void) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    write: (content: string) => update(state.draft.id, { content }),
    addFiles: (files: readonly File[]) => {
      const refused: RefusedFile[] = [];
      const added: PendingFile[] = [];
      for (const file of files) {
        const isFull = state.draft.files.length + added.length >= MAX_COMMENT_FILES;
        const problem = attachmentProblem(file) ?? (isFull ? TOO_MANY_FILES : null);
        if (problem !== null) {
          refused.push({ id: newId(), name: file.name, problem });
          continue;
        }
        const id = newId();
        bytes.set(id, file);
        const preview = isImage(file.type) ? URL.createObjectURL(file) : null;
        const { name, size, type } = file;
        added.push({ id, name, size, type, status: 'waiting', progress: 0, canRetry: true, preview });
      }
      set({ refused, draft: { ...state.draft, files: [...state.draft.files, ...added] } });
      startUploads();
    },
    /** Also ends its upload; what has arrived already is removed by the server when nobody takes it. */
    removeFile: (id: string) => {
      const owner = ownerOf(id);
      if (!owner) return;
      forget(owner.files.filter((file) => file.id === id));
      const left = { ...owner, files: owner.files.filter((file) => file.id !== id) };
      update(owner.id, { files: left.files });
      startUploads();
      // A comment that is already sent may have waited only for this file, or have nothing left to say.
      if (left.status !== 'draft' && isEmptyDraft(left)) drop(left.id);
      else void post(left.id);
    },
    /** Sends its comment as well, if that was sent before. */
    retryFile: (id: string) => {
      const owner = ownerOf(id);
      if (owner?.status === 'failed') return store.retry(owner.id);
      updateFile(id, { status: 'waiting', problem: undefined });
      startUploads();
    },
    dismissRefused: () => set({ refused: [] }),
    /** The comment moves into the list at once and follows its files to the server. */
    send: () => {
      const { draft, sent } = state;
      if (isEmptyDraft(draft) || draftProblem(draft) !== undefined) return;
      set({ draft: newDraft(), sent: [...sent, { ...draft, status: 'sending' }], refused: [] });
      store.retry(draft.id);
    },
    retry: (id: string) => {
      const files = find(id)?.files ?? [];
      const again = (file: PendingFile): PendingFile =>
        file.status === 'failed' && file.canRetry ? { ...file, status: 'waiting', problem: undefined } : file;
      update(id, { status: 'sending', problem: undefined, files: files.map(again) });
      startUploads();
      void post(id);
    },
    /** With the connection back: everything that may have failed for want of it. */
    retryAll: () => {
      if (isSuspended) return;
      for (const { id, isUncertain, files } of state.sent.filter(({ status }) => status === 'failed'))
        if (!files.some(isRefused) && (isUncertain || files.some(({ status }) => status === 'failed'))) store.retry(id);
      for (const { id, status, canRetry } of state.draft.files) if (status === 'failed' && canRetry) store.retryFile(id);
    },
    /** The server has answered something else. */
    retryLost: () => {
      if (lostAt === null || Date.now() - lostAt < retryMs) return;
      lostAt = null;
      retryMs = Math.min(retryMs * 2, MAX_RETRY_MS);
      store.retryAll();
    },
    /** Back to where it can be changed, in front of what has been written since; unless the server has it, or might. */
    edit: async (id: string): Promise<boolean> => {
      if (find(id)?.isUncertain && !(await isMissing(id))) return false;
      const comment = find(id);
      if (comment?.status !== 'failed') return false;
      const { draft } = state;
      const content = [comment.content, draft.content].filter((text) => text.trim() !== '').join('\n');
      set({
        draft: { ...newDraft(), content, files: [...comment.files, ...draft.files] },
        sent: state.sent.filter((other) => other.id !== id),
      });
      return true;
    },
    /** Comments that the server turns out to have. */
    dropStored: (ids: ReadonlySet<string>) => {
      for (const { id } of state.sent) if (ids.has(id) && !posting.has(id)) drop(id);
    },
    /** The session has ended: nothing more is sent until its person is back. */
    suspend: () => {
      isSuspended = true;
      for (const [id, uploading] of uploads) {
        uploading.abort();
        updateFile(id, { status: 'waiting' });
      }
    },
    resume: () => {
      if (!isSuspended) return;
      isSuspended = false;
      store.retryAll();
      startUploads();
      for (const { id } of state.sent) void post(id);
    },
    clear: () => {
      for (const { files } of all()) forget(files);
      set({ draft: newDraft(), sent: [], refused: [] });
      sessionStorage.removeItem(storageKey);
    },
  };
  for (const { id } of state.sent) void post(id);
  return store;
}

/** The files' bytes are not kept: those that had not arrived must be added again. */
function keep(key: string, { draft, sent }: UnsentComments): void {
  if (isEmptyDraft(draft) && sent.length === 0) return sessionStorage.removeItem(key);
  try {
    sessionStorage.setItem(key, JSON.stringify({ draft, sent }));
  } catch {
    // More than a browser keeps, such as a pasted book: it stays on the page, where its length is refused.
  }
}

function restore(key: string): UnsentComments {
  const text = sessionStorage.getItem(key);
  if (text === null) return { draft: newDraft(), sent: [], refused: [] };
  const { draft, sent } = JSON.parse(text) as Pick<UnsentComments, 'draft' | 'sent'>;
  const restored = (comment: UnsentComment): UnsentComment => ({ ...comment, files: comment.files.map(restoredFile) });
  // A duplicated tab has the same draft: sent from both, it is two comments.
  return { draft: { ...restored(draft), id: newId() }, sent: sent.map(restored), refused: [] };
}

function restoredFile(file: PendingFile): PendingFile {
  const isThere = file.status === 'uploaded';
  const preview = file.preview === null ? null : `/api/files/${file.id}/thumbnail`;
  return isThere ? { ...file, preview } : { ...file, preview: null, status: 'failed', canRetry: false, problem: LOST_FILE };
}

const stores = new WeakMap<QueryClient, Map<string, UnsentStore>>();

function storesOf(queryClient: QueryClient): Map<string, UnsentStore> {
  const known = stores.get(queryClient);
  if (known) return known;
  const made = new Map<string, UnsentStore>();
  stores.set(queryClient, made);
  // What is kept for a reload ends with the tab.
  window.addEventListener('beforeunload', (event) => {
    if ([...made.keys()].some((key) => sessionStorage.getItem(key) !== null)) event.preventDefault();
  });
  window.addEventListener('online', () => {
    for (const store of made.values()) store.retryAll();
  });
  // A weak signal or a restart of the server comes and goes without that event.
  queryClient.getQueryCache().subscribe((event) => {
    if (event.type !== 'updated' || event.action.type !== 'success' || event.action.manual) return;
    for (const store of made.values()) store.retryLost();
  });
  // Whoever signs in next must not send what somebody else wrote; that waits in the tab for its person, unless they signed out.
  onSessionEnd((how) => {
    for (const store of made.values()) store.suspend();
    if (how !== 'signed-out') return;
    for (const store of made.values()) store.clear();
    made.clear();
  });
  return made;
}

export function useUnsentComments(jobId: string): UnsentComments & { readonly actions: UnsentStore } {
  const queryClient = useQueryClient();
  const key = draftKey(useMe().user.id, `/jobs/${jobId}`, 'comment');
  const ofClient = storesOf(queryClient);
  const store = ofClient.get(key) ?? createUnsentStore(queryClient, jobId, key);
  ofClient.set(key, store);
  useEffect(() => store.resume(), [store]);
  const state = useSyncExternalStore(store.subscribe, store.read);
  return { ...state, actions: store };
}
