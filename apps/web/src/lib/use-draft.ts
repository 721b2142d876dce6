import { useCallback, useEffect, useLayoutEffect, useRef } from 'react';
import type { FieldValues, Path, PathValue, UseFormReturn } from 'react-hook-form';
import { toast } from '../ui/toast.ts';
import { draftKey } from './draft-storage.ts';
import { onSessionEnd } from './session-end.ts';

interface Draft {
  fields: [string, unknown][];
  /** The stored version it was typed over: others may have changed it since. */
  base?: unknown;
  /** Typed while a new record was being saved: the person is still typing, so nothing is said. */
  silent?: boolean;
}

interface DraftOptions {
  /** Tells several forms of a page apart. */
  part?: string | undefined;
  /** The stored version that is being edited. */
  base?: () => unknown;
  /** Puts the form on the version that the draft was typed over, before what was typed is filled in. */
  restoreBase?: (base: unknown) => void;
  /** False for a form with a lasting draft. */
  keepsOnExpiry?: boolean;
}

/**
 * A session that ends while somebody types takes nothing with it: what was changed waits in this tab and is back when
 * the same person returns to the same page. Never for forms with a password. `keep` does the same at any other time.
 */
export function useDraft<Input extends FieldValues, Output>(
  form: UseFormReturn<Input, unknown, Output>,
  person: string,
  { part = '', keepsOnExpiry = true, ...options }: DraftOptions = {},
): { keep: () => void } {
  const { dirtyFields } = form.formState;
  const latest = useRef({ ...options, key: '', dirty: [] as string[] });
  useLayoutEffect(() => {
    Object.assign(latest.current, options, { dirty: Object.keys(dirtyFields) });
  });
  const keep = useCallback(() => {
    const { key, dirty, base } = latest.current;
    const fields = dirty.map((field): [string, unknown] => [field, form.getValues(field as Path<Input>)]);
    if (fields.length > 0) keepDraft(key, { fields, base: base?.() });
  }, [form]);

  useEffect(() => {
    const key = draftKey(person, window.location.pathname, part);
    latest.current.key = key;
    const draft = takeDraft(key);
    if (draft?.base !== undefined) latest.current.restoreBase?.(draft.base);
    for (const [field, value] of draft?.fields ?? []) {
      form.setValue(field as Path<Input>, value as PathValue<Input, Path<Input>>, { shouldDirty: true });
    }
    if (draft && !draft.silent) toast.blank(RESTORED);
    return onSessionEnd((how) => {
      if (how !== 'signed-out' && keepsOnExpiry) keep();
    });
  }, [form, person, part, keep, keepsOnExpiry]);
  return { keep };
}

/** Hands what was typed while a new record was being saved to the form of that record; tells whether there was anything. */
export function keepTypedLater(person: string, path: string, later: object): boolean {
  const fields = Object.entries(later);
  if (fields.length > 0) keepDraft(draftKey(person, path), { fields, silent: true });
  return fields.length > 0;
}

export const RESTORED = 'Your unsaved changes were restored.';

function keepDraft(key: string, draft: Draft): void {
  sessionStorage.setItem(key, JSON.stringify(draft));
}

/** Somebody else's drafts wait unseen for their person, as long as the tab is open. */
function takeDraft(key: string): Draft | undefined {
  const text = sessionStorage.getItem(key);
  if (text === null) return undefined;
  sessionStorage.removeItem(key);
  return JSON.parse(text) as Draft;
}
