import { useDisplayFormat } from './time-zone.ts';

/** The date of an instant in the displayed time zone, for table cells, which are functions and can't use the hook. */
export function DisplayDate({ instant }: { instant: string }) {
  return useDisplayFormat().formatDisplayDate(instant);
}

export function DisplayDateTime({ instant }: { instant: string }) {
  return useDisplayFormat().formatDisplayDateTime(instant);
}
