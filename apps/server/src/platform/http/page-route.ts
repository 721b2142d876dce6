import { existsSync } from 'node:fs';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { failure } from '../errors/failures.ts';
import type { Answer } from './contract-route.ts';
import { send } from './error-reply.ts';
import { readStartPage } from './start-page.ts';

const PAGE_DIR = join(import.meta.dirname, '../../../../web/dist');

/** Public pages are separate entry points, without the application shell. */
export const PUBLIC_PAGES = ['quote', 'invoice'] as const;

/** A file that is not there, such as one of an older build or one that starts with a dot, is no page. Tokens of public pages may be followed by anything. */
const isFileUrl = (url: string) => /^[^?]*\.\w+(\?|$)/.test(url);

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

/** Asks who is signed in. */
type AskMe = (request: FastifyRequest, reply: FastifyReply) => Promise<Answer>;

/**
 * Serves the built page: hashed assets are cached forever, the HTML is always revalidated, and all other URLs are routed by the page.
 * The HTML of the application says who is signed in and names the chunks of the page asked for: one round trip later it is shown.
 * Only /index.html itself is served as it was built: browsers keep it to open the application offline, whoever is signed in then.
 */
export async function pageRoute(app: FastifyInstance, askMe: AskMe, pageDir = PAGE_DIR): Promise<void> {
  if (!existsSync(join(pageDir, 'index.html'))) {
    app.log.warn('The page is not built: only the API is served');
    app.setNotFoundHandler((_request, reply) => send(reply, failure('NOT_FOUND', 'Not found.')));
    return;
  }
  const startPage = await readStartPage(pageDir);
  const sendStartPage = async (request: FastifyRequest, reply: FastifyReply) => {
    const me = await inTime(askMe(request, reply));
    return reply.type('text/html; charset=utf-8').header('cache-control', 'no-store').send(startPage(request.url, me));
  };
  await app.register(fastifyStatic, {
    root: pageDir,
    preCompressed: true,
    index: false,
    dotfiles: 'ignore',
    setHeaders: (reply, path) => {
      const hashed = path.includes('/assets/');
      reply.header('cache-control', hashed ? 'public, max-age=31536000, immutable' : 'no-cache');
    },
  });
  // HEAD for whoever watches whether the server is up.
  app.route({ method: ['GET', 'HEAD'], url: '/', handler: sendStartPage });
  app.setNotFoundHandler((request, reply) => {
    const publicPage = PUBLIC_PAGES.find((page) => request.url.startsWith(`/${page}/`));
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    const wantsPage = isRead && isPageUrl(request.url) && (publicPage || !isFileUrl(request.url));
    if (!wantsPage) return send(reply, failure('NOT_FOUND', 'Not found.'));
    if (!publicPage) return sendStartPage(request, reply);
    // Whoever has the address can answer: it goes to no other site and into no search engine.
    reply.headers({ 'referrer-policy': 'no-referrer', 'x-robots-tag': 'noindex' });
    return reply.sendFile(`${publicPage}.html`);
  });
}

/** While the database does not answer, people see the page instead of a blank window. */
const MAX_WAIT_MS = 1000;

/** The answer, or null when it takes too long. Then nobody waits for it any more, also not for its failure. */
async function inTime(answer: Promise<Answer>): Promise<Answer | null> {
  const late = Promise.withResolvers<null>();
  const timer = setTimeout(() => late.resolve(null), MAX_WAIT_MS);
  try {
    return await Promise.race([answer, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
