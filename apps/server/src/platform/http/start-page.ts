import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Me } from '@callout/contract/company';
import { ERROR_STATUS } from '@callout/contract/errors';
import { escapeHtml } from '@callout/domain/documents/html';
import { PRODUCT_NAME } from '@callout/domain/product/product';
import { formatGreeting } from '@callout/domain/time/greeting';
import { isTimeZone } from '@callout/domain/time/time-zones';
import { toWallTime } from '@callout/domain/time/wall-time';
import type { CallResponse } from './contract-route.ts';

/** An entry of page-chunks.json, which apps/web/vite/page-chunks.ts writes. */
interface PageChunks {
  readonly path: string;
  readonly in_shell: boolean;
  readonly title?: string;
  readonly urls: readonly string[];
}

type Profile = NonNullable<Me['profile']>;

const HOME_PATH = '/dashboard';
const SIGN_IN_PATH = '/auth';

/** Creates a function that renders the app's HTML. `me` is the response to GET /api/me, or null if it didn't arrive in time. */
export async function createStartPageRenderer(pageDir: string): Promise<(url: string, me: CallResponse | null) => string> {
  const [head = '', body = ''] = (await readFile(join(pageDir, 'index.html'), 'utf8')).split('</head>');
  const framedBody = withFrame(body);
  const pages = await readPageChunks(join(pageDir, 'page-chunks.json'));
  const mostSpecificFirst = pages.toSorted((a, b) => countWildcards(a.path) - countWildcards(b.path));
  const findPage = (path: string) => mostSpecificFirst.find((page) => matchesPath(page.path, path));
  const toPreloadLink = (url: string) => `<link rel="modulepreload" fetchpriority="low" crossorigin href="${url}">`;
  const preloadLinks = new Map(pages.map((page) => [page, page.urls.map(toPreloadLink).join('')]));
  return (url, me) => {
    const requested = findPage((url.split('?', 1)[0] ?? '').replace(/^\/?$/, HOME_PATH));
    const page = requested?.in_shell && me?.status === ERROR_STATUS.UNAUTHENTICATED ? findPage(SIGN_IN_PATH) : requested;
    const { user, profile } = page?.in_shell ? getMe(me) : {};
    const placeholders = page && user && profile && { company: getCompanyName(profile), title: getHeading(page, user, profile) };
    const content = placeholders ? fillPlaceholders(framedBody, placeholders) : body;
    return `${head}${page ? preloadLinks.get(page) : ''}${renderMeScript(me)}</head>${content}`;
  };
}

/** Replaces 'Loading...' with the shell's frame, which the app takes over once it runs. */
function withFrame(body: string): string {
  const [template = '', frame = ''] = /<template id="frame">(.*?)<\/template>/s.exec(body) ?? [];
  return body.replace(template, '').replace(/<div id="app">.*?<\/div>/s, () => `<div id="app">${frame}</div>`);
}

const getMe = (me: CallResponse | null): Partial<Me> => (me?.status === 200 ? (me.body as Me) : {});

const fillPlaceholders = (html: string, texts: Readonly<Record<string, string>>) =>
  html.replace(/\{(company|title)\}/g, (_placeholder, name: string) => escapeHtml(texts[name] ?? ''));

const getCompanyName = ({ company_name: name }: Profile) => name || PRODUCT_NAME;

/** Returns the page's heading, or '' if it isn't known in advance. The dashboard's greeting depends on the company's time zone. */
function getHeading({ path, title = '' }: PageChunks, user: Me['user'], { timezone }: Profile): string {
  if (path !== HOME_PATH) return title;
  return timezone !== null && isTimeZone(timezone) ? formatGreeting(toWallTime(new Date().toISOString(), timezone).hour, user) : '';
}

/** Returns an empty list for builds without this file. Their pages still work, but nothing is preloaded. */
async function readPageChunks(path: string): Promise<PageChunks[]> {
  return existsSync(path) ? (JSON.parse(await readFile(path, 'utf8')) as PageChunks[]) : [];
}

const countWildcards = (path: string) => path.split('$').length;

function matchesPath(pattern: string, path: string): boolean {
  const [names, parts] = [pattern.split('/'), path.split('/')];
  return names.length === parts.length && names.every((name, i) => name === parts[i] || (name.startsWith('$') && parts[i] !== ''));
}

/** Renders the response to GET /api/me as inert JSON. Server errors are left out, so that the page repeats the call itself. */
function renderMeScript(me: CallResponse | null): string {
  if (!me || me.status >= 500) return '';
  return `<script type="application/json" id="me">${JSON.stringify(me).replaceAll('<', '\\u003c')}</script>`;
}
