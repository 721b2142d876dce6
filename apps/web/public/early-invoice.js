// Requests the invoice while the page is still loading; src/features/invoices/public/invoices-public.api.ts uses the response.
globalThis.earlyInvoice = fetch(`/api/public/invoices/${location.pathname.split('/')[2]}`, {
  headers: { accept: 'application/json', 'x-callout-client': 'callout-web' },
  signal: AbortSignal.timeout(20_000),
});
globalThis.earlyInvoice.catch(() => undefined);
