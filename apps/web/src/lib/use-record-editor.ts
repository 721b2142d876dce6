import { useEffect, useRef, useState } from 'react';
import type { DefaultValues, FieldValues } from 'react-hook-form';
import type { ZodType } from 'zod';
import { differences, type FieldValue, isSavedAs, merged } from './edited-values.ts';
import { hasCode } from './error-messages.ts';
import { useDraft } from './use-draft.ts';
import { useServerForm } from './use-server-form.ts';

interface Versioned {
  version: number;
}

interface RecordEditorOptions<Stored extends Versioned, Input extends FieldValues, Output> {
  record: Stored;
  /** Whose draft is kept when the session ends. */
  person: string;
  schema: ZodType<Output, Input>;
  valuesOf: (record: Stored) => Input;
  /** Without what is hidden at the moment: that is neither compared nor saved. */
  shown?: (values: Input) => Input;
  save: (values: Output, version: number) => Promise<Stored>;
  saved: (record: Stored) => void;
  /** Not called for what the fields themselves say, nor for a conflict. */
  failed: (error: unknown) => void;
}

/**
 * The form of one record, filled from a version (`base`). A newer version replaces untouched fields silently;
 * when something is typed it waits until the person has seen both.
 */
export function useRecordEditor<Stored extends Versioned, Input extends FieldValues & { [Field in keyof Input]: FieldValue }, Output>({
  record,
  person,
  schema,
  valuesOf,
  shown = (values) => values,
  ...told
}: RecordEditorOptions<Stored, Input, Output>) {
  const [base, setBase] = useState(record);
  /** For a save right after a rebase, before the new base is rendered. */
  const version = useRef(record.version);
  const sent = useRef(valuesOf(record));
  const [conflict, setConflict] = useState<Stored | null>(null);

  const { form, submit, saving, isDirty } = useServerForm({
    schema,
    defaultValues: valuesOf(record) as DefaultValues<Input>,
    save: (values: Output) => {
      sent.current = form.getValues();
      return told.save(values, version.current);
    },
    saved: (stored) => adopt(stored),
    failed: (error, atFields) => {
      const current = staleData(error) as Stored | null;
      if (current && isSavedAs(shown(sent.current), valuesOf(current))) adopt(current);
      else if (current) setConflict(current);
      else if (!atFields) told.failed(error);
    },
  });
  useDraft(form, person);

  /** From here on the form stands on this version; what is typed beyond it counts as unsaved. */
  const rebase = (newer: Stored, values = valuesOf(newer)) => {
    setBase(newer);
    version.current = newer.version;
    setConflict(null);
    form.reset(valuesOf(newer));
    form.reset(values, { keepDefaultValues: true });
  };

  /** What was typed while the save was under way stays. */
  const adopt = (stored: Stored) => {
    rebase(stored, merged(sent.current, shown(form.getValues()), valuesOf(stored)));
    told.saved(stored);
  };

  const changedElsewhere = !saving && record.version > base.version;
  const { isDirty: dirty } = form.formState;
  if (changedElsewhere && !dirty) setBase(record);
  useEffect(() => {
    if (version.current === base.version) return;
    version.current = base.version;
    form.reset(valuesOf(base));
  }, [base, form, valuesOf]);

  const theirs = (newer: Stored) => differences<keyof Input & string>(valuesOf(base), shown(form.getValues()), valuesOf(newer));
  return {
    form,
    submit,
    saving,
    dirty,
    isDirty,
    discard: () => rebase(record),
    /** What differs, once a save was refused or the person asked to compare. */
    conflict: dirty && conflict ? theirs(conflict) : null,
    changedElsewhere: changedElsewhere && dirty && !conflict && theirs(record).length > 0,
    compare: () => setConflict(record),
    loadTheirs: () => conflict && rebase(conflict),
    saveMine: () => {
      if (!conflict) return;
      rebase(conflict, merged(valuesOf(base), shown(form.getValues()), valuesOf(conflict)));
      submit();
    },
  };
}

/** What somebody else saved meanwhile: a record of the kind that was being saved. */
function staleData(error: unknown): unknown {
  return hasCode(error, 'STALE_VERSION') ? (error.data as { current: unknown }).current : null;
}
