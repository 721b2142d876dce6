import type { JobComment } from '@callout/contract/comments';
import { encodeMentions, type Mention } from '@callout/domain/comments/mention';
import { findAttachmentError, MAX_COMMENT_FILES, MAX_COMMENT_LENGTH, TOO_MANY_FILES_ERROR } from '@callout/domain/files/attachment';
import { isImageMimeType } from '@callout/domain/files/file-types';
import { formatCount } from '@callout/domain/text/count-format';
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import type { PendingFile, RejectedFile } from '../../lib/attachments/pending-file.ts';
import { readScaled } from '../../lib/attachments/scale-photo.ts';
import { findStoredFile, removeStoredFiles, storeFile } from '../../lib/commands/outbox.ts';
import { createId } from '../../lib/create-id.ts';
import { buildSessionDraftKey } from '../../lib/draft-keys.ts';
import { onSessionEnd } from '../../lib/session-end.ts';
import { toast } from '../../ui/toast.ts';
import { useMe } from '../company/company.api.ts';
import { type CommentEdit, type CommentEdits, createCommentEdit, encodeEdit, isEditChanged, pickEdits } from './comment-edit.ts';

const UNREADABLE_FILE_MESSAGE = 'This file could not be read. Please add it again.';
const LOST_FILE_MESSAGE = 'The page was closed before this file was stored. Please add it again.';
const NO_ROOM_MESSAGE = 'This device has no room left for your files. Keep this page open until your comment has been sent.';

export interface CommentDraft {
  readonly id: string;
  /** The text as typed, with names where people are mentioned. */
  readonly content: string;
  /** People who were picked while typing. Their names may have been removed from the text since. */
  readonly mentions?: readonly Mention[];
  readonly files: readonly PendingFile[];
}

export interface CommentDrafts {
  /** The comment that is being written. */
  readonly draft: CommentDraft;
  /** Stored comments that are being edited, by id. */
  readonly edits: CommentEdits;
  readonly rejected: readonly RejectedFile[];
}

export type CommentDraftActions = ReturnType<typeof createDraftStore>;

const createDraft = (): CommentDraft => ({ id: createId(), content: '', files: [] });

const createDrafts = (): CommentDrafts => ({ draft: createDraft(), edits: {}, rejected: [] });

export const isEmptyDraft = ({ content, files }: CommentDraft) => content.trim() === '' && files.length === 0;

export const encodeDraft = ({ content, mentions = [] }: CommentDraft) => encodeMentions(content.trim(), mentions);

/** Returns why the comment can't be posted, or undefined if it can. */
export function findDraftError(draft: CommentDraft): string | undefined {
  if (encodeDraft(draft).length > MAX_COMMENT_LENGTH) return `Comment must be at most ${formatCount(MAX_COMMENT_LENGTH)} characters`;
  return draft.files.some(({ status }) => status === 'failed') ? "Remove the files that couldn't be added" : undefined;
}

