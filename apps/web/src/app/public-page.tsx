import '../ui/tokens.css';
import { PRODUCT_NAME } from '@callout/domain/product/product';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';

/** The script of invoice.html until public invoices exist: no shell, no sign-in. */
const container = document.getElementById('app');
if (!container) throw new Error('The page has no element for the application');
createRoot(container).render(
  <StrictMode>
    <main className="mx-auto flex min-h-dvh max-w-lg flex-col items-center justify-center px-6 text-center">
      <h1 className="text-2xl font-semibold">Invoice</h1>
      <p className="mt-2 text-lg text-ink-2">This invoice cannot be shown online yet.</p>
      <p className="mt-8 text-sm text-ink-3">{PRODUCT_NAME}</p>
    </main>
  </StrictMode>,
);
