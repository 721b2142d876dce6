import { type ComponentProps, useEffect, useRef, useState } from 'react';
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

/** Shows every letter at once and tells the outside when the typing pauses; emptying it tells at once. */
export function DebouncedSearchField({ value, onChange, ...rest }: ComponentProps<typeof SearchField>) {
  const [typed, setTyped] = useState(value);
  const told = useRef(value);
  const tell = useRef(onChange);
  useEffect(() => {
    tell.current = onChange;
  });

  useEffect(() => {
    if (value === told.current) return;
    told.current = value;
    setTyped(value);
  }, [value]);

  useEffect(() => {
    const term = typed.trim();
    if (term === told.current) return;
    const timer = setTimeout(
      () => {
        told.current = term;
        tell.current(term);
      },
      term === '' ? 0 : PAUSE_MS,
    );
    return () => clearTimeout(timer);
  }, [typed]);

  return <SearchField {...rest} value={typed} onChange={setTyped} />;
}
