import { useEffect, useRef, useState } from 'react';
import {
  type ArrayPath,
  type Control,
  type DefaultValues,
  type FieldArray,
  type FieldValues,
  type Path,
  useFieldArray,
} from 'react-hook-form';
import { toast } from '../ui/toast.ts';
import { createId } from './create-id.ts';
import { getReadErrorMessage, hasErrorCode } from './error-messages.ts';
import type { FormDefinition } from './form-definition.ts';
import { type FormValues, getDifferences, mergeValues } from './merge-values.ts';
import { type PersistentDraftOptions, usePersistentDraft } from './use-persistent-draft.ts';
import { useServerForm } from './use-server-form.ts';
import { DRAFT_RESTORED_MESSAGE, useSessionDraft } from './use-session-draft.ts';

export interface RecordFormOptions<Values extends FormValues, Output, Stored extends { version: number }> {
  definition: FormDefinition<Values, Output, Stored>;
  /** Undefined while the record is new. */
  record?: Stored | undefined;
  /** Overrides the definition's initial values for a new record. */
  initial?: Partial<Values>;
  /** Id of the signed-in person, who owns the draft. */
  person: string;
  /** Distinguishes the drafts of several forms on the same page. */
  part?: string;
  /** State for a new record's id. Without this option, the draft of a new record survives an expired session but not a closed tab. */
  newRecordId?: readonly [id: string, setId: (id: string) => void];
  /** Replaces the default draft options, for forms that announce a restored draft themselves or have ids in their fields. */
  draftOptions?: PersistentDraftOptions;
  /** Returns null if the user decided not to save after all. */
  save: (input: Output, version: number) => Promise<Stored | null>;
  /** Not called if the user has left the form. `unsavedEdits` holds edits made during the save, which the form still shows. */
  onSaved?: (stored: Stored, unsavedEdits: Partial<Values>) => void | Promise<void>;
  /** Called for failures other than field errors and conflicts, e.g. to show an error next to a field. The toast is already shown. */
  onFailed?: (error: unknown) => void;
}

/**
 * Edits one record, starting from a stored version (`base`). A newer version silently replaces the values of a clean form. If there are
 * unsaved edits, the user compares both versions first.
 */
