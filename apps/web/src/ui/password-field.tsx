import { Eye, EyeOff } from 'lucide-react';
import { type ComponentProps, useState } from 'react';
import { IconButton } from './button.tsx';
import { TextField } from './text-field.tsx';

/** Password field with a reveal button, because with wet hands a typo is likelier than an onlooker. */
export function PasswordField(props: Omit<ComponentProps<typeof TextField>, 'type' | 'trailing'>) {
  const [isVisible, setVisible] = useState(false);
  const Icon = isVisible ? EyeOff : Eye;
  return (
    <TextField
      autoCapitalize="none"
      autoCorrect="off"
      spellCheck={false}
      {...props}
      type={isVisible ? 'text' : 'password'}
      trailing={
        <IconButton label={isVisible ? 'Hide password' : 'Show password'} aria-pressed={isVisible} onClick={() => setVisible(!isVisible)}>
          <Icon aria-hidden="true" />
        </IconButton>
      }
    />
  );
}
