import { type ComponentProps, useEffect, useEffectEvent, useRef, useState } from 'react';
import { SearchField } from './search-field.tsx';

const SEARCH_DEBOUNCE_MS = 250;

/** Returns the latest value that has stayed unchanged for `delayMs`. */
export function useDebouncedValue<Value>(value: Value, delayMs: number): Value {
  const [debounced, setDebounced] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setDebounced(value), delayMs);
    return () => clearTimeout(timer);
  }, [value, delayMs]);
  return debounced;
}

/** Displays typed text immediately but debounces `onChange`, except when the field is cleared. */
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
      term === '' ? 0 : SEARCH_DEBOUNCE_MS,
    );
    return () => clearTimeout(timer);
  }, [typed]);

  return <SearchField {...rest} value={typed} onChange={setTyped} />;
}
