import { standardSchemaResolver } from '@hookform/resolvers/standard-schema';
import { type SyntheticEvent, useCallback, useLayoutEffect, useRef } from 'react';
import { type DefaultValues, type Field, type FieldValues, get, type Path, type UseFormReturn, useForm } from 'react-hook-form';
import type { ZodType } from 'zod';
import { toast } from '../ui/toast.ts';
import { getFieldErrors } from './error-messages.ts';

interface ServerFormOptions<Input extends FieldValues, Output, Result> {
  schema: ZodType<Output, Input>;
  defaultValues: DefaultValues<Input>;
  /**
   * Saves the values. Field errors appear next to their fields, and `onFailed` receives every error. Returns null if the user decided not to
   * save after all: the form keeps its values, and neither callback is called.
   */
  save: (values: Output) => Promise<Result | null>;
  /** The form is already clean when `onSaved` is called, so the callback may navigate. `unsavedEdits` holds edits made during the save. */
  onSaved?: (result: Result, unsavedEdits: Partial<Input>) => void | Promise<void>;
  /** Called when a save fails; the form keeps its values. `hasFieldErrors` is true if field errors are already on screen. */
  onFailed?: (error: unknown, hasFieldErrors: boolean) => void;
}

interface ServerForm<Input extends FieldValues, Output> {
  form: UseFormReturn<Input, unknown, Output>;
  /** Handler for `onSubmit`. Does nothing while a save is in progress. */
  submit: (event?: SyntheticEvent) => void;
  saving: boolean;
  isDirty: () => boolean;
  onLeaving: (isLeaving: boolean) => void;
  /** Returns true if the user has left the form or is about to. */
  isLeaving: () => boolean;
  /** Returns true if the user chose to leave without saving. */
  isAbandoned: () => boolean;
  /** Returns false once the user has left the form, for saves that finish later. */
  isMounted: () => boolean;
}

/** A form that shows the server's field errors next to their fields and keeps all typed values when a save fails. */
export function useServerForm<Input extends FieldValues, Output, Result>(
  options: ServerFormOptions<Input, Output, Result>,
): ServerForm<Input, Output> {
  const form = useForm<Input, unknown, Output>({
    resolver: standardSchemaResolver(options.schema),
    defaultValues: options.defaultValues,
    mode: 'onSubmit',
    reValidateMode: 'onChange',
  });
  const { isDirty: dirty, isSubmitting } = form.formState;
  const isDirtyRef = useRef(false);
  const isSending = useRef(false);
  const isLeavingRef = useRef(false);
  const isMountedRef = useRef(false);
  useLayoutEffect(() => {
    isDirtyRef.current = dirty;
  });
  useLayoutEffect(() => {
    isMountedRef.current = true;
    return () => {
      isMountedRef.current = false;
    };
  }, []);

  const send = async (values: Output) => {
    const sent = structuredClone(form.getValues());
    let result: Result | null;
    try {
      result = await options.save(values);
    } catch (error) {
      const hasFieldErrors = showFieldErrors(form, error);
      options.onFailed?.(error, hasFieldErrors);
      return;
    }
    if (result === null) return;
    const typed = form.getValues();
    const unsavedEdits = getChangedValues(sent, typed);
    isDirtyRef.current = false;
    form.reset(sent);
    if (Object.keys(unsavedEdits).length > 0) form.reset(typed, { keepDefaultValues: true });
    await options.onSaved?.(result, unsavedEdits);
  };

  const submit = (event?: SyntheticEvent) => {
    event?.preventDefault();
    if (isSending.current) return;
    isSending.current = true;
    isLeavingRef.current = false;
    void form
      .handleSubmit(send)()
      .finally(() => {
        isSending.current = false;
      });
  };

  return {
    form,
    submit,
    saving: isSubmitting,
    isDirty: useCallback(() => isDirtyRef.current, []),
    onLeaving: useCallback((isLeaving: boolean) => {
      isLeavingRef.current = isLeaving;
    }, []),
    isLeaving: useCallback(() => isLeavingRef.current || !isMountedRef.current, []),
    isAbandoned: useCallback(() => isLeavingRef.current, []),
    isMounted: useCallback(() => isMountedRef.current, []),
  };
}

function getChangedValues<Input extends FieldValues>(sent: Input, typed: Input): Partial<Input> {
  const changed = Object.entries(typed).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(sent[name]));
  return Object.fromEntries(changed) as Partial<Input>;
}

/** Shows the server's field errors and focuses the first. Errors without a mounted field become toasts. Returns true if there were any. */
function showFieldErrors<Input extends FieldValues, Output>(form: UseFormReturn<Input, unknown, Output>, error: unknown): boolean {
  const errors = Object.entries(getFieldErrors(error));
  const inline = errors.filter(([field]) => isFieldMounted(get(form.control._fields, field)));
  for (const [index, [field, message]] of inline.entries()) {
    form.setError(field as Path<Input>, { type: 'server', message }, { shouldFocus: index === 0 });
  }
  for (const entry of errors) if (!inline.includes(entry)) toast.error(entry[1]);
  return errors.length > 0;
}

function isFieldMounted(field: Field | undefined): boolean {
  const inputs: unknown[] = [field?._f?.ref, ...(field?._f?.refs ?? [])];
  return inputs.some((input) => input instanceof Element && input.isConnected);
}
