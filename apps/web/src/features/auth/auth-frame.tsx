import type { ReactNode } from 'react';
import { Card } from '../../ui/card.tsx';

interface AuthFrameProps {
  title: string;
  children: ReactNode;
  /** Under the card: the other ways. */
  below?: ReactNode;
}

/** What a page outside the shell stands in. */
export function AuthFrame({ title, children, below }: AuthFrameProps) {
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
