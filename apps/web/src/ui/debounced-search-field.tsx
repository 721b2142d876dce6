import { type ComponentProps, useEffect, useEffectEvent, useRef, useState } from 'react';
import { SearchField } from './search-field.tsx';

const PAUSE_MS = 250;

/** The value as it was when it last stayed the same for this long. */
export function useDebounced<Value>(value: Value, delayMs: number): Value {
  const [debounced, setDebounced] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setDebounced(value), delayMs);
    return () => clearTimeout(timer);
  }, [value, delayMs]);
  return debounced;
}

/** Shows every letter at once, but calls `onChange` only when the typing pauses, or at once when it is emptied. */
export function DebouncedSearchField({ value, onChange, ...rest }: ComponentProps<typeof SearchField>) {
  const [typed, setTyped] = useState(value);
  const reported = useRef(value);
  const report = useEffectEvent(onChange);

  useEffect(() => {
    if (value === reported.current) return;
    reported.current = value;
    setTyped(value);
  }, [value]);

  useEffect(() => {
    const term = typed.trim();
    if (term === reported.current) return;
    const timer = setTimeout(
      () => {
        reported.current = term;
        report(term);
      },
      term === '' ? 0 : PAUSE_MS,
    );
    return () => clearTimeout(timer);
  }, [typed]);

  return <SearchField {...rest} value={typed} onChange={setTyped} />;
}
