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
import { centralMessage, hasCode } from './error-messages.ts';
import type { FormDefinition } from './form-definition.ts';
import { differences, type FormValues, mergeValues } from './merge-values.ts';
import { newId } from './new-id.ts';
import { RESTORED, useDraft } from './use-draft.ts';
import { type LastingDraftOptions, useLastingDraft } from './use-lasting-draft.ts';
import { useServerForm } from './use-server-form.ts';

export interface RecordFormOptions<Values extends FormValues, Output, Stored extends { version: number }> {
  definition: FormDefinition<Values, Output, Stored>;
  /** Left out while it is new. */
  record?: Stored | undefined;
  /** What a new one starts from here, beside what the definition says. */
  initial?: Partial<Values>;
  /** Whose draft is kept when the session ends. */
  person: string;
  /** For a page with several forms: which of them the draft belongs to. */
  part?: string;
  /** Of a new record, made once per form: a draft that outlives the tab is saved under the same one. Without it only the end of the session is outlived. */
  newId?: readonly [id: string, setId: (id: string) => void];
  /** For a form that says itself what was restored, or whose fields hold ids. */
  lastingDraft?: LastingDraftOptions;
  save: (input: Output, version: number) => Promise<Stored>;
  /** Not called once the form has been left. `later`: what was typed while the save was under way. It is still in the form, unsaved. */
  onSaved?: (stored: Stored, later: Partial<Values>) => void | Promise<void>;
  /** For a failure that belongs to a field; what failed is said by the mutation's `meta`. */
  onFailed?: (error: unknown) => void;
}

/**
 * The form of one record, filled from a version (`base`). A newer version replaces untouched fields silently;
 * when something is typed it waits until the person has seen both.
 */
