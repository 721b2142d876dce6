// Requests the quote while the page is still loading; src/features/quotes/public/quotes-public.api.ts uses the response.
globalThis.earlyQuote = fetch(`/api/public/quotes/${location.pathname.split('/')[2]}`, {
  headers: { accept: 'application/json', 'x-callout-client': 'callout-web' },
  signal: AbortSignal.timeout(20_000),
});
globalThis.earlyQuote.catch(() => undefined);
