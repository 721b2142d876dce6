import type { ComponentProps } from 'react';
import { TextField } from '../../ui/text-field.tsx';

/** The e-mail address that names the account: password managers fill it, phones do not correct it. */
export function EmailField(props: Omit<ComponentProps<typeof TextField>, 'label' | 'type'>) {
  return (
    <TextField
      {...props}
      label="Email"
      type="email"
      inputMode="email"
      autoComplete="username"
      autoCapitalize="none"
      autoCorrect="off"
      spellCheck={false}
    />
  );
}
