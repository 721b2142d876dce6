import type { ComponentProps, ReactNode } from 'react';
import { Card } from '../../ui/card.tsx';
import { TextField } from '../../ui/text-field.tsx';

interface AuthLayoutProps {
  title: string;
  children: ReactNode;
  below?: ReactNode;
}

/** Lays out a page that is outside the app shell, such as sign-in. */
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

/** Email field for signing in. Password managers can fill it in, and phones don't autocorrect it. */
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
