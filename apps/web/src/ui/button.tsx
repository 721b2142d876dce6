import type { ComponentProps, MouseEvent } from 'react';
import { type ButtonTone, getButtonClasses, getIconButtonClasses } from './button-classes.ts';
import { classNames } from './class-names.ts';

interface ButtonProps extends ComponentProps<'button'> {
  tone?: ButtonTone;
  fullWidth?: boolean;
  /** Whether the button's request is running; clicks are then ignored. Pass false when idle, so that a double click sends one request. */
  busy?: boolean;
}

export function Button({ tone = 'secondary', fullWidth, busy, className, children, onClick, type = 'button', ...rest }: ButtonProps) {
  const handleClick = (event: MouseEvent<HTMLButtonElement>) => {
    // The second click of a double click can arrive before `busy` becomes true, so ignore that click too.
    if (busy || (busy === false && event.detail > 1)) {
      event.preventDefault();
      return;
    }
    onClick?.(event);
  };
  return (
    <button
      {...rest}
      type={type}
      className={classNames(getButtonClasses(tone, fullWidth), className)}
      onClick={handleClick}
      aria-busy={busy || undefined}
      aria-disabled={busy || rest['aria-disabled']}
    >
      {busy && <Spinner />}
      {children}
    </button>
  );
}

interface IconButtonProps extends ComponentProps<'button'> {
  /** Accessible name, also displayed as a tooltip. */
  label: string;
  tone?: ButtonTone;
}

export function IconButton({ label, tone = 'quiet', className, type = 'button', ...rest }: IconButtonProps) {
  return (
    <button
      data-icon-button=""
      title={label}
      {...rest}
      type={type}
      aria-label={label}
      className={classNames(getIconButtonClasses(tone), className)}
    />
  );
}

/** Hidden from screen readers, because the text next to the spinner says what is in progress. */
export function Spinner({ className }: { className?: string }) {
  return (
    <span
      aria-hidden="true"
      className={classNames(
        'inline-block size-4 shrink-0 animate-spin rounded-full border-2 border-current border-r-transparent',
        className,
      )}
    />
  );
}
