import type { ComponentProps, MouseEvent } from 'react';
import { type ButtonTone, buttonStyle, iconButtonStyle } from './button-style.ts';
import { classes } from './classes.ts';

interface ButtonProps extends ComponentProps<'button'> {
  tone?: ButtonTone;
  wide?: boolean;
  /** For a button that starts a request; true while it runs. A double click then counts once, and clicks while it runs are ignored. */
  busy?: boolean;
}

export function Button({ tone = 'secondary', wide = false, busy, className, children, onClick, type = 'button', ...rest }: ButtonProps) {
  const handleClick = (event: MouseEvent<HTMLButtonElement>) => {
    // The second click of a double click can arrive before `busy` has turned true.
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
      className={classes(buttonStyle(tone, wide), className)}
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
  /** Read aloud, and shown as a tip on hover. */
  label: string;
  tone?: ButtonTone;
}

export function IconButton({ label, tone = 'quiet', className, type = 'button', ...rest }: IconButtonProps) {
  return <button title={label} {...rest} type={type} aria-label={label} className={classes(iconButtonStyle(tone), className)} />;
}

/** Moves while something is under way; the words beside it say what. */
export function Spinner({ className }: { className?: string }) {
  return (
    <span
      aria-hidden="true"
      className={classes('inline-block size-4 shrink-0 animate-spin rounded-full border-2 border-current border-r-transparent', className)}
    />
  );
}
