import type { OpenAPI } from '@orpc/contract';

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;

/** A page to read: plain HTML without scripts, so it needs no exception from the content policy. */
export function docsPage(document: OpenAPI.Document): string {
  const calls = Object.entries(document.paths ?? {}).flatMap(([path, item]) =>
    METHODS.flatMap((method) => (item?.[method] ? [{ path, method, operation: item[method] }] : [])),
  );
  const groups = Object.entries(Object.groupBy(calls, (call) => call.operation.tags?.[0] ?? 'other'));
  const sections = groups.map(([tag, members = []]) => `<h2>${escape(tag)}</h2>${members.map(callSection).join('')}`);
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${escape(document.info.title)} API</title><link rel="stylesheet" href="/api/docs/docs.css"></head><body><main>
<h1>${escape(document.info.title)} API</h1>
<p>Every call the page itself makes, under <code>/api</code>. Sign in first: the session is a cookie.
The same as OpenAPI 3.1: <a href="/api/docs/openapi.json">openapi.json</a>.</p>${sections.join('')}</main></body></html>`;
}

function callSection({ path, method, operation }: { path: string; method: string; operation: OpenAPI.OperationObject }): string {
  const detail = { parameters: operation.parameters, requestBody: operation.requestBody, responses: operation.responses };
  return `<details><summary><code><b>${method.toUpperCase()}</b> ${escape(path)}</code> ${escape(operation.summary ?? '')}</summary>
<pre>${escape(JSON.stringify(detail, null, 2))}</pre></details>`;
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

export const DOCS_CSS = `:root{color-scheme:light dark;font:16px/1.5 system-ui,sans-serif}main{max-width:60rem;margin:0 auto;padding:1rem}
h2{text-transform:capitalize}details{border:1px solid #8885;border-radius:8px;margin:.5rem 0;padding:.5rem 1rem}summary{cursor:pointer}
pre{overflow:auto;font-size:13px}code b{color:#0f766e;display:inline-block;min-width:4rem}@media(prefers-color-scheme:dark){code b{color:#2dd4bf}}`;
