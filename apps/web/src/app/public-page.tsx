import '../ui/tokens.css';
import { PRODUCT_NAME } from '@callout/domain/product/product';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';

/** What a customer sees at a public link until public documents exist: no shell, no sign-in. */
function PublicPage({ title, sentence }: { title: string; sentence: string }) {
  return (
    <main className="mx-auto flex min-h-dvh max-w-lg flex-col items-center justify-center px-6 text-center">
      <h1 className="text-2xl font-semibold">{title}</h1>
      <p className="mt-2 text-lg text-ink-2">{sentence}</p>
      <p className="mt-8 text-sm text-ink-3">{PRODUCT_NAME}</p>
    </main>
  );
}

const isInvoice = window.location.pathname.startsWith('/invoice/');

/** The script of quote.html and invoice.html: a customer's phone loads neither the router nor the shell. */
const container = document.getElementById('app');
if (!container) throw new Error('The page has no element for the application');
createRoot(container).render(
  <StrictMode>
    {isInvoice ? (
      <PublicPage title="Invoice" sentence="This invoice cannot be shown online yet." />
    ) : (
      <PublicPage title="Quote" sentence="This quote cannot be shown online yet." />
    )}
  </StrictMode>,
);
