import type { ReactNode } from 'react';

/** What failed and what to do. Part of the entry: the connection may be what failed. */
export function PlainError({ message, children }: { message: string; children: ReactNode }) {
  return (
    <div role="alert" className="flex flex-col items-center px-6 py-12 text-center">
      <p className="max-w-md text-lg font-medium">{message}</p>
      <div className="mt-5 flex flex-wrap justify-center gap-2">{children}</div>
    </div>
  );
}
