import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { FieldValues, Path, PathValue, UseFormReturn } from 'react-hook-form';
import { toast } from '../ui/toast.ts';
import { createId } from './create-id.ts';
import { allowSavingDrafts, buildPersistentDraftKey, canSaveDrafts } from './draft-keys.ts';
import {
  buildDraftSlotKey,
  type DraftFields,
  listPersistentDrafts,
  type PersistentDraft,
  savePersistentDraft,
} from './persistent-drafts.ts';
import { onSessionEnd } from './session-end.ts';
import { DRAFT_RESTORED_MESSAGE } from './use-session-draft.ts';

const WRITE_DELAY_MS = 400;
/** Time within which other tabs must claim their drafts. */
const SLOT_RESPONSE_TIMEOUT_MS = 250;
const SLOT_REQUEST = 'ask for slots';

export interface PersistentDraftOptions {
  recordId?: (() => string) | undefined;
  restoreRecordId?: ((id: string) => void) | undefined;
  /** Replaces the ids in a draft when its tab is duplicated, because the copy becomes a separate record. */
  copyFields?: ((fields: DraftFields) => DraftFields) | undefined;
}

interface DraftContext {
  person: string;
  part: string;
  base: () => unknown;
  restoreBase: (base: unknown) => void;
  /** Returns true if the user chose to leave without saving. */
  isAbandoned: () => boolean;
}

/**
 * Saves unsaved edits in localStorage as the user types, so that they survive a reload, a closed tab or a crash. Each tab has its own slot,
 * so two tabs with the same form never overwrite each other. A form restores its own tab's draft, or else the newest draft of a closed tab;
 * a duplicated tab gets a copy.
 */
export function usePersistentDraft<Input extends FieldValues, Output>(
  form: UseFormReturn<Input, unknown, Output>,
  options: PersistentDraftOptions | undefined,
  context: DraftContext,
) {
  const { dirtyFields, isDirty } = form.formState;
  const [isRestored, setRestored] = useState(false);
  const [isStorageFull, setStorageFull] = useState(false);
  const latest = useRef({ ...context, options, dirty: [] as string[] });
  useLayoutEffect(() => {
    latest.current = { ...context, options, dirty: isDirty ? Object.keys(dirtyFields) : [] };
  });
  const write = useRef<() => void>(undefined);
  const isEnabled = options !== undefined;
  const { person, part } = context;

  useEffect(() => {
    if (!isEnabled) return undefined;
    allowSavingDrafts(person);
    const key = buildPersistentDraftKey(person, window.location.pathname, part);
    const channel = new BroadcastChannel(key);
    const controller = new AbortController();
    const { signal } = controller;
    const slot = createId();
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isReady = false;
    /** Fields of another build's draft that this form doesn't have. They stay in the draft, so that the other build can restore them. */
    let unknownFields: DraftFields = [];
    let isExpired = false;

    const store = () => {
      clearTimeout(timer);
      timer = undefined;
      if (!isReady || !canSaveDrafts(person)) return;
      const { dirty, base, options: current } = latest.current;
      if (dirty.length === 0) return localStorage.removeItem(buildDraftSlotKey(key, slot));
      const typed = dirty.map((field) => [field, form.getValues(field as Path<Input>)] as const);
      const isSaved = savePersistentDraft(person, buildDraftSlotKey(key, slot), {
        kept_at: Date.now(),
        fields: [...typed, ...unknownFields],
        base: base(),
        record_id: current?.recordId?.(),
      });
      setStorageFull(!isSaved);
    };
    write.current = store;
    const schedule = () => {
      timer ??= setTimeout(store, WRITE_DELAY_MS);
    };
    const flush = () => timer !== undefined && store();

    /** Restores a draft. Returns false if the form has none of its fields, as can happen with another build's draft. */
    const fillForm = ({ fields, base, record_id: recordId }: PersistentDraft, isCopy: boolean): boolean => {
      const { restoreBase, options: current } = latest.current;
      const values = form.getValues();
      const matching = fields.filter(([field, value]) => field in values && hasSameType(value, values[field]));
      if (matching.length === 0) return false;
      unknownFields = fields.filter((field) => !matching.includes(field));
      try {
        if (base !== undefined) restoreBase(base);
      } catch {
        // Another build may have saved the base in a different shape, so apply the draft to the current version instead.
      }
      for (const [field, value] of isCopy ? (current?.copyFields?.(matching) ?? matching) : matching) {
        form.setValue(field as Path<Input>, value as PathValue<Input, Path<Input>>, { shouldDirty: true });
      }
      if (!isCopy && recordId !== undefined) current?.restoreRecordId?.(recordId);
      setRestored(true);
      return true;
    };
    const claimSlot = () => {
      isReady = true;
      sessionStorage.setItem(key, slot);
      channel.addEventListener('message', ({ data }) => data === SLOT_REQUEST && channel.postMessage(slot), { signal });
    };
    const restore = async () => {
      const drafts = listPersistentDrafts(key);
      const previousSlot = sessionStorage.getItem(key);
      if (drafts.length > 0) {
        const openSlots = await listOpenSlots(channel);
        if (signal.aborted) return;
        const ownDraft = drafts.find((draft) => draft.slot === previousSlot);
        const chosen = ownDraft ?? drafts.find((draft) => !openSlots.has(draft.slot));
        // If the user started typing before the other tabs responded, the new edits win and the draft waits for the next visit.
        if (chosen && latest.current.dirty.length === 0) {
          const isCopy = openSlots.has(chosen.slot);
          // Copy the draft to this tab's slot before removing the old slot, because the tab may be closed before its first write.
          const isMoved =
            fillForm(chosen.draft, isCopy) && !isCopy && savePersistentDraft(person, buildDraftSlotKey(key, slot), chosen.draft);
          if (isMoved) localStorage.removeItem(buildDraftSlotKey(key, chosen.slot));
        }
      }
      claimSlot();
      schedule();
    };
    void restore();

    const unsubscribe = form.subscribe({ formState: { values: true, isDirty: true, dirtyFields: true }, callback: schedule });
    window.addEventListener('pagehide', flush, { signal });
    document.addEventListener('visibilitychange', () => document.hidden && flush(), { signal });
    const unsubscribeSession = onSessionEnd((end) => {
      isExpired = end !== 'signed-out';
      if (isExpired) store();
      else localStorage.removeItem(buildDraftSlotKey(key, slot));
    });
    return () => {
      unsubscribe();
      unsubscribeSession();
      controller.abort();
      channel.close();
      if (!isExpired && latest.current.isAbandoned()) localStorage.removeItem(buildDraftSlotKey(key, slot));
      else flush();
      clearTimeout(timer);
    };
  }, [form, isEnabled, person, part]);

  useEffect(() => {
    // Deletes the draft immediately after a save or discard, in case the tab is closed before the delayed write.
    if (!isDirty) write.current?.();
  }, [isDirty]);

  return {
    isRestored: isRestored && isDirty,
    clearRestored: useCallback(() => setRestored(false), []),
    /** True if the storage quota is exceeded, so that edits can't be saved as a draft. */
    isStorageFull,
  };
}

