import '../../ui/tokens.css';
import { PRODUCT_NAME } from '@callout/domain/product/product';
import { type ReactNode, StrictMode } from 'react';
import { createRoot } from 'react-dom/client';

/** Public pages are entries of their own: a customer's phone loads neither the router nor the shell. */
export function renderPublicPage(page: ReactNode): void {
  const container = document.getElementById('app');
  if (!container) throw new Error('The page has no element for the application');
  createRoot(container).render(<StrictMode>{page}</StrictMode>);
}

/** What a customer sees at a public link until public documents exist: no shell, no sign-in. */
export function PublicNotBuiltPage({ title, sentence }: { title: string; sentence: string }) {
  return (
    <main className="mx-auto flex min-h-dvh max-w-lg flex-col items-center justify-center px-6 text-center">
      <h1 className="text-2xl font-semibold">{title}</h1>
      <p className="mt-2 text-lg text-ink-2">{sentence}</p>
      <p className="mt-8 text-sm text-ink-3">{PRODUCT_NAME}</p>
    </main>
  );
}
