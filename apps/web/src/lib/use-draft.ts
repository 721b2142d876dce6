import { useEffect, useLayoutEffect, useRef } from 'react';
import type { FieldValues, Path, PathValue, UseFormReturn } from 'react-hook-form';
import { toast } from '../ui/toast.ts';
import { onSessionEnd } from './session-end.ts';

const KEY = 'callout-draft';

interface Draft {
  person: string;
  path: string;
  fields: [string, unknown][];
  /** Typed while a new record was being saved: the person is still typing, so nothing is said. */
  silent?: boolean;
}

/**
 * A session that ends while somebody types takes nothing with it: what was changed waits in this tab and is back when
 * the same person returns to the same page. Never for forms with a password. `part` tells several forms of a page apart.
 */
export function useDraft<Input extends FieldValues, Output>(form: UseFormReturn<Input, unknown, Output>, person: string, part = ''): void {
  const { dirtyFields } = form.formState;
  const dirty = useRef<string[]>([]);
  useLayoutEffect(() => {
    dirty.current = Object.keys(dirtyFields);
  });

  useEffect(() => {
    const path = window.location.pathname + part;
    const draft = takeDraft(person, path);
    for (const [field, value] of draft?.fields ?? []) {
      form.setValue(field as Path<Input>, value as PathValue<Input, Path<Input>>, { shouldDirty: true });
    }
    if (draft && !draft.silent) toast.blank('Your unsaved changes were restored.');
    return onSessionEnd((how) => {
      const typed = dirty.current.map((field): [string, unknown] => [field, form.getValues(field as Path<Input>)]);
      if (how === 'expired' && typed.length > 0) keepDraft({ person, path, fields: typed });
    });
  }, [form, person, part]);
}

/** Hands what was typed while a new record was being saved to the form of that record; tells whether there was anything. */
export function keepTypedLater(person: string, path: string, later: object): boolean {
  const fields = Object.entries(later);
  if (fields.length > 0) keepDraft({ person, path, fields, silent: true });
  return fields.length > 0;
}

function keepDraft(draft: Draft): void {
  sessionStorage.setItem(KEY, JSON.stringify(draft));
}

/** Somebody else's draft is thrown away unseen. */
function takeDraft(person: string, path: string): Draft | undefined {
  const text = sessionStorage.getItem(KEY);
  if (text === null) return undefined;
  const draft = JSON.parse(text) as Draft;
  if (draft.person === person && draft.path !== path) return undefined;
  sessionStorage.removeItem(KEY);
  return draft.person === person ? draft : undefined;
}