interface FormDraftOptions extends Pick<DraftContext, 'person' | 'isAbandoned'> {
  part?: string;
  /** State that holds the new record's id, which is created once per form. */
  newRecordId?: readonly [id: string, setId: (id: string) => void];
}

/** Saves a persistent draft for a form that doesn't edit a stored record. Shows a toast when a draft is restored. */
export function usePersistentFormDraft<Input extends FieldValues, Output>(
  form: UseFormReturn<Input, unknown, Output>,
  { person, part = '', newRecordId: newIdState, isAbandoned }: FormDraftOptions,
): { isStorageFull: boolean } {
  const options = {
    recordId: newIdState && (() => newIdState[0]),
    restoreRecordId: newIdState?.[1],
  };
  const context = { person, part, base: () => undefined, restoreBase: () => undefined, isAbandoned };
  const { isRestored, isStorageFull } = usePersistentDraft(form, options, context);
  useEffect(() => {
    if (isRestored) toast.blank(DRAFT_RESTORED_MESSAGE);
  }, [isRestored]);
  return { isStorageFull };
}

/** Returns false if another build saved a different type of value under the same field name. */
function hasSameType(saved: unknown, value: unknown): boolean {
  if (!Array.isArray(saved) || !Array.isArray(value)) return typeof saved === typeof value && Array.isArray(saved) === Array.isArray(value);
  return saved.every((row) => typeof row === 'object' && row !== null);
}

/** Asks the other tabs for their slots and returns all slots in use. */
function listOpenSlots(channel: BroadcastChannel): Promise<ReadonlySet<string>> {
  const openSlots = new Set<string>();
  const onMessage = ({ data }: MessageEvent) => typeof data === 'string' && data !== SLOT_REQUEST && openSlots.add(data);
  channel.addEventListener('message', onMessage);
  channel.postMessage(SLOT_REQUEST);
  return new Promise((resolve) => {
    setTimeout(() => {
      channel.removeEventListener('message', onMessage);
      resolve(openSlots);
    }, SLOT_RESPONSE_TIMEOUT_MS);
  });
}
