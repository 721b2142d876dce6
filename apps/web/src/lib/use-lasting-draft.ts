import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { FieldValues, Path, PathValue, UseFormReturn } from 'react-hook-form';
import { toast } from '../ui/toast.ts';
import { allowDrafts, lastingDraftKey, mayKeepDrafts } from './draft-storage.ts';
import { newId } from './new-id.ts';
import { onSessionEnd } from './session-end.ts';
import { type Fields, findDrafts, keepDraft, type StoredDraft, slotKey } from './stored-drafts.ts';
import { RESTORED } from './use-draft.ts';

const WRITE_DELAY_MS = 400;
/** How long other tabs have to say that a draft is theirs. */
const ANSWER_MS = 250;
const ASK_FOR_SLOTS = 'ask for slots';

export interface LastingDraftOptions {
  /** Of a new record. */
  recordId?: (() => string) | undefined;
  restoreRecordId?: ((id: string) => void) | undefined;
  /** For a duplicated tab, whose new record is another one: gives what was typed ids of its own. */
  copyFields?: ((fields: Fields) => Fields) | undefined;
}

interface DraftContext {
  person: string;
  part: string;
  base: () => unknown;
  restoreBase: (base: unknown) => void;
  /** Whether the person has chosen to leave what was typed behind. */
  isLeftBehind: () => boolean;
}

/**
 * Keeps what is typed in this browser while it is typed, so that it outlives a reload, a killed tab and a crash. Each tab has a slot of its
 * own: two tabs with the same form never overwrite each other. A form takes over the slot of its tab, or the newest of tabs that are gone;
 * a duplicated tab starts with a copy.
 */
export function useLastingDraft<Input extends FieldValues, Output>(
  form: UseFormReturn<Input, unknown, Output>,
  options: LastingDraftOptions | undefined,
  context: DraftContext,
) {
  const { dirtyFields, isDirty } = form.formState;
  const [isRestored, setRestored] = useState(false);
  const [isFull, setFull] = useState(false);
  const latest = useRef({ ...context, options, dirty: [] as string[] });
  useLayoutEffect(() => {
    latest.current = { ...context, options, dirty: isDirty ? Object.keys(dirtyFields) : [] };
  });
  const write = useRef<() => void>(undefined);
  const isOn = options !== undefined;
  const { person, part } = context;

  useEffect(() => {
    if (!isOn) return undefined;
    allowDrafts(person);
    const key = lastingDraftKey(person, window.location.pathname, part);
    const channel = new BroadcastChannel(key);
    const stop = new AbortController();
    const { signal } = stop;
    const slot = newId();
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isReady = false;
    /** What another build kept in fields that this form does not have: it stays with the draft. */
    let unknown: Fields = [];
    let isExpired = false;

    const store = () => {
      clearTimeout(timer);
      timer = undefined;
      if (!isReady || !mayKeepDrafts(person)) return;
      const { dirty, base, options: current } = latest.current;
      if (dirty.length === 0) return localStorage.removeItem(slotKey(key, slot));
      const typed = dirty.map((field) => [field, form.getValues(field as Path<Input>)] as const);
      const isKept = keepDraft(person, slotKey(key, slot), {
        kept_at: Date.now(),
        fields: [...typed, ...unknown],
        base: base(),
        record_id: current?.recordId?.(),
      });
      setFull(!isKept);
    };
    write.current = store;
    const schedule = () => {
      timer ??= setTimeout(store, WRITE_DELAY_MS);
    };
    const flush = () => timer !== undefined && store();

    /** Tells whether the form has any of its fields: another build may have others. */
    const fill = ({ fields, base, record_id: recordId }: StoredDraft, isCopy: boolean): boolean => {
      const { restoreBase, options: current } = latest.current;
      const values = form.getValues();
      const fitting = fields.filter(([field, value]) => field in values && isSameKind(value, values[field]));
      if (fitting.length === 0) return false;
      unknown = fields.filter((field) => !fitting.includes(field));
      try {
        if (base !== undefined) restoreBase(base);
      } catch {
        // A record as another build knew it: then what was typed stands over the present one.
      }
      for (const [field, value] of isCopy ? (current?.copyFields?.(fitting) ?? fitting) : fitting) {
        form.setValue(field as Path<Input>, value as PathValue<Input, Path<Input>>, { shouldDirty: true });
      }
      if (!isCopy && recordId !== undefined) current?.restoreRecordId?.(recordId);
      setRestored(true);
      return true;
    };
    const begin = () => {
      isReady = true;
      sessionStorage.setItem(key, slot);
      channel.addEventListener('message', ({ data }) => data === ASK_FOR_SLOTS && channel.postMessage(slot), { signal });
    };
    const restore = async () => {
      const found = findDrafts(key);
      const ofTab = sessionStorage.getItem(key);
      if (found.length > 0) {
        const living = await findLivingSlots(channel);
        if (signal.aborted) return;
        const own = found.find((draft) => draft.slot === ofTab);
        const chosen = own ?? found.find((draft) => !living.has(draft.slot));
        // Whoever was quicker than the other tabs' answers goes on with what they typed; the draft waits for the next time.
        if (chosen && latest.current.dirty.length === 0) {
          const isCopy = living.has(chosen.slot);
          // It is never nowhere: the tab may be gone before it writes itself.
          const isMoved = fill(chosen.draft, isCopy) && !isCopy && keepDraft(person, slotKey(key, slot), chosen.draft);
          if (isMoved) localStorage.removeItem(slotKey(key, chosen.slot));
        }
      }
      begin();
      schedule();
    };
    void restore();

    const unsubscribe = form.subscribe({ formState: { values: true, isDirty: true, dirtyFields: true }, callback: schedule });
    window.addEventListener('pagehide', flush, { signal });
    document.addEventListener('visibilitychange', () => document.hidden && flush(), { signal });
    const unsubscribeSession = onSessionEnd((how) => {
      isExpired = how !== 'signed-out';
      if (isExpired) store();
      else localStorage.removeItem(slotKey(key, slot));
    });
    return () => {
      unsubscribe();
      unsubscribeSession();
      stop.abort();
      channel.close();
      if (!isExpired && latest.current.isLeftBehind()) localStorage.removeItem(slotKey(key, slot));
      else flush();
      clearTimeout(timer);
    };
  }, [form, isOn, person, part]);

  useEffect(() => {
    // Saved or discarded: nothing may bring it back, not even when the tab is closed at once.
    if (!isDirty) write.current?.();
  }, [isDirty]);

  return {
    isRestored: isRestored && isDirty,
    forgetRestored: useCallback(() => setRestored(false), []),
    /** The browser has no room: what is typed is on the page only. */
    isFull,
  };
}

