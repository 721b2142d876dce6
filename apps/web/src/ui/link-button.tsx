import { createLink } from '@tanstack/react-router';
import type { ComponentProps } from 'react';
import { type ButtonTone, getButtonClasses } from './button-classes.ts';
import { classNames } from './class-names.ts';

interface AnchorButtonProps extends ComponentProps<'a'> {
  tone?: ButtonTone;
  fullWidth?: boolean;
}

/** Anchor that looks like a button, for external URLs. Use LinkButton for pages of this application. */
export function AnchorButton({ tone = 'secondary', fullWidth = false, className, children, ...rest }: AnchorButtonProps) {
  return (
    <a {...rest} className={classNames(getButtonClasses(tone, fullWidth), className)}>
      {children}
    </a>
  );
}

export const LinkButton = createLink(AnchorButton);
