import type { ComponentProps, MouseEvent } from 'react';
import { type ButtonTone, buttonStyle, iconButtonStyle } from './button-style.ts';
import { classes } from './classes.ts';
import { Spinner } from './spinner.tsx';

interface ButtonProps extends ComponentProps<'button'> {
  tone?: ButtonTone;
  wide?: boolean;
  /** Under way: keeps focus and size, shows a spinner, and a second press does nothing. */
  busy?: boolean;
}

export function Button({
  tone = 'secondary',
  wide = false,
  busy = false,
  className,
  children,
  onClick,
  type = 'button',
  ...rest
}: ButtonProps) {
  const press = (event: MouseEvent<HTMLButtonElement>) => {
    // A second press right after the first comes before `busy` can show: it is no wish of its own.
    if (busy || event.detail > 1) {
      event.preventDefault();
      return;
    }
    onClick?.(event);
  };
  return (
    <button
      {...rest}
      type={type}
      className={classes(buttonStyle(tone, wide), className)}
      onClick={press}
      aria-busy={busy || undefined}
      aria-disabled={busy || rest['aria-disabled']}
    >
      {busy && <Spinner />}
      {children}
    </button>
  );
}

interface IconButtonProps extends ComponentProps<'button'> {
  /** Read aloud, and shown as a tip on hover. */
  label: string;
  tone?: ButtonTone;
}

export function IconButton({ label, tone = 'quiet', className, type = 'button', ...rest }: IconButtonProps) {
  return <button title={label} {...rest} type={type} aria-label={label} className={classes(iconButtonStyle(tone), className)} />;
}
