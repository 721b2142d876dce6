import { useState } from 'react';
import { TextField } from './text-field.tsx';

interface DateFilterFieldProps {
  label: string;
  hideLabel?: boolean;
  className?: string;
  date: string | undefined;
  onDateChange: (date: string | undefined) => void;
  error?: string | undefined;
}

/** Picks a date ('yyyy-MM-dd') that a list filters by. Reports only years from 2000 on, because typing 2026 first produces the years 2, 20 and 202. */
export function DateFilterField({ label, hideLabel, className, date = '', onDateChange, error }: DateFilterFieldProps) {
  const [typed, setTyped] = useState(date);
  const [reported, setReported] = useState(date);
  if (date !== reported) {
    setReported(date);
    setTyped(date);
  }
  const handleChange = (text: string) => {
    setTyped(text);
    if (text !== '' && !text.startsWith('20')) return;
    setReported(text);
    onDateChange(text || undefined);
  };
  return (
    <TextField
      label={label}
      hideLabel={hideLabel}
      type="date"
      className={className}
      value={typed}
      onChange={({ target }) => handleChange(target.value)}
      error={error}
    />
  );
}
