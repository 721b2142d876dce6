import { initialSelection, type Section } from '@callout/domain/quotes/quote';
import { useEffect, useMemo, useState } from 'react';

interface KeptChoice {
  /** Null until the customer has changed something. */
  readonly chosenIds: readonly string[] | null;
  readonly name: string | null;
}

const NOTHING: KeptChoice = { chosenIds: null, name: null };
const keyOf = (token: string) => `callout-quote-${token}`;

/** What the customer has selected and typed; it survives a reload and a lost connection. */
export function useQuoteChoice(token: string, sections: readonly Section[]) {
  const [choice, setChoice] = useState(() => readChoice(token));
  useEffect(() => keepChoice(token, choice), [token, choice]);

  const { chosenIds: kept } = choice;
  const selectedIds = useMemo(() => {
    const chosen = kept ?? initialSelection(sections);
    return sections.filter(({ id, always_required }) => always_required || chosen.includes(id)).map(({ id }) => id);
  }, [kept, sections]);
  const toggle = (id: string) => {
    const chosenIds = selectedIds.includes(id) ? selectedIds.filter((other) => other !== id) : [...selectedIds, id];
    setChoice((current) => ({ ...current, chosenIds }));
  };
  const setName = (name: string | null) => setChoice((current) => ({ ...current, name }));
  return { selectedIds, toggle, name: choice.name, setName };
}

function readChoice(token: string): KeptChoice {
  try {
    const kept = JSON.parse(sessionStorage.getItem(keyOf(token)) ?? 'null') as Partial<KeptChoice> | null;
    return {
      chosenIds: Array.isArray(kept?.chosenIds) ? kept.chosenIds : null,
      name: typeof kept?.name === 'string' ? kept.name : null,
    };
  } catch {
    // A browser that keeps nothing, or something that nobody can read.
    return NOTHING;
  }
}

function keepChoice(token: string, choice: KeptChoice): void {
  try {
    if (choice.chosenIds === null && choice.name === null) sessionStorage.removeItem(keyOf(token));
    else sessionStorage.setItem(keyOf(token), JSON.stringify(choice));
  } catch {
    // The page works without.
  }
}
