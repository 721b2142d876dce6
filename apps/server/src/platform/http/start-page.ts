import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Me } from '@callout/contract/company';
import { errorStatus } from '@callout/contract/errors';
import { escapeHtml } from '@callout/domain/documents/html';
import { PRODUCT_NAME } from '@callout/domain/product/product';
import { greeting } from '@callout/domain/time/greeting';
import { isTimeZone } from '@callout/domain/time/time-zones';
import { wallTime } from '@callout/domain/time/wall-time';
import type { Answer } from './contract-route.ts';

/** As vite/page-chunks.ts of the page writes them. */
interface PageChunks {
  readonly path: string;
  readonly in_shell: boolean;
  readonly title?: string;
  readonly urls: readonly string[];
}

type Profile = NonNullable<Me['profile']>;

const HOME = '/dashboard';
const SIGN_IN = '/auth';

/** The HTML for a URL and an answer to GET /api/me, if there is one. */
export async function readStartPage(pageDir: string): Promise<(url: string, me: Answer | null) => string> {
  const [head = '', body = ''] = (await readFile(join(pageDir, 'index.html'), 'utf8')).split('</head>');
  const framed = withFrame(body);
  const pages = await readPageChunks(join(pageDir, 'page-chunks.json'));
  const byDepth = pages.toSorted((one, other) => wildcards(one.path) - wildcards(other.path));
  const find = (path: string) => byDepth.find((page) => matches(page.path, path));
  const links = new Map(
    pages.map((page) => [
      page,
      page.urls.map((url) => `<link rel="modulepreload" fetchpriority="low" crossorigin href="${url}">`).join(''),
    ]),
  );
  return (url, me) => {
    const asked = find((url.split('?', 1)[0] ?? '').replace(/^\/?$/, HOME));
    const page = asked?.in_shell && me?.status === errorStatus.UNAUTHENTICATED ? find(SIGN_IN) : asked;
    const { user, profile } = page?.in_shell ? whoIs(me) : {};
    const shown = page && user && profile ? fill(framed, { company: companyName(profile), title: titleOf(page, user, profile) }) : body;
    return `${head}${page ? links.get(page) : ''}${meScript(me)}</head>${shown}`;
  };
}

/** What the application replaces once it runs: the frame of its pages instead of 'Loading...'. */
function withFrame(body: string): string {
  const [template = '', frame = ''] = /<template id="frame">(.*?)<\/template>/s.exec(body) ?? [];
  return body.replace(template, '').replace(/<div id="app">.*?<\/div>/s, () => `<div id="app">${frame}</div>`);
}

const whoIs = (me: Answer | null): Partial<Me> => (me?.status === 200 ? (me.body as Me) : {});

const fill = (html: string, texts: Readonly<Record<string, string>>) =>
  html.replace(/\{(company|title)\}/g, (_place, name: string) => escapeHtml(texts[name] ?? ''));

const companyName = ({ company_name: name }: Profile) => name || PRODUCT_NAME;

/** The heading that the page will have, as far as it is known before: the dashboard greets by the clock of the company. */
function titleOf({ path, title = '' }: PageChunks, user: Me['user'], { timezone }: Profile): string {
  if (path !== HOME) return title;
  return timezone !== null && isTimeZone(timezone) ? greeting(wallTime(new Date().toISOString(), timezone).hour, user) : '';
}

/** None of a build that is older than this server: then the browser learns by itself what to load. */
async function readPageChunks(path: string): Promise<PageChunks[]> {
  return existsSync(path) ? (JSON.parse(await readFile(path, 'utf8')) as PageChunks[]) : [];
}

const wildcards = (path: string) => path.split('$').length;

function matches(pattern: string, path: string): boolean {
  const [names, parts] = [pattern.split('/'), path.split('/')];
  return names.length === parts.length && names.every((name, at) => name === parts[at] || (name.startsWith('$') && parts[at] !== ''));
}

/** As data, which no browser runs. Nothing when it is not known: then the page asks itself. */
function meScript(me: Answer | null): string {
  if (!me || me.status >= 500) return '';
  return `<script type="application/json" id="me">${JSON.stringify(me).replaceAll('<', '\\u003c')}</script>`;
}
