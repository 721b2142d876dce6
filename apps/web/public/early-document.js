// Requests the quote or invoice while the page is still loading; src/public-pages/public-document.ts uses the response.
const [, kind, token] = location.pathname.split('/');
globalThis.earlyDocument = fetch(`/api/public/${kind}s/${token}`, {
  headers: { accept: 'application/json', 'x-callout-client': 'callout-web' },
  signal: AbortSignal.timeout(20_000),
});
globalThis.earlyDocument.catch(() => undefined);
