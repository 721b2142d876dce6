import type { JobComment } from '@callout/contract/comments';
import { encodeMentions, type Mention } from '@callout/domain/comments/mention';
import { findAttachmentError, MAX_COMMENT_FILES, MAX_COMMENT_LENGTH, TOO_MANY_FILES_ERROR } from '@callout/domain/files/attachment';
import { isImageMimeType } from '@callout/domain/files/file-types';
import { formatCount } from '@callout/domain/text/count-format';
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect, useSyncExternalStore } from 'react';
import type { PendingFile, RejectedFile } from '../../lib/attachments/pending-file.ts';
import { createId } from '../../lib/create-id.ts';
import { buildSessionDraftKey } from '../../lib/draft-keys.ts';
import { getErrorMessage, isAbortOrTimeout, isNetworkFailure } from '../../lib/error-messages.ts';
import { onSessionEnd } from '../../lib/session-end.ts';
import { isRetryableError, MAX_PARALLEL_UPLOADS, uploadAttachment } from '../../lib/upload-attachment.ts';
import { useMe } from '../company/company.api.ts';
import { type CommentEdit, type CommentEdits, createCommentEdit, encodeEdit, isEditChanged, pickEdits } from './comment-edit.ts';
import { addComment, refetchComments } from './comments.api.ts';

/** Delay before the first automatic retry. Doubles after each retry, up to the maximum. */
const FIRST_RETRY_DELAY_MS = 10_000;
const MAX_RETRY_DELAY_MS = 300_000;
const UPLOADED_LATER_MESSAGE = "It will be uploaded when you're back online.";
const LOST_FILE_MESSAGE = 'The upload was interrupted. Please add the file again.';

export interface UnsentComment {
  readonly id: string;
  /** The text as typed, with names where people are mentioned. */
  readonly content: string;
  /** People who were picked while typing. Their names may have been removed from the text since. */
  readonly mentions?: readonly Mention[];
  readonly files: readonly PendingFile[];
  readonly status: 'draft' | 'sending' | 'failed';
  readonly problem?: string | undefined;
  /** True if the response was lost, so the server may already have the comment. */
  readonly isUncertain?: boolean;
  /** True if sending failed because the connection was lost. Such comments are retried automatically. */
  readonly isOffline?: boolean;
}

export interface UnsentComments {
  readonly draft: UnsentComment;
  /** Submitted comments that are still being sent or have failed, oldest first. */
  readonly sent: readonly UnsentComment[];
  /** Stored comments that are being edited, by id. */
  readonly edits: CommentEdits;
  readonly rejected: readonly RejectedFile[];
}

export type UnsentCommentActions = ReturnType<typeof createUnsentCommentStore>;

const createDraft = (): UnsentComment => ({ id: createId(), content: '', files: [], status: 'draft' });

export const isEmptyDraft = ({ content, files }: UnsentComment) => content.trim() === '' && files.length === 0;

/** Returns why the comment can't be sent, or undefined if it can. Ignores files that are still uploading. */
export function findDraftError({ content, mentions = [], files }: UnsentComment): string | undefined {
  if (encodeMentions(content.trim(), mentions).length > MAX_COMMENT_LENGTH)
    return `Comment must be at most ${formatCount(MAX_COMMENT_LENGTH)} characters`;
  return files.some(isPermanentFailure) ? "Remove the files that couldn't be uploaded" : undefined;
}

export const isPermanentFailure = ({ status, canRetry }: PendingFile) => status === 'failed' && !canRetry;

