import { CircleAlert } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import { classes } from './classes.ts';

export interface FieldProps {
  label: string;
  /** The label is read aloud but not shown. */
  hideLabel?: boolean | undefined;
  /** Marks a field that may stay empty. */
  optional?: boolean | undefined;
  hint?: ReactNode | undefined;
  error?: string | undefined;
  /** For the place in the form's grid. */
  className?: string | undefined;
}

/** The ids that tie a control to its hint and its error. */
export function useFieldIds(given: string | undefined, hint: unknown, error: string | undefined) {
  const made = useId();
  const id = given ?? made;
  const describedBy = classes(hint !== undefined && hint !== null && `${id}-hint`, error !== undefined && `${id}-error`);
  return { id, control: { id, 'aria-describedby': describedBy || undefined, 'aria-invalid': error === undefined ? undefined : true } };
}

/** Scrolled into view, there is room below for its message. */
export const CONTROL =
  'scroll-mb-12 w-full min-w-0 rounded-control bg-surface px-3 text-lg text-ink transition-shadow duration-120 lg:text-base ' +
  'ring-1 ring-field ring-inset hover:ring-line-strong focus-visible:outline-offset-0 ' +
  'disabled:bg-sunken disabled:text-ink-3 [&[readonly]]:bg-sunken [&[readonly]]:text-ink-2 [&[readonly]]:ring-line aria-invalid:ring-2 aria-invalid:ring-danger';

export function FieldError({ id, error }: { id: string; error: string | undefined }) {
  if (error === undefined) return null;
  return (
    <p id={`${id}-error`} className="mt-1.5 flex items-start gap-1.5 text-sm text-danger-ink">
      <CircleAlert aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
      {error}
    </p>
  );
}

interface FieldFrameProps extends FieldProps {
  id: string;
  children: ReactNode;
}

/** Label above, control, then hint and error below it, so that a neighbour never moves. */
export function FieldFrame({ id, label, hideLabel, optional, hint, error, className, children }: FieldFrameProps) {
  return (
    <div className={classes('min-w-0 self-start', className)}>
      <label htmlFor={id} className={hideLabel ? 'sr-only' : 'mb-1.5 block text-sm font-medium text-ink'}>
        {label}
        {optional && <span className="font-normal text-ink-3"> (optional)</span>}
      </label>
      {children}
      {hint !== undefined && hint !== null && (
        <p id={`${id}-hint`} className="mt-1.5 text-sm text-ink-3 empty:hidden">
          {hint}
        </p>
      )}
      <FieldError id={id} error={error} />
    </div>
  );
}
