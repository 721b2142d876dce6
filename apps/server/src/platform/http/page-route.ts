import { existsSync } from 'node:fs';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import { failure } from '../errors/failures.ts';
import { send } from './error-reply.ts';

const PAGE_DIR = join(import.meta.dirname, '../../../../web/dist');

/** Public pages are separate entry points, without the application shell. */
export const PUBLIC_PAGES = ['quote', 'invoice'] as const;

const isPageUrl = (url: string) => !url.startsWith('/api/') && !url.startsWith('/assets/');

/**
 * What is looked up for the URL of a page. One that can't be read is cut off after its first part, so that whoever mistyped a link gets the
 * page, which says that there is nothing, instead of raw JSON.
 */
export function readablePageUrl(url: string): string {
  const path = url.split('?', 1)[0] ?? '';
  if (!isPageUrl(url) || isReadable(path)) return url;
  const publicPage = PUBLIC_PAGES.find((page) => path.startsWith(`/${page}/`));
  return publicPage ? `/${publicPage}/unreadable` : '/unreadable';
}

function isReadable(path: string): boolean {
  try {
    const text = decodeURIComponent(path);
    return !text.includes('\0') && !text.includes('\\');
  } catch {
    return false;
  }
}

/** Serves the built page: hashed assets are cached forever, the HTML is always revalidated, and all other URLs are routed by the page. */
export async function pageRoute(app: FastifyInstance, pageDir = PAGE_DIR): Promise<void> {
  if (!existsSync(join(pageDir, 'index.html'))) {
    app.log.warn('The page is not built: only the API is served');
    app.setNotFoundHandler((_request, reply) => send(reply, failure('NOT_FOUND', 'Not found.')));
    return;
  }
  await app.register(fastifyStatic, {
    root: pageDir,
    preCompressed: true,
    index: 'index.html',
    setHeaders: (reply, path) => {
      const hashed = path.includes('/assets/');
      reply.header('cache-control', hashed ? 'public, max-age=31536000, immutable' : 'no-cache');
    },
  });
  app.setNotFoundHandler((request, reply) => {
    const wantsPage = request.method === 'GET' && isPageUrl(request.url);
    if (!wantsPage) return send(reply, failure('NOT_FOUND', 'Not found.'));
    const publicPage = PUBLIC_PAGES.find((page) => request.url.startsWith(`/${page}/`));
    // Whoever has the address can answer: it goes to no other site and into no search engine.
    if (publicPage) reply.headers({ 'referrer-policy': 'no-referrer', 'x-robots-tag': 'noindex' });
    return reply.sendFile(`${publicPage ?? 'index'}.html`);
  });
}
