import { useState } from 'react';

/**
 * Returns what a dialog is about and keeps it during the closing animation, when `current` is already empty. `count` goes up when the
 * dialog opens with something else, so that it can be the key of a form that starts afresh.
 */
export function useDialogSubject<Subject>(current: Subject | null | undefined) {
  const [displayed, setDisplayed] = useState<{ subject: Subject | undefined; count: number }>({ subject: undefined, count: 0 });
  const [last, setLast] = useState<Subject | null>();
  if (current !== last) {
    setLast(() => current);
    if (current !== null && current !== undefined) setDisplayed(({ count }) => ({ subject: current, count: count + 1 }));
  }
  return displayed;
}
