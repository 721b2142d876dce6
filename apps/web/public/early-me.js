// Asks who is signed in while the application is still loading. src/lib/api.ts picks up the response.
globalThis.earlyMe = fetch('/api/me', {
  headers: { accept: 'application/json', 'x-callout-client': 'callout-web' },
  signal: AbortSignal.timeout(20_000),
});
globalThis.earlyMe.catch(() => undefined);
