import { CircleAlert } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import { classNames } from './class-names.ts';

export interface FieldProps {
  label: string;
  /** Hides the label visually but keeps it for screen readers. */
  hideLabel?: boolean | undefined;
  /** Whether the field may stay empty. If true, '(optional)' is added to the label. */
  optional?: boolean | undefined;
  hint?: ReactNode | undefined;
  error?: string | undefined;
  /** Positions the field in the form's grid. */
  className?: string | undefined;
}

/** Connects a control to its hint and error through their ids. */
export function useFieldIds(idProp: string | undefined, hint: unknown, error: string | undefined) {
  const generatedId = useId();
  const id = idProp ?? generatedId;
  const describedBy = classNames(hint !== undefined && hint !== null && `${id}-hint`, error !== undefined && `${id}-error`);
  return { id, controlProps: { id, 'aria-describedby': describedBy || undefined, 'aria-invalid': error === undefined ? undefined : true } };
}

/** The scroll margin leaves room for the error below the control when the control is scrolled into view. */
export const CONTROL_CLASSES =
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

/** Puts the label above the control and the hint and error below, so that neighboring fields never move. */
export function FieldFrame({ id, label, hideLabel, optional, hint, error, className, children }: FieldFrameProps) {
  return (
    <div className={classNames('min-w-0 self-start', className)}>
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
