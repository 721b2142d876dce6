import { useCallback, useEffect, useLayoutEffect, useRef } from 'react';
import type { FieldValues, Path, PathValue, UseFormReturn } from 'react-hook-form';
import { toast } from '../ui/toast.ts';
import { buildSessionDraftKey } from './draft-keys.ts';
import { onSessionEnd } from './session-end.ts';

interface SessionDraft {
  fields: [string, unknown][];
  /** The stored version that the edits are based on. The record may have changed since. */
  base?: unknown;
  /** True for edits made while a new record was being saved. Restoring them shows no toast, because the user is still typing. */
  silent?: boolean;
}

interface SessionDraftOptions {
  /** Distinguishes the drafts of several forms on the same page. */
  part?: string | undefined;
  base?: () => unknown;
  /** Resets the form to the draft's base before the draft's values are filled in. */
  restoreBase?: (base: unknown) => void;
  /** False for a form that also has a persistent draft, which already survives an expired session. */
  savesOnExpiry?: boolean;
}

/**
 * Saves unsaved edits in this tab when the session expires, and restores them when the same person returns to the same page. Never use it
 * for forms with a password. `saveDraft` saves a draft at any other time.
 */
export function useSessionDraft<Input extends FieldValues, Output>(
  form: UseFormReturn<Input, unknown, Output>,
  person: string,
  { part = '', savesOnExpiry = true, ...options }: SessionDraftOptions = {},
): { saveDraft: () => void } {
  const { dirtyFields } = form.formState;
  const latest = useRef({ ...options, key: '', dirty: [] as string[] });
  useLayoutEffect(() => {
    Object.assign(latest.current, options, { dirty: Object.keys(dirtyFields) });
  });
  const saveDraft = useCallback(() => {
    const { key, dirty, base } = latest.current;
    const fields = dirty.map((field): [string, unknown] => [field, form.getValues(field as Path<Input>)]);
    if (fields.length > 0) writeSessionDraft(key, { fields, base: base?.() });
  }, [form]);

  useEffect(() => {
    const key = buildSessionDraftKey(person, window.location.pathname, part);
    latest.current.key = key;
    const draft = takeSessionDraft(key);
    if (draft?.base !== undefined) latest.current.restoreBase?.(draft.base);
    for (const [field, value] of draft?.fields ?? []) {
      form.setValue(field as Path<Input>, value as PathValue<Input, Path<Input>>, { shouldDirty: true });
    }
    if (draft && !draft.silent) toast.blank(DRAFT_RESTORED_MESSAGE);
    return onSessionEnd((end) => {
      if (end !== 'signed-out' && savesOnExpiry) saveDraft();
    });
  }, [form, person, part, saveDraft, savesOnExpiry]);
  return { saveDraft };
}

/** Hands edits made during a new record's first save over to the record's own form. Returns true if there were any edits. */
export function saveDraftForNewRecord(person: string, path: string, unsavedEdits: object): boolean {
  const fields = Object.entries(unsavedEdits);
  if (fields.length > 0) writeSessionDraft(buildSessionDraftKey(person, path), { fields, silent: true });
  return fields.length > 0;
}

export const DRAFT_RESTORED_MESSAGE = 'Your unsaved changes were restored.';

function writeSessionDraft(key: string, draft: SessionDraft): void {
  sessionStorage.setItem(key, JSON.stringify(draft));
}

/** Reads and removes a draft. The key contains the person's id, so nobody gets another person's draft. */
function takeSessionDraft(key: string): SessionDraft | undefined {
  const text = sessionStorage.getItem(key);
  if (text === null) return undefined;
  sessionStorage.removeItem(key);
  return JSON.parse(text) as SessionDraft;
}