/** Creates a store for what one person has typed, and not yet posted, in one job's comments. It survives navigation and a reload. */
function createDraftStore(storageKey: string) {
  let state = restoreFromSession(storageKey) ?? restoreFromSession(storageKey.replace(/-draft$/, '')) ?? createDrafts();
  const listeners = new Set<() => void>();
  /** Photos are scaled one after the other, because each takes 50 MB while it is. */
  let preparation: Promise<void> = Promise.resolve();

  const setState = (change: Partial<CommentDrafts>) => {
    state = { ...state, ...change };
    saveToSession(storageKey, state);
    for (const listener of listeners) listener();
  };
  const updateDraft = (change: Partial<CommentDraft>) => setState({ draft: { ...state.draft, ...change } });
  const hasFile = (id: string) => state.draft.files.some((file) => file.id === id);
  const updateFile = (id: string, change: Partial<PendingFile>) =>
    updateDraft({ files: state.draft.files.map((file) => (file.id === id ? { ...file, ...change } : file)) });

  /** Stores the file's contents, because those of a File object are lost in a reload. */
  const prepareFile = async (id: string, file: File) => {
    if (!hasFile(id)) return;
    try {
      const bytes = await readScaled(file);
      if (!(await storeFile(id, bytes))) toast.error(NO_ROOM_MESSAGE);
      if (hasFile(id)) updateFile(id, { status: 'ready', size: bytes.byteLength });
      else await removeStoredFiles([id]);
    } catch {
      updateFile(id, { status: 'failed', problem: UNREADABLE_FILE_MESSAGE });
    }
  };
  const restorePreview = async ({ id, type }: PendingFile) => {
    const bytes = await findStoredFile(id);
    if (!hasFile(id)) return;
    if (!bytes) updateFile(id, { status: 'failed', problem: LOST_FILE_MESSAGE });
    else if (isImageMimeType(type)) updateFile(id, { preview: URL.createObjectURL(new Blob([bytes], { type })) });
  };
  const releasePreviews = (files: readonly PendingFile[]) => {
    for (const { preview } of files) if (preview !== null) URL.revokeObjectURL(preview);
  };
  const setEdit = (id: string, edit: CommentEdit) => setState({ edits: { ...state.edits, [id]: edit } });
  /** Puts a text before newer text of the draft. */
  const prependToDraft = (content: string, mentions: readonly Mention[] = [], files: readonly PendingFile[] = []) => {
    const { draft } = state;
    updateDraft({
      content: [content, draft.content].filter((text) => text.trim() !== '').join('\n'),
      mentions: [...mentions, ...(draft.mentions ?? [])],
      files: [...files, ...draft.files],
    });
  };

  const store = {
    getSnapshot: () => state,
    subscribe: (listener: () => void) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    setContent: (content: string) => updateDraft({ content }),
    addMention: (mention: Mention) => updateDraft({ mentions: [...(state.draft.mentions ?? []), mention] }),
    addFiles: (files: readonly File[]) => {
      const rejected: RejectedFile[] = [];
      const added: PendingFile[] = [];
      for (const file of files) {
        const isFull = state.draft.files.length + added.length >= MAX_COMMENT_FILES;
        const problem = findAttachmentError(file) ?? (isFull ? TOO_MANY_FILES_ERROR : null);
        const id = createId();
        const { name, size, type } = file;
        if (problem !== null) {
          rejected.push({ id, name, problem });
          continue;
        }
        const preview = isImageMimeType(type) ? URL.createObjectURL(file) : null;
        added.push({ id, name, size, type, status: 'preparing', progress: 0, canRetry: false, preview });
        preparation = preparation.then(() => prepareFile(id, file));
      }
      setState({ rejected, draft: { ...state.draft, files: [...state.draft.files, ...added] } });
    },
    removeFile: (id: string) => {
      releasePreviews(state.draft.files.filter((file) => file.id === id));
      updateDraft({ files: state.draft.files.filter((file) => file.id !== id) });
      void removeStoredFiles([id]);
    },
    dismissRejected: () => setState({ rejected: [] }),
    /** Resolves with the draft once its files are stored. */
    whenPrepared: async () => {
      await preparation;
      return state.draft;
    },
    /** Begins a new draft, because the given one has become a command or a stored comment, unless that has happened before. */
    finishDraft: (id: string) => {
      if (state.draft.id !== id) return;
      releasePreviews(state.draft.files);
      setState({ draft: createDraft(), rejected: [] });
    },
    /** Puts a refused comment back into the draft, before newer text. Its files get new ids, because the server may have the old ones. */
    takeBack: async (
      content: string,
      mentions: readonly Mention[],
      files: readonly Pick<PendingFile, 'id' | 'name' | 'type' | 'size'>[],
    ) => {
      const copies = files.map(async (file): Promise<PendingFile> => {
        const [id, bytes] = [createId(), await findStoredFile(file.id)];
        if (bytes) await storeFile(id, bytes);
        return { ...file, id, status: 'ready', progress: 0, canRetry: false, preview: null };
      });
      const restored = await Promise.all(copies);
      prependToDraft(content, mentions, restored);
      await Promise.all(restored.map(restorePreview));
    },
    startEdit: (comment: JobComment) => setEdit(comment.id, createCommentEdit(comment)),
    /** Continues an edit that the server has refused. */
    resumeEdit: setEdit,
    changeEdit: (id: string, change: Partial<CommentEdit>) => {
      const edit = state.edits[id];
      if (edit) setEdit(id, { ...edit, ...change });
    },
    discardEdit: (id: string) => setState({ edits: pickEdits(state.edits, (_, other) => other !== id) }),
    /** Ends the edit once its text is stored, unless the person has typed more since. */
    finishEdit: (saved: CommentEdit['base'] & { readonly id: string }, sentContent: string) => {
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
      for (const { text, mentions } of changed) prependToDraft(text, mentions);
      return changed.length > 0;
    },
    clear: () => {
      releasePreviews(state.draft.files);
      void removeStoredFiles(state.draft.files.map(({ id }) => id));
      setState(createDrafts());
      sessionStorage.removeItem(storageKey);
    },
  };
  for (const file of state.draft.files) if (file.status === 'ready') void restorePreview(file);
  return store;
}

