import { standardSchemaResolver } from '@hookform/resolvers/standard-schema';
import { type SyntheticEvent, useCallback, useLayoutEffect, useRef } from 'react';
import { type DefaultValues, type Field, type FieldValues, get, type Path, type UseFormReturn, useForm } from 'react-hook-form';
import type { ZodType } from 'zod';
import { toast } from '../ui/toast.ts';
import { fieldErrors } from './error-messages.ts';

interface ServerFormOptions<Input extends FieldValues, Output, Result> {
  schema: ZodType<Output, Input>;
  defaultValues: DefaultValues<Input>;
  /** Sends what was typed. What it throws is shown at its fields, or handed to `failed`. */
  save: (values: Output) => Promise<Result>;
  /** After a save; the form counts as clean here, so it may navigate. `later`: what was typed while the save was under way, and is not saved. */
  saved?: (result: Result, later: Partial<Input>) => void | Promise<void>;
  /** What was typed stays. `atFields`: the failure is about fields, and has been reported. */
  failed?: (error: unknown, atFields: boolean) => void;
}

interface ServerForm<Input extends FieldValues, Output> {
  form: UseFormReturn<Input, unknown, Output>;
  /** For `onSubmit`. A second press while a save is under way does nothing. */
  submit: (event?: SyntheticEvent) => void;
  saving: boolean;
  /** For UnsavedChanges. */
  isDirty: () => boolean;
  onLeaving: (leaving: boolean) => void;
  /** Whether the person has gone elsewhere, or is about to. */
  isLeaving: () => boolean;
  /** Whether the person has chosen to go, and left what was typed. */
  isLeftBehind: () => boolean;
  /** Whether the form still shows: a save may end after the person has left. */
  isMounted: () => boolean;
}

/** A form whose server may disagree: its field errors land at their fields, and nothing typed is ever lost. */
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
  const dirtyNow = useRef(false);
  const isSending = useRef(false);
  const leaving = useRef(false);
  const mounted = useRef(false);
  useLayoutEffect(() => {
    dirtyNow.current = dirty;
  });
  useLayoutEffect(() => {
    mounted.current = true;
    return () => {
      mounted.current = false;
    };
  }, []);

  const send = async (values: Output) => {
    const sent = structuredClone(form.getValues());
    let result: Result;
    try {
      result = await options.save(values);
    } catch (error) {
      options.failed?.(error, showAtFields(form, error));
      return;
    }
    const typed = form.getValues();
    const later = changedSince(sent, typed);
    dirtyNow.current = false;
    form.reset(sent);
    if (Object.keys(later).length > 0) form.reset(typed, { keepDefaultValues: true });
    await options.saved?.(result, later);
  };

  const submit = (event?: SyntheticEvent) => {
    event?.preventDefault();
    if (isSending.current) return;
    isSending.current = true;
    leaving.current = false;
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
    isDirty: useCallback(() => dirtyNow.current, []),
    onLeaving: useCallback((is: boolean) => {
      leaving.current = is;
    }, []),
    isLeaving: useCallback(() => leaving.current || !mounted.current, []),
    isLeftBehind: useCallback(() => leaving.current, []),
    isMounted: useCallback(() => mounted.current, []),
  };
}

function changedSince<Input extends FieldValues>(sent: Input, typed: Input): Partial<Input> {
  const changed = Object.entries(typed).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(sent[name]));
  return Object.fromEntries(changed) as Partial<Input>;
}

/**
 * Puts the server's sentences beside their fields and the cursor into the first. What no field on screen can show is a toast.
 * Tells whether the failure was about fields.
 */
function showAtFields<Input extends FieldValues, Output>(form: UseFormReturn<Input, unknown, Output>, error: unknown): boolean {
  const wrong = Object.entries(fieldErrors(error));
  const shown = wrong.filter(([field]) => isOnScreen(get(form.control._fields, field)));
  for (const [index, [field, message]] of shown.entries()) {
    form.setError(field as Path<Input>, { type: 'server', message }, { shouldFocus: index === 0 });
  }
  for (const entry of wrong) if (!shown.includes(entry)) toast.error(entry[1]);
  return wrong.length > 0;
}

function isOnScreen(field: Field | undefined): boolean {
  const inputs: unknown[] = [field?._f?.ref, ...(field?._f?.refs ?? [])];
  return inputs.some((input) => input instanceof Element && input.isConnected);
}