export function useRecordForm<Values extends FormValues & FieldValues, Output, Stored extends { version: number }>({
  definition,
  record,
  initial,
  person,
  part,
  newRecordId: newIdState,
  draftOptions,
  ...options
}: RecordFormOptions<Values, Output, Stored>) {
  const { fields, withoutHidden } = definition;
  const persistentDraft =
    draftOptions ??
    (record || newIdState ? { recordId: newIdState && (() => newIdState[0]), restoreRecordId: newIdState?.[1] } : undefined);
  const toValues = (stored: Stored | undefined): Values => (stored ? definition.toValues(stored) : { ...definition.initial, ...initial });
  const [base, setBase] = useState(record);
  /** The current base, for a save that starts after a rebase but before the next render. */
  const baseRef = useRef(record);
  const sentValues = useRef<Values>(definition.initial);
  const [conflicting, setConflicting] = useState<Stored>();
  const [isComparing, setComparing] = useState(false);
  const latest = conflicting && record && conflicting.version > record.version ? conflicting : record;

  const { form, submit, saving, isDirty, onLeaving, isLeaving, isAbandoned, isMounted } = useServerForm({
    schema: definition.schema,
    defaultValues: toValues(record) as DefaultValues<Values>,
    save: async (input) => {
      sentValues.current = withoutHidden(structuredClone(form.getValues()));
      const stored = await options.save(input, baseRef.current?.version ?? 0);
      if (stored === null && !isMounted()) saveDraft();
      return stored;
    },
    onSaved: (stored, unsavedEdits) => applySaved(stored, unsavedEdits),
    onFailed: (error, hasFieldErrors) => {
      const current = hasErrorCode(error, 'STALE_VERSION') ? (error.data as { current: Stored }).current : undefined;
      if (!isMounted()) saveDraft();
      if (current) handleConflict(current, getReadErrorMessage(error));
      else if (!hasFieldErrors) options.onFailed?.(error);
    },
  });
  // Register all fields in display order, so that failed validation focuses the topmost invalid field, even if it was hidden at first.
  for (const name of definition.names) if (!fields[name].rows) form.register(name as Path<Values>);

  /** Makes `newer` the version that edits are compared with. Values that differ from it count as unsaved. */
  const rebase = (newer: Stored, values = toValues(newer)) => {
    setBase(newer);
    baseRef.current = newer;
    setComparing(false);
    form.reset(toValues(newer));
    form.reset(values, { keepDefaultValues: true });
  };

  const applySaved = (stored: Stored, unsavedEdits: Partial<Values>): void | Promise<void> => {
    if (record) rebase(stored, mergeValues(sentValues.current, withoutHidden(form.getValues()), toValues(stored), fields));
    // `onSaved` may navigate. A user who is already leaving must stay on the page they chose.
    if (isLeaving()) return undefined;
    // Discards the draft. Edits made during the save move to the saved record's form and must not appear in the next new record.
    if (!record) onLeaving(true);
    return options.onSaved?.(stored, unsavedEdits);
  };

  /** Resolves a save that was rejected because someone else saved first. */
  const handleConflict = (current: Stored, message: string) => {
    const found = getDifferences(toValues(baseRef.current), withoutHidden(form.getValues()), toValues(current), fields);
    if (found.length === 0) {
      // No conflict: the other person entered the same values, or the newer version is our own save and its response was lost.
      keepMine(current);
    } else if (!isMounted()) {
      toast.error(message);
    } else {
      setConflicting(current);
      setComparing(true);
    }
  };

  const keepMine = (newer: Stored) => {
    rebase(newer, mergeValues(toValues(baseRef.current), withoutHidden(form.getValues()), toValues(newer), fields));
    // Waits for the rejected save to finish, because `submit` does nothing while a save is in progress.
    setTimeout(submit);
  };

  const hasNewerVersion = !saving && latest !== undefined && base !== undefined && latest.version > base.version;
  const { isDirty: dirty } = form.formState;
  if (hasNewerVersion && !dirty) {
    setBase(latest);
    setComparing(false);
  }
  useEffect(() => {
    if (!base || baseRef.current?.version === base.version) return;
    baseRef.current = base;
    form.reset(definition.toValues(base));
  }, [base, form, definition]);
  // Restore drafts after the effect above. Before it, the effect would replace the draft's base as outdated.
  const draftBase = {
    base: () => baseRef.current,
    restoreBase: (draftedFrom: unknown) => {
      const older = draftedFrom as Stored;
      if (!record || older.version === record.version) return;
      const values = toValues(older);
      setBase(older);
      baseRef.current = older;
      form.reset(values);
    },
  };
  const { saveDraft } = useSessionDraft(form, person, { part, ...draftBase, savesOnExpiry: persistentDraft === undefined });
  const { isRestored, clearRestored, isStorageFull } = usePersistentDraft(form, persistentDraft, {
    person,
    part: part ?? '',
    ...draftBase,
    isAbandoned,
  });
  const takeSnapshot = () => {
    const snapshotBase = baseRef.current;
    const typed = structuredClone(form.getValues());
    return () => (snapshotBase ? rebase(snapshotBase, typed) : form.reset(typed, { keepDefaultValues: true }));
  };
  const undoToast = useRef<string>(undefined);
  // After the user has left the form, Undo could no longer restore anything.
  useEffect(() => () => void (undoToast.current && toast.dismiss(undoToast.current)), []);
  const loadTheirs = () => {
    if (!latest) return;
    const undo = takeSnapshot();
    rebase(latest);
    undoToast.current = toast.blank('Your changes were replaced by the newer version', { action: { label: 'Undo', run: undo } });
  };

  const shouldAnnounce = isRestored && draftOptions === undefined;
  useEffect(() => {
    if (shouldAnnounce) toast.blank(DRAFT_RESTORED_MESSAGE);
  }, [shouldAnnounce]);

  return {
    definition,
    form,
    submit,
    saving,
    dirty,
    isDirty,
    onLeaving,
    isNew: record === undefined,
    /** True if unsaved edits survive a closed tab, so that no warning is needed. */
    isDraftPersistent: persistentDraft !== undefined && !isStorageFull,
    /** True while the form shows values restored from a draft. */
    isRestored,
    clearRestored,
    discard: () => (latest ? rebase(latest) : form.reset(toValues(undefined))),
    /** Returns a function that restores the current values and base after `discard`. */
    takeSnapshot,
    /** True if someone else saved a newer version while the form has unsaved edits. */
    hasNewerVersion: hasNewerVersion && dirty,
    /** Computes the other person's changes from the current values. Components that render the result must call `useWatch`. */
    getDifferences: () => (latest ? getDifferences(toValues(base), withoutHidden(form.getValues()), toValues(latest), fields) : []),
    /** True while both versions are shown, because a save was rejected or the user chose to compare. */
    isComparing,
    setComparing,
    /** Replaces all edits by the newer version. The toast offers Undo. */
    loadTheirs,
    keepMine: () => latest && keepMine(latest),
  };
}

export type RecordEditor<Values extends FormValues & FieldValues, Output, Stored extends { version: number }> = ReturnType<
  typeof useRecordForm<Values, Output, Stored>
>;

/** Wraps `useFieldArray` with the key name `rowKey`, because the default key `id` would overwrite each row's own `id`. */
export function useFormRows<Values extends FieldValues, Name extends ArrayPath<Values>, Output>(
  control: Control<Values, unknown, Output>,
  name: Name,
) {
  const { fields, append, ...rest } = useFieldArray({ control, name, keyName: 'rowKey' });
  /** Creates the row's id once, so that a retried save doesn't add the row twice. */
  const add = (row: Omit<FieldArray<Values, Name>, 'id'>) => append({ ...row, id: createId() } as FieldArray<Values, Name>);
  return { rows: fields, add, ...rest };
}
