import type { ComponentProps, ReactNode } from 'react';
import { classNames } from './class-names.ts';
import { CONTROL_CLASSES, FieldFrame, type FieldProps, useFieldIds } from './field.tsx';

type TextFieldProps = FieldProps &
  Omit<ComponentProps<'input'>, keyof FieldProps> & {
    /** Symbol or icon inside the control, before the text. */
    leading?: ReactNode;
    /** Unit, or a button of at most 44 px, inside the control after the text. */
    trailing?: ReactNode;
  };

export function TextField({ label, hideLabel, optional, hint, error, className, leading, trailing, id: idProp, ...input }: TextFieldProps) {
  const { id, controlProps } = useFieldIds(idProp, hint, error);
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
          {...controlProps}
          className={classNames(CONTROL_CLASSES, 'h-11 lg:h-9', Boolean(leading) && 'pl-10', Boolean(trailing) && 'pr-12')}
        />
        {trailing && <span className="absolute inset-y-0 right-0 flex min-w-11 items-center justify-center text-ink-3">{trailing}</span>}
      </div>
    </FieldFrame>
  );
}

type TextAreaFieldProps = FieldProps & Omit<ComponentProps<'textarea'>, keyof FieldProps>;

export function TextAreaField({ label, hideLabel, optional, hint, error, className, id: idProp, rows = 4, ...area }: TextAreaFieldProps) {
  const { id, controlProps } = useFieldIds(idProp, hint, error);
  return (
    <FieldFrame id={id} label={label} hideLabel={hideLabel} optional={optional} hint={hint} error={error} className={className}>
      <textarea {...area} {...controlProps} rows={rows} className={classNames(CONTROL_CLASSES, 'block resize-y py-2.5 lg:py-2')} />
    </FieldFrame>
  );
}
