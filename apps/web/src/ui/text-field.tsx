import type { ComponentProps, ReactNode } from 'react';
import { classes } from './classes.ts';
import { CONTROL, FieldFrame, type FieldProps, useFieldIds } from './field.tsx';

type TextFieldProps = FieldProps &
  Omit<ComponentProps<'input'>, keyof FieldProps> & {
    /** Inside the control, before the text: a symbol or an icon. */
    leading?: ReactNode;
    /** Inside the control, after the text: a unit, or a button of at most 44 px. */
    trailing?: ReactNode;
  };

export function TextField({ label, hideLabel, optional, hint, error, className, leading, trailing, id: given, ...input }: TextFieldProps) {
  const { id, control } = useFieldIds(given, hint, error);
  return (
    <FieldFrame id={id} label={label} hideLabel={hideLabel} optional={optional} hint={hint} error={error} className={className}>
      <div className="relative">
        {leading && (
          <span className="pointer-events-none absolute inset-y-0 left-0 flex w-10 items-center justify-center text-ink-3 [&_svg]:size-4.5">
            {leading}
          </span>
        )}
        <input
          {...input}
          {...control}
          className={classes(CONTROL, 'h-11 lg:h-9', Boolean(leading) && 'pl-10', Boolean(trailing) && 'pr-12')}
        />
        {trailing && <span className="absolute inset-y-0 right-0 flex min-w-11 items-center justify-center text-ink-3">{trailing}</span>}
      </div>
    </FieldFrame>
  );
}

type TextAreaFieldProps = FieldProps & Omit<ComponentProps<'textarea'>, keyof FieldProps>;

export function TextAreaField({ label, hideLabel, optional, hint, error, className, id: given, rows = 4, ...area }: TextAreaFieldProps) {
  const { id, control } = useFieldIds(given, hint, error);
  return (
    <FieldFrame id={id} label={label} hideLabel={hideLabel} optional={optional} hint={hint} error={error} className={className}>
      <textarea {...area} {...control} rows={rows} className={classes(CONTROL, 'block resize-y py-2.5 lg:py-2')} />
    </FieldFrame>
  );
}
