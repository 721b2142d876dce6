import type { ReactNode } from 'react';

export function Kbd({ children }: { children: ReactNode }) {
  return (
    <kbd className="inline-flex h-5 min-w-5 items-center justify-center rounded border border-line bg-surface px-1.5 font-sans text-xs font-medium text-ink-3">
      {children}
    </kbd>
  );
}