/** Creates a store for one person's unsent comments on one job, which survive navigation. Texts and uploads also survive a reload. */
function createUnsentCommentStore(queryClient: QueryClient, jobId: string, storageKey: string) {
  let state = restoreFromSession(storageKey);
  const listeners = new Set<() => void>();
  const filesById = new Map<string, File>();
  const uploads = new Map<string, AbortController>();
  const postingIds = new Set<string>();
  /** When the connection was last lost, in epoch ms; null if nothing is waiting for a connection. */
  let connectionLostAt: number | null = state.sent.some(({ isUncertain }) => isUncertain) ? 0 : null;
  let retryDelayMs = FIRST_RETRY_DELAY_MS;
  const recordConnectionLoss = (error: unknown) => {
    if (isNetworkFailure(error) || isAbortOrTimeout(error)) connectionLostAt = Date.now();
  };

  let isSuspended = false;

  const setState = (change: Partial<UnsentComments>) => {
    state = { ...state, ...change };
    saveToSession(storageKey, state);
    for (const listener of listeners) listener();
  };
  const listAll = () => [...state.sent, state.draft];
  const findComment = (id: string) => listAll().find((comment) => comment.id === id);
  const updateComment = (id: string, change: Partial<UnsentComment>) => {
    const withChange = (comment: UnsentComment) => (comment.id === id ? { ...comment, ...change } : comment);
    setState({ draft: withChange(state.draft), sent: state.sent.map(withChange) });
  };
  const findOwner = (fileId: string) => listAll().find(({ files }) => files.some(({ id }) => id === fileId));
  const updateFile = (id: string, change: Partial<PendingFile>) => {
    const owner = findOwner(id);
    if (owner) updateComment(owner.id, { files: owner.files.map((file) => (file.id === id ? { ...file, ...change } : file)) });
  };
  const releaseFiles = (files: readonly PendingFile[]) => {
    for (const { id, preview } of files) {
      uploads.get(id)?.abort();
      filesById.delete(id);
      if (preview?.startsWith('blob:')) URL.revokeObjectURL(preview);
    }
  };

  /** Starts waiting uploads. Files of submitted comments come before files of the draft. */
  const startUploads = () => {
    if (isSuspended) return;
    const waiting = listAll().flatMap(({ files }) => files.filter(({ status }) => status === 'waiting'));
    for (const { id } of waiting.slice(0, Math.max(0, MAX_PARALLEL_UPLOADS - uploads.size))) void uploadFile(id);
  };
  const uploadFile = async (id: string) => {
    const file = filesById.get(id);
    if (!file) return;
    const controller = new AbortController();
    uploads.set(id, controller);
    updateFile(id, { status: 'uploading', progress: 0, problem: undefined });
    try {
      await uploadAttachment(queryClient, {
        id,
        file,
        onProgress: (progress) => updateFile(id, { progress }),
        signal: controller.signal,
        isQueued: true,
      });
      updateFile(id, { status: 'uploaded', progress: 1 });
    } catch (error) {
      if (!controller.signal.aborted) {
        recordConnectionLoss(error);
        const isOffline = isNetworkFailure(error);
        const problem = isOffline ? UPLOADED_LATER_MESSAGE : getErrorMessage(error);
        updateFile(id, { status: 'failed', problem, canRetry: isRetryableError(error), isOffline });
      }
    } finally {
      uploads.delete(id);
    }
    startUploads();
    const owner = findOwner(id);
    if (owner) void postComment(owner.id);
  };

  const postComment = async (id: string) => {
    const comment = findComment(id);
    if (comment?.status !== 'sending' || postingIds.has(id) || isSuspended) return;
    const { content, mentions = [], files } = comment;
    const failed = files.filter(({ status }) => status === 'failed');
    if (failed.length > 0) {
      updateComment(id, { status: 'failed', problem: 'Failed to upload files', isOffline: failed.every((file) => file.isOffline) });
      return;
    }
    if (files.some(({ status }) => status !== 'uploaded')) return;
    postingIds.add(id);
    try {
      await addComment(queryClient, {
        id,
        job_id: jobId,
        content: encodeMentions(content.trim(), mentions),
        file_ids: files.map((file) => file.id),
      });
      removeComment(id);
      retryDelayMs = FIRST_RETRY_DELAY_MS;
    } catch (error) {
      recordConnectionLoss(error);
      const problem = `Failed to add comment: ${getErrorMessage(error)}`;
      updateComment(id, { status: 'failed', problem, isUncertain: isRetryableError(error), isOffline: isNetworkFailure(error) });
    } finally {
      postingIds.delete(id);
    }
  };
  /** Returns true if the server doesn't have the comment. Editing gives a comment a new id, so a stored comment would appear twice. */
  const isMissingOnServer = async (id: string): Promise<boolean> => {
    try {
      const rows = await refetchComments(queryClient, jobId);
      if (!rows.some((row) => row.id === id)) return true;
      removeComment(id);
    } catch (error) {
      updateComment(id, { problem: `Failed to edit comment: ${getErrorMessage(error)}`, isOffline: false });
    }
    return false;
  };
  const setEdit = (id: string, edit: CommentEdit) => setState({ edits: { ...state.edits, [id]: edit } });
  /** Puts a text before newer text of the draft. */
  const prependToDraft = (content: string, mentions: readonly Mention[] = [], files: readonly PendingFile[] = []): UnsentComment => ({
    ...state.draft,
    content: [content, state.draft.content].filter((text) => text.trim() !== '').join('\n'),
    mentions: [...mentions, ...(state.draft.mentions ?? [])],
    files: [...files, ...state.draft.files],
  });
  const removeComment = (id: string) => {
    releaseFiles(findComment(id)?.files ?? []);
    setState({ sent: state.sent.filter((comment) => comment.id !== id) });
  };

  const store = {
    getSnapshot: () => state,
    subscribe: (listener: () => void) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    setContent: (content: string) => updateComment(state.draft.id, { content }),
    addMention: (mention: Mention) => updateComment(state.draft.id, { mentions: [...(state.draft.mentions ?? []), mention] }),
    addFiles: (files: readonly File[]) => {
      const rejected: RejectedFile[] = [];
      const added: PendingFile[] = [];
      for (const file of files) {
        const isFull = state.draft.files.length + added.length >= MAX_COMMENT_FILES;
        const problem = findAttachmentError(file) ?? (isFull ? TOO_MANY_FILES_ERROR : null);
        if (problem !== null) {
          rejected.push({ id: createId(), name: file.name, problem });
          continue;
        }
        const id = createId();
        filesById.set(id, file);
        const preview = isImageMimeType(file.type) ? URL.createObjectURL(file) : null;
        const { name, size, type } = file;
        added.push({ id, name, size, type, status: 'waiting', progress: 0, canRetry: true, preview });
      }
      setState({ rejected, draft: { ...state.draft, files: [...state.draft.files, ...added] } });
      startUploads();
    },
    /** Removes the file and cancels its upload. The server later deletes uploaded files that no comment uses. */
    removeFile: (id: string) => {
      const owner = findOwner(id);
      if (!owner) return;
      releaseFiles(owner.files.filter((file) => file.id === id));
      const remaining = { ...owner, files: owner.files.filter((file) => file.id !== id) };
      updateComment(owner.id, { files: remaining.files });
      startUploads();
      // The submitted comment may have been waiting for this file, or may now have no content at all.
      if (remaining.status !== 'draft' && isEmptyDraft(remaining)) removeComment(remaining.id);
      else void postComment(remaining.id);
    },
    /** Retries the upload. If sending the comment has failed, retries the comment too. */
    retryFile: (id: string) => {
      const owner = findOwner(id);
      if (owner?.status === 'failed') return store.retry(owner.id);
      updateFile(id, { status: 'waiting', problem: undefined });
      startUploads();
    },
    dismissRejected: () => setState({ rejected: [] }),
    /** Moves the draft to the list immediately. The comment is posted once its files are uploaded. */
    send: () => {
      const { draft, sent } = state;
      if (isEmptyDraft(draft) || findDraftError(draft) !== undefined) return;
      setState({ draft: createDraft(), sent: [...sent, { ...draft, status: 'sending' }], rejected: [] });
      store.retry(draft.id);
    },
    retry: (id: string) => {
      const files = findComment(id)?.files ?? [];
      const withRetry = (file: PendingFile): PendingFile =>
        file.status === 'failed' && file.canRetry ? { ...file, status: 'waiting', problem: undefined } : file;
      updateComment(id, { status: 'sending', problem: undefined, files: files.map(withRetry) });
      startUploads();
      void postComment(id);
    },
    /** Retries all comments and files that may have failed because the connection was lost. */
    retryAll: () => {
      if (isSuspended) return;
      for (const { id, isUncertain, files } of state.sent.filter(({ status }) => status === 'failed'))
        if (!files.some(isPermanentFailure) && (isUncertain || files.some(({ status }) => status === 'failed'))) store.retry(id);
      for (const { id, status, canRetry } of state.draft.files) if (status === 'failed' && canRetry) store.retryFile(id);
    },
    /** Called after any successful query, which proves that the server is reachable again. */
    retryAfterConnectionLoss: () => {
      if (connectionLostAt === null || Date.now() - connectionLostAt < retryDelayMs) return;
      connectionLostAt = null;
      retryDelayMs = Math.min(retryDelayMs * 2, MAX_RETRY_DELAY_MS);
      store.retryAll();
    },
    /** Moves a failed comment back into the draft, before newer text. Returns false if the comment is stored or can't be edited. */
    edit: async (id: string): Promise<boolean> => {
      if (findComment(id)?.isUncertain && !(await isMissingOnServer(id))) return false;
      const comment = findComment(id);
      if (comment?.status !== 'failed') return false;
      const draft = { ...prependToDraft(comment.content, comment.mentions, comment.files), id: createId() };
      setState({ draft, sent: state.sent.filter((other) => other.id !== id) });
      return true;
    },
    startEdit: (comment: JobComment) => setEdit(comment.id, createCommentEdit(comment)),
    changeEdit: (id: string, change: Partial<CommentEdit>) => {
      const edit = state.edits[id];
      if (edit) setEdit(id, { ...edit, ...change });
    },
    discardEdit: (id: string) => setState({ edits: pickEdits(state.edits, (_, other) => other !== id) }),
    /** Ends the edit once its text is stored, unless the person has typed more since. */
    finishEdit: (saved: JobComment, sentContent: string) => {
      const edit = state.edits[saved.id];
      if (edit && encodeEdit(edit) !== sentContent) setEdit(saved.id, { ...edit, base: saved });
      else store.discardEdit(saved.id);
    },
    /** Moves the changed texts of deleted comments to the draft. Returns true if there were any. `ids` are the comments that exist. */
    rescueEdits: (ids: ReadonlySet<string>): boolean => {
      const lost = Object.values(pickEdits(state.edits, (_, id) => !ids.has(id)));
      if (lost.length === 0) return false;
      setState({ edits: pickEdits(state.edits, (_, id) => ids.has(id)) });
      const changed = lost.filter(isEditChanged);
      for (const { text, mentions } of changed) setState({ draft: prependToDraft(text, mentions) });
      return changed.length > 0;
    },
    /** Removes comments that are stored on the server, for example because only the response was lost. */
    removeStored: (ids: ReadonlySet<string>) => {
      for (const { id } of state.sent) if (ids.has(id) && !postingIds.has(id)) removeComment(id);
    },
    /** Stops sending when the session ends. `resume` continues once the same person signs in again. */
    suspend: () => {
      isSuspended = true;
      for (const [id, controller] of uploads) {
        controller.abort();
        updateFile(id, { status: 'waiting' });
      }
    },
    resume: () => {
      if (!isSuspended) return;
      isSuspended = false;
      store.retryAll();
      startUploads();
      for (const { id } of state.sent) void postComment(id);
    },
    clear: () => {
      for (const { files } of listAll()) releaseFiles(files);
      setState({ draft: createDraft(), sent: [], edits: {}, rejected: [] });
      sessionStorage.removeItem(storageKey);
    },
  };
  for (const { id } of state.sent) void postComment(id);
  return store;
}