interface LastingFormOptions extends Pick<DraftContext, 'person' | 'isLeftBehind'> {
  part?: string;
  /** Of a new record, made once per form. */
  newId?: readonly [id: string, setId: (id: string) => void];
}

/** The same for a form that edits no stored record; says what was restored. */
export function useLastingForm<Input extends FieldValues, Output>(
  form: UseFormReturn<Input, unknown, Output>,
  { person, part = '', newId: ofNew, isLeftBehind }: LastingFormOptions,
): { isFull: boolean } {
  const options = {
    recordId: ofNew && (() => ofNew[0]),
    restoreRecordId: ofNew?.[1],
  };
  const context = { person, part, base: () => undefined, restoreBase: () => undefined, isLeftBehind };
  const { isRestored, isFull } = useLastingDraft(form, options, context);
  useEffect(() => {
    if (isRestored) toast.blank(RESTORED);
  }, [isRestored]);
  return { isFull };
}

/** What another build kept under the same name may be something else. */
function isSameKind(kept: unknown, value: unknown): boolean {
  if (!Array.isArray(kept) || !Array.isArray(value)) return typeof kept === typeof value && Array.isArray(kept) === Array.isArray(value);
  return kept.every((row) => typeof row === 'object' && row !== null);
}

/** The slots of tabs that are open now. */
function findLivingSlots(channel: BroadcastChannel): Promise<ReadonlySet<string>> {
  const living = new Set<string>();
  const hear = ({ data }: MessageEvent) => typeof data === 'string' && data !== ASK_FOR_SLOTS && living.add(data);
  channel.addEventListener('message', hear);
  channel.postMessage(ASK_FOR_SLOTS);
  return new Promise((resolve) => {
    setTimeout(() => {
      channel.removeEventListener('message', hear);
      resolve(living);
    }, ANSWER_MS);
  });
}
