import { getInitialSelection, type SelectableSection } from '@callout/domain/quotes/quote';
import { useEffect, useMemo, useState } from 'react';

interface SavedQuoteChoice {
  /** Null until the customer changes the selection. */
  readonly chosenIds: readonly string[] | null;
  readonly name: string | null;
}

const EMPTY_CHOICE: SavedQuoteChoice = { chosenIds: null, name: null };
const getStorageKey = (token: string) => `callout-quote-${token}`;

/** Keeps the customer's selected sections and typed name in session storage, so that they survive a reload. */
export function useQuoteChoice(token: string, sections: readonly SelectableSection[]) {
  const [choice, setChoice] = useState(() => readChoice(token));
  useEffect(() => saveChoice(token, choice), [token, choice]);

  const { chosenIds: saved } = choice;
  const selectedIds = useMemo(() => {
    const chosen = saved ?? getInitialSelection(sections);
    return sections.filter(({ id, always_required }) => always_required || chosen.includes(id)).map(({ id }) => id);
  }, [saved, sections]);
  const toggle = (id: string) => {
    const chosenIds = selectedIds.includes(id) ? selectedIds.filter((other) => other !== id) : [...selectedIds, id];
    setChoice((current) => ({ ...current, chosenIds }));
  };
  const setName = (name: string | null) => setChoice((current) => ({ ...current, name }));
  return { selectedIds, toggle, name: choice.name, setName };
}

function readChoice(token: string): SavedQuoteChoice {
  try {
    const saved = JSON.parse(sessionStorage.getItem(getStorageKey(token)) ?? 'null') as Partial<SavedQuoteChoice> | null;
    return {
      chosenIds: Array.isArray(saved?.chosenIds) ? saved.chosenIds : null,
      name: typeof saved?.name === 'string' ? saved.name : null,
    };
  } catch {
    // Start over if session storage is unavailable or its content isn't valid JSON.
    return EMPTY_CHOICE;
  }
}

function saveChoice(token: string, choice: SavedQuoteChoice): void {
  try {
    if (choice.chosenIds === null && choice.name === null) sessionStorage.removeItem(getStorageKey(token));
    else sessionStorage.setItem(getStorageKey(token), JSON.stringify(choice));
  } catch {
    // Ignore the failure: without storage, the choice only fails to survive a reload.
  }
}
