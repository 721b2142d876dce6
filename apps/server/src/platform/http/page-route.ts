import { existsSync } from 'node:fs';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { createFailure } from '../errors/failures.ts';
import type { CallResponse } from './contract-route.ts';
import { sendFailure } from './error-response.ts';
import { createStartPageRenderer } from './start-page.ts';

const PAGE_DIR = join(import.meta.dirname, '../../../../web/dist');

/** Public pages have their own HTML entry points, without the app shell. */
export const PUBLIC_PAGES = ['quote', 'invoice'] as const;

/** Matches file URLs. A missing file, such as an asset of an older build, must get a 404 instead of the app's HTML. */
const isFileUrl = (url: string) => /^[^?]*\.\w+(\?|$)/.test(url);

const findPublicPage = (path: string) => PUBLIC_PAGES.find((page) => path.startsWith(`/${page}/`));

const isPageUrl = (url: string) => !url.startsWith('/api/') && !url.startsWith('/assets/');

/** Replaces a page URL that can't be decoded, so that a mistyped link leads to the page's own "not found" message instead of raw JSON. */
export function sanitizePageUrl(url: string): string {
  const path = url.split('?', 1)[0] ?? '';
  if (!isPageUrl(url) || isDecodable(path)) return url;
  const publicPage = findPublicPage(path);
  return publicPage ? `/${publicPage}/unreadable` : '/unreadable';
}

/** Returns true for requests that are answered with HTML. The page itself knows which URLs it has. */
export function isPageRequest({ method, url }: Pick<FastifyRequest, 'method' | 'url'>): boolean {
  const isRead = method === 'GET' || method === 'HEAD';
  return isRead && isPageUrl(url) && (findPublicPage(url) !== undefined || !isFileUrl(url));
}

function isDecodable(path: string): boolean {
  try {
    const text = decodeURIComponent(path);
    return !text.includes('\0') && !text.includes('\\');
  } catch {
    return false;
  }
}

/** Makes the `company.me` call for the sender of a request. */
type MeFetcher = (request: FastifyRequest, reply: FastifyReply) => Promise<CallResponse>;

/**
 * Serves the built web app: hashed assets are cached forever, HTML is always revalidated, and the app's router handles all other URLs. The
 * app's HTML embeds the signed-in user and preloads the requested page's chunks, which saves round trips. Only /index.html is served
 * unchanged, because browsers cache it to start the app offline for any user.
 */
export async function registerPageRoutes(app: FastifyInstance, fetchMe: MeFetcher, pageDir = PAGE_DIR): Promise<void> {
  if (!existsSync(join(pageDir, 'index.html'))) {
    app.log.warn('The web app has not been built. Only the API is served.');
    app.setNotFoundHandler((_request, reply) => sendFailure(reply, createFailure('NOT_FOUND', 'Not found.')));
    return;
  }
  const renderStartPage = await createStartPageRenderer(pageDir);
  const sendStartPage = async (request: FastifyRequest, reply: FastifyReply) => {
    const me = await resolveInTime(fetchMe(request, reply));
    return reply.type('text/html; charset=utf-8').header('cache-control', 'no-store').send(renderStartPage(request.url, me));
  };
  await app.register(fastifyStatic, {
    root: pageDir,
    preCompressed: true,
    index: false,
    dotfiles: 'ignore',
    setHeaders: (reply, path) => {
      const isHashed = path.includes('/assets/');
      reply.header('cache-control', isHashed ? 'public, max-age=31536000, immutable' : 'no-cache');
    },
  });
  // HEAD is included because uptime monitors send it.
  app.route({ method: ['GET', 'HEAD'], url: '/', handler: sendStartPage });
  app.setNotFoundHandler((request, reply) => {
    if (!isPageRequest(request)) return sendFailure(reply, createFailure('NOT_FOUND', 'Not found.'));
    const publicPage = findPublicPage(request.url);
    if (!publicPage) return sendStartPage(request, reply);
    // The URL grants access, so it must not leak through a referrer or a search engine.
    reply.headers({ 'referrer-policy': 'no-referrer', 'x-robots-tag': 'noindex' });
    return reply.sendFile(`${publicPage}.html`);
  });
}

/** How long to wait for the signed-in user. In a database outage, the page is then served without the user instead of staying blank. */
const ME_TIMEOUT_MS = 1000;

/** Returns null if the response takes longer than `ME_TIMEOUT_MS`. A later rejection is ignored. */
async function resolveInTime(response: Promise<CallResponse>): Promise<CallResponse | null> {
  const timeout = Promise.withResolvers<null>();
  const timer = setTimeout(() => timeout.resolve(null), ME_TIMEOUT_MS);
  try {
    return await Promise.race([response, timeout.promise]);
  } finally {
    clearTimeout(timer);
  }
}