export function useRecordForm<Values extends FormValues & FieldValues, Output, Stored extends { version: number }>({
  definition,
  record,
  initial,
  person,
  part,
  newId: ofNew,
  lastingDraft: ownDraft,
  ...options
}: RecordFormOptions<Values, Output, Stored>) {
  const { fields, shown } = definition;
  /** What is typed is kept in this browser all the time. */
  const lastingDraft = ownDraft ?? (record || ofNew ? { recordId: ofNew && (() => ofNew[0]), restoreRecordId: ofNew?.[1] } : undefined);
  const valuesOf = (stored: Stored | undefined): Values => (stored ? definition.valuesOf(stored) : { ...definition.initial, ...initial });
  const [base, setBase] = useState(record);
  /** For a save right after a rebase, before the new base is rendered. */
  const baseNow = useRef(record);
  const sent = useRef<Values>(definition.initial);
  const [refused, setRefused] = useState<Stored>();
  const [comparing, setComparing] = useState(false);
  const latest = refused && record && refused.version > record.version ? refused : record;

  const { form, submit, saving, isDirty, onLeaving, isLeaving, isLeftBehind, isMounted } = useServerForm({
    schema: definition.schema,
    defaultValues: valuesOf(record) as DefaultValues<Values>,
    save: (input) => {
      sent.current = shown(structuredClone(form.getValues()));
      return options.save(input, baseNow.current?.version ?? 0);
    },
    saved: (stored, later) => applySaved(stored, later),
    failed: (error, atFields) => {
      const current = hasCode(error, 'STALE_VERSION') ? (error.data as { current: Stored }).current : undefined;
      if (!isMounted()) keep();
      if (current) handleConflict(current, centralMessage(error));
      else if (!atFields) options.onFailed?.(error);
    },
  });
  // All of them, in the order they stand: a failed check puts the cursor into the first wrong one, also when it was shown later.
  for (const name of definition.names) if (!fields[name].rows) form.register(name as Path<Values>);

  /** Makes this version the one that edits are compared with; anything typed that differs from it counts as unsaved. */
  const rebase = (newer: Stored, values = valuesOf(newer)) => {
    setBase(newer);
    baseNow.current = newer;
    setComparing(false);
    form.reset(valuesOf(newer));
    form.reset(values, { keepDefaultValues: true });
  };

  const applySaved = (stored: Stored, later: Partial<Values>): void | Promise<void> => {
    if (record) rebase(stored, mergeValues(sent.current, shown(form.getValues()), valuesOf(stored), fields));
    // Whoever has gone elsewhere meanwhile stays there.
    if (isLeaving()) return undefined;
    // What was typed meanwhile goes on there: kept here, it would be in the next new record, under the id of this one.
    if (!record) onLeaving(true);
    return options.onSaved?.(stored, later);
  };

  /** A save was refused because somebody else saved first. */
  const handleConflict = (current: Stored, message: string) => {
    const found = differences(valuesOf(baseNow.current), shown(form.getValues()), valuesOf(current), fields);
    if (found.length === 0) {
      // There is nothing to decide: they typed the same, or it was our own save, whose answer was lost.
      keepMine(current);
    } else if (!isMounted()) {
      toast.error(message);
    } else {
      setRefused(current);
      setComparing(true);
    }
  };

  const keepMine = (newer: Stored) => {
    rebase(newer, mergeValues(valuesOf(baseNow.current), shown(form.getValues()), valuesOf(newer), fields));
    // Not before the refused save has ended.
    setTimeout(submit);
  };

  const isBehind = !saving && latest !== undefined && base !== undefined && latest.version > base.version;
  const { isDirty: dirty } = form.formState;
  if (isBehind && !dirty) {
    setBase(latest);
    setComparing(false);
  }
  useEffect(() => {
    if (!base || baseNow.current?.version === base.version) return;
    baseNow.current = base;
    form.reset(definition.valuesOf(base));
  }, [base, form, definition]);
  // After that effect, which would take the draft's version for an outdated one.
  const draftBase = {
    base: () => baseNow.current,
    restoreBase: (kept: unknown) => {
      const older = kept as Stored;
      if (!record || older.version === record.version) return;
      const values = valuesOf(older);
      setBase(older);
      baseNow.current = older;
      form.reset(values);
    },
  };
  const { keep } = useDraft(form, person, { part, ...draftBase, keepsOnExpiry: lastingDraft === undefined });
  const { isRestored, forgetRestored, isFull } = useLastingDraft(form, lastingDraft, {
    person,
    part: part ?? '',
    ...draftBase,
    isLeftBehind,
  });
  const saysSo = isRestored && ownDraft === undefined;
  useEffect(() => {
    if (saysSo) toast.blank(RESTORED);
  }, [saysSo]);

  return {
    definition,
    form,
    submit,
    saving,
    dirty,
    isDirty,
    onLeaving,
    isNew: record === undefined,
    /** What is typed outlives a closed tab, so nothing needs to be asked. */
    outlivesTab: lastingDraft !== undefined && !isFull,
    /** What shows comes from a draft that outlived its tab. */
    isRestored,
    forgetRestored,
    discard: () => (latest ? rebase(latest) : form.reset(valuesOf(undefined))),
    /** What is typed, and the version it was typed over, to be put back after `discard`. */
    snapshot: () => {
      const typedOver = baseNow.current;
      const typed = structuredClone(form.getValues());
      return () => (typedOver ? rebase(typedOver, typed) : form.reset(typed, { keepDefaultValues: true }));
    },
    /** Somebody else has saved a newer version than the one that is being edited. */
    isBehind: isBehind && dirty,
    /** What they changed; read it while rendering only below a `useWatch`. */
    differences: () => (latest ? differences(valuesOf(base), shown(form.getValues()), valuesOf(latest), fields) : []),
    /** Both versions show, because a save was refused or the person asked to compare. */
    comparing,
    setComparing,
    loadTheirs: () => latest && rebase(latest),
    keepMine: () => latest && keepMine(latest),
  };
}

export type RecordEditor<Values extends FormValues & FieldValues, Output, Stored extends { version: number }> = ReturnType<
  typeof useRecordForm<Values, Output, Stored>
>;

/** The rows of a list in a form: react-hook-form's field array under keys of its own, so that a row's `id` stays the record's. */
export function useFormRows<Values extends FieldValues, Name extends ArrayPath<Values>, Output>(
  control: Control<Values, unknown, Output>,
  name: Name,
) {
  const { fields, append, ...rest } = useFieldArray({ control, name, keyName: 'rowKey' });
  /** Made here once, so that a save sent again is the same row and not a second one. */
  const add = (row: Omit<FieldArray<Values, Name>, 'id'>) => append({ ...row, id: newId() } as FieldArray<Values, Name>);
  return { rows: fields, add, ...rest };
}
