import type { OpenAPI } from '@orpc/contract';

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;

interface DocumentedCall {
  readonly path: string;
  readonly method: (typeof METHODS)[number];
  readonly operation: OpenAPI.OperationObject;
}

/** Renders the API reference without scripts, so that it needs no exception from the content security policy. */
export function renderDocsPage({ info, paths = {}, tags = [], components = {} }: OpenAPI.Document): string {
  const calls = Object.entries(paths).flatMap(([path, item]) =>
    METHODS.flatMap((method): DocumentedCall[] => (item?.[method] ? [{ path, method, operation: item[method] }] : [])),
  );
  const sections = tags.map(({ name, description = '' }) => {
    const members = calls.filter(({ operation }) => operation.tags?.[0] === name);
    return `<h2 id="${escapeMarkup(name)}">${escapeMarkup(name)}</h2><p>${escapeMarkup(description)}</p>${members.map((call) => renderCall(call, components)).join('')}`;
  });
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${escapeMarkup(info.title)}</title><link rel="stylesheet" href="/api/docs/docs.css"></head><body><main>
<h1>${escapeMarkup(info.title)}</h1>${renderMarkdown(info.description)}
<p>To generate a client, use <a href="/api/docs/openapi.json">openapi.json</a> (OpenAPI 3.1).</p>
<nav>${tags.map(({ name }) => `<a href="#${escapeMarkup(name)}">${escapeMarkup(name)}</a>`).join(' ')}</nav>${sections.join('')}</main></body></html>`;
}

function renderCall({ path, method, operation }: DocumentedCall, components: OpenAPI.ComponentsObject): string {
  const { summary = '', description, parameters = [], requestBody, responses = {} } = operation;
  const resolved = Object.entries(responses).map(([status, response]) => [status, resolveResponse(response, components)] as const);
  const errors = resolved.filter(([status]) => Number(status) >= 400);
  const success = resolved.find(([status]) => Number(status) < 300)?.[1];
  const parts = [
    renderMarkdown(description),
    renderList(
      'Parameters',
      parameters.flatMap((parameter) => ('$ref' in parameter ? [] : [renderParameter(parameter)])),
    ),
    renderExample('Request', requestBody && 'content' in requestBody ? requestBody : undefined),
    renderExample('Response', success),
    renderList(
      'Errors',
      errors.map(([status, { description: meaning }]) => `${status} ${escapeMarkup(meaning)}`),
    ),
  ];
  return `<details><summary><code><b>${method.toUpperCase()}</b> ${escapeMarkup(path)}</code> ${escapeMarkup(summary)}</summary>${parts.join('')}</details>`;
}

function resolveResponse(
  response: OpenAPI.ResponseObject | OpenAPI.ReferenceObject,
  components: OpenAPI.ComponentsObject,
): OpenAPI.ResponseObject {
  if (!('$ref' in response)) return response;
  const shared = components.responses?.[response.$ref.replace('#/components/responses/', '')];
  if (!shared || '$ref' in shared) throw new Error(`Unknown response: ${response.$ref}`);
  return shared;
}

function renderParameter({ name, in: location, required, example }: OpenAPI.ParameterObject): string {
  const details = required ? `, required. Example: <code>${escapeMarkup(String(example))}</code>` : ', optional';
  return `<code>${escapeMarkup(name)}</code> in ${escapeMarkup(location)}${details}`;
}

function renderExample(title: string, part: Pick<OpenAPI.RequestBodyObject, 'content'> | OpenAPI.ResponseObject | undefined): string {
  const [type, media] = Object.entries(part?.content ?? {})[0] ?? [];
  if (!type) return '';
  const text = media?.example === undefined ? type : JSON.stringify(media.example, null, 2);
  return `<h3>${title}</h3><pre tabindex="0">${escapeMarkup(text)}</pre>`;
}

const renderList = (title: string, entries: readonly string[]) =>
  entries.length === 0 ? '' : `<h3>${title}</h3><ul>${entries.map((entry) => `<li>${entry}</li>`).join('')}</ul>`;

/** Renders the subset of Markdown that descriptions use: bold, code and paragraphs. */
function renderMarkdown(text = ''): string {
  const html = escapeMarkup(text)
    .replaceAll(/\*\*(.+?)\*\*/g, '<b>$1</b>')
    .replaceAll(/`(.+?)`/g, '<code>$1</code>');
  return html
    .split('\n\n')
    .map((paragraph) => `<p>${paragraph}</p>`)
    .join('');
}

function escapeMarkup(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

export const DOCS_CSS = `:root{color-scheme:light dark;font:16px/1.5 system-ui,sans-serif}main{max-width:60rem;margin:0 auto;padding:1rem}
h2{text-transform:capitalize;margin-top:2rem}h3{font-size:.875rem;margin:1rem 0 .25rem}nav{display:flex;flex-wrap:wrap;gap:.25rem 1rem}a{color:#0f766e}
details{border:1px solid #8885;border-radius:8px;margin:.5rem 0;padding:.5rem 1rem}summary{cursor:pointer}
pre{overflow:auto;max-height:24rem;font-size:13px;background:#8881;border-radius:8px;padding:.75rem}summary b{color:#0f766e;display:inline-block;min-width:4rem}
@media(prefers-color-scheme:dark){summary b,a{color:#2dd4bf}}`;
