import { createLink } from '@tanstack/react-router';
import type { ComponentProps } from 'react';
import { type ButtonTone, buttonStyle } from './button-style.ts';
import { classes } from './classes.ts';

interface AnchorButtonProps extends ComponentProps<'a'> {
  tone?: ButtonTone;
  wide?: boolean;
}

/** An address that looks like a button; for pages of this application use LinkButton. */
export function AnchorButton({ tone = 'secondary', wide = false, className, children, ...rest }: AnchorButtonProps) {
  return (
    <a {...rest} className={classes(buttonStyle(tone, wide), className)}>
      {children}
    </a>
  );
}

export const LinkButton = createLink(AnchorButton);