/** Saves texts and file names, but not file contents. After a reload, the user must add unfinished files again. */
function saveToSession(key: string, { draft, sent, ...state }: UnsentComments): void {
  const edits = pickEdits(state.edits, isEditChanged);
  if (isEmptyDraft(draft) && sent.length === 0 && Object.keys(edits).length === 0) return sessionStorage.removeItem(key);
  try {
    sessionStorage.setItem(key, JSON.stringify({ draft, sent, edits }));
  } catch {
    // Text that exceeds the storage quota is also far too long to send, which the form already reports. So ignore this error.
  }
}

function restoreFromSession(key: string): UnsentComments {
  const text = sessionStorage.getItem(key);
  if (text === null) return { draft: createDraft(), sent: [], edits: {}, rejected: [] };
  // Tabs that were open before comments could be edited have no edits.
  const { draft, sent, edits = {} } = JSON.parse(text) as Pick<UnsentComments, 'draft' | 'sent'> & Partial<UnsentComments>;
  const restoreComment = (comment: UnsentComment): UnsentComment => ({ ...comment, files: comment.files.map(restoreFile) });
  // A duplicated tab restores the same draft. With a new id, each tab can send its draft as a separate comment.
  return { draft: { ...restoreComment(draft), id: createId() }, sent: sent.map(restoreComment), edits, rejected: [] };
}