function saveToSession(key: string, { draft, ...state }: CommentDrafts): void {
  const edits = pickEdits(state.edits, isEditChanged);
  if (isEmptyDraft(draft) && Object.keys(edits).length === 0) return sessionStorage.removeItem(key);
  try {
    sessionStorage.setItem(key, JSON.stringify({ draft, edits }));
  } catch {
    // Text that exceeds the storage quota is also far too long to post, which the form already reports. So ignore this error.
  }
}

/** Returns what this tab has saved, or what an earlier version has saved in it: see `comments-kept.api.ts`. */
function restoreFromSession(key: string): CommentDrafts | undefined {
  const text = sessionStorage.getItem(key);
  if (text === null) return undefined;
  const { draft, edits = {} } = JSON.parse(text) as Pick<CommentDrafts, 'draft'> & Partial<CommentDrafts>;
  // A duplicated tab restores the same draft. With a new id, each tab can post its draft as a separate comment.
  return { draft: { ...draft, id: createId(), files: draft.files.map(restoreFile) }, edits, rejected: [] };
}

const restoreFile = (file: PendingFile): PendingFile =>
  file.status === 'ready' ? { ...file, preview: null } : { ...file, preview: null, status: 'failed', problem: LOST_FILE_MESSAGE };

const storesByClient = new WeakMap<QueryClient, Map<string, CommentDraftActions>>();

function getStores(queryClient: QueryClient): Map<string, CommentDraftActions> {
  const existing = storesByClient.get(queryClient);
  if (existing) return existing;
  const stores = new Map<string, CommentDraftActions>();
  storesByClient.set(queryClient, stores);
  // Session storage survives a reload, but is lost when the tab closes.
  window.addEventListener('beforeunload', (event) => {
    if ([...stores.keys()].some((key) => sessionStorage.getItem(key) !== null)) event.preventDefault();
  });
  onSessionEnd((reason) => {
    if (reason !== 'signed-out') return;
    for (const store of stores.values()) store.clear();
    stores.clear();
  });
  return stores;
}

export function useCommentDrafts(jobId: string): CommentDrafts & { readonly actions: CommentDraftActions } {
  const queryClient = useQueryClient();
  const key = buildSessionDraftKey(useMe().user.id, `/jobs/${jobId}`, 'comment-draft');
  const stores = getStores(queryClient);
  const store = stores.get(key) ?? createDraftStore(key);
  stores.set(key, store);
  const state = useSyncExternalStore(store.subscribe, store.getSnapshot);
  return { ...state, actions: store };
}
