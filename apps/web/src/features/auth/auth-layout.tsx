import type { ComponentProps, ReactNode } from 'react';
import { Card } from '../../ui/card.tsx';
import { TextField } from '../../ui/text-field.tsx';

interface AuthLayoutProps {
  title: string;
  children: ReactNode;
  below?: ReactNode;
}

/** Layout of every page outside the app shell. */
export function AuthLayout({ title, children, below }: AuthLayoutProps) {
  return (
    <main className="flex min-h-dvh flex-col items-center justify-center px-4 py-8">
      <div className="w-full max-w-sm">
        <img src="/icon.svg" alt="" width={48} height={48} className="mx-auto mb-4" />
        <h1 className="mb-6 text-center text-2xl font-semibold tracking-tight [overflow-wrap:anywhere]">{title}</h1>
        <Card className="p-5 sm:p-6">{children}</Card>
        {below}
      </div>
    </main>
  );
}

/** Field for the sign-in email address. Password managers fill it in, and phones must not autocorrect it. */
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