function restoreFile(file: PendingFile): PendingFile {
  const isUploaded = file.status === 'uploaded';
  const preview = file.preview === null ? null : `/api/files/${file.id}/thumbnail`;
  return isUploaded ? { ...file, preview } : { ...file, preview: null, status: 'failed', canRetry: false, problem: LOST_FILE_MESSAGE };
}

const storesByClient = new WeakMap<QueryClient, Map<string, UnsentCommentActions>>();

function getStores(queryClient: QueryClient): Map<string, UnsentCommentActions> {
  const existing = storesByClient.get(queryClient);
  if (existing) return existing;
  const stores = new Map<string, UnsentCommentActions>();
  storesByClient.set(queryClient, stores);
  // Session storage survives a reload, but is lost when the tab closes. So warn the user if there are unsent comments.
  window.addEventListener('beforeunload', (event) => {
    if ([...stores.keys()].some((key) => sessionStorage.getItem(key) !== null)) event.preventDefault();
  });
  window.addEventListener('online', () => {
    for (const store of stores.values()) store.retryAll();
  });
  // A weak signal or a server restart fires no `online` event, so also retry after a successful query.
  queryClient.getQueryCache().subscribe((event) => {
    if (event.type !== 'updated' || event.action.type !== 'success' || event.action.manual) return;
    for (const store of stores.values()) store.retryAfterConnectionLoss();
  });
  // The next person's account must not send these comments. They stay in the tab until their author signs in again or signs out.
  onSessionEnd((reason) => {
    for (const store of stores.values()) store.suspend();
    if (reason !== 'signed-out') return;
    for (const store of stores.values()) store.clear();
    stores.clear();
  });
  return stores;
}

export function useUnsentComments(jobId: string): UnsentComments & { readonly actions: UnsentCommentActions } {
  const queryClient = useQueryClient();
  const key = buildSessionDraftKey(useMe().user.id, `/jobs/${jobId}`, 'comment');
  const stores = getStores(queryClient);
  const store = stores.get(key) ?? createUnsentCommentStore(queryClient, jobId, key);
  stores.set(key, store);
  useEffect(() => store.resume(), [store]);
  const state = useSyncExternalStore(store.subscribe, store.getSnapshot);
  return { ...state, actions: store };
}
