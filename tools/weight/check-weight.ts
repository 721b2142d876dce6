import { type Browser, type BrowserContext, chromium, type Page, type Request } from '@playwright/test';
import { signInAsDemoAdmin, startDemoServer } from '../browser/demo-server.ts';
import { browserFlags, findBrowserPath } from '../browser/find-browser.ts';
import { BUDGETS, formatWeightTable, isOverBudget, type PageBudget, type PageWeight } from './budgets.ts';

const IDLE_DELAY_MS = 1_000;
const MAX_CONCURRENT_PAGES = 3;
/** Must equal PREFETCH_DELAY_MS in apps/web/src/ui/use-lazy-module.ts. */
const PREFETCH_DELAY_MS = 5_000;

/** Opens each page of the built app in a browser with an empty cache and measures the download. The server sends Brotli, as over HTTPS. */
async function measurePages(budgets: readonly PageBudget[]): Promise<PageWeight[]> {
  const server = await startDemoServer();
  try {
    const executablePath = await findBrowserPath();
    const browser = await chromium.launch({ executablePath, args: [...browserFlags] });
    try {
      const session = await createSession(browser, server.url);
      return await measureAll(budgets, (budget) => measurePage(browser, server.url, session, budget));
    } finally {
      await browser.close();
    }
  } finally {
    await server.stop();
  }
}

/** Measures several pages at a time, because most of the time goes into waiting for a page to become idle. */
async function measureAll(budgets: readonly PageBudget[], measure: (budget: PageBudget) => Promise<Measurement>): Promise<PageWeight[]> {
  const weights: PageWeight[] = [];
  const remaining = budgets.entries();
  const measureNext = async () => {
    for (const [index, budget] of remaining) weights[index] = { ...budget, ...(await measure(budget)) };
  };
  await Promise.all(Array.from({ length: MAX_CONCURRENT_PAGES }, measureNext));
  return weights;
}

type Measurement = Pick<PageWeight, 'bytes' | 'requests'>;
type Session = Awaited<ReturnType<BrowserContext['storageState']>>;

async function measurePage(browser: Browser, url: string, session: Session, { path, isPublic }: PageBudget): Promise<Measurement> {
  const target = await resolvePath(browser, url, session, path);
  // Use a new context for each page, so that nothing is cached.
  const context = await browser.newContext({ baseURL: url, ...(!isPublic && { storageState: session }) });
  try {
    const page = await context.newPage();
    await page.addInitScript(dropLateTimers, PREFETCH_DELAY_MS);
    const idle = watchRequests(page);
    const response = await page.goto(target);
    if (!response?.headers()['content-type']?.includes('html')) throw new Error('The web app is not built: run tools/build.mjs first');
    const requests = await idle();
    if (new URL(page.url()).pathname !== target) throw new Error(`${target} redirected to ${page.url()}`);
    const scripts = await Promise.all(requests.map(measureScriptBytes));
    return { bytes: scripts.reduce((sum, bytes) => sum + bytes, 0), requests: requests.length };
  } finally {
    await context.close();
  }
}

/**
 * Drops the timers that start prefetching. Prefetching isn't part of a page load, but on a busy machine it could start before the page is
 * idle.
 */
function dropLateTimers(minDelayMs: number): void {
  const startTimer = globalThis.setTimeout;
  const startShortTimer = (run: () => void, ms = 0) => (ms < minDelayMs ? startTimer(run, ms) : 0);
  Object.assign(globalThis, { setTimeout: startShortTimer });
}

/** API calls that lead to the public link of a sent quote or an unpaid invoice. */
const PUBLIC_LINK_SOURCES = [
  { page: '/quote/', list: '/api/quotes?status=sent', getRecordPath: (id: string) => `/api/quotes/${id}` },
  { page: '/invoice/', list: '/api/jobs?status=invoiced', getRecordPath: (id: string) => `/api/jobs/${id}/billing` },
];

/** Replaces the placeholder in a path: '/customers/{customer}' gets the id of the first customer, '/quote/{token}' a quote's token. */
async function resolvePath(browser: Browser, url: string, session: Session, path: string): Promise<string> {
  const kind = /\{(\w+)\}/.exec(path)?.[1];
  if (kind === undefined) return path;
  const context = await browser.newContext({ baseURL: url, storageState: session });
  try {
    const link = PUBLIC_LINK_SOURCES.find(({ page }) => path === `${page}{token}`);
    const list = await context.request.get(link?.list ?? `/api/${kind}s`);
    const { rows } = (await list.json()) as { rows: { id: string }[] };
    const id = rows[0]?.id ?? '';
    if (!link) return path.replace(`{${kind}}`, id);
    const record = await context.request.get(link.getRecordPath(id));
    return ((await record.json()) as { public_path: string }).public_path;
  } finally {
    await context.close();
  }
}

async function createSession(browser: Browser, url: string): Promise<Session> {
  const context = await browser.newContext({ baseURL: url });
  try {
    await signInAsDemoAdmin(context.request, url);
    return await context.storageState();
  } finally {
    await context.close();
  }
}

/** Returns a function that waits until no request has been pending for a second and the page is idle. Ignores the endless event stream. */
function watchRequests(page: Page): () => Promise<readonly Request[]> {
  const started: Request[] = [];
  const pending = new Set<Request>();
  const idle = Promise.withResolvers<void>();
  let timer = setTimeout(() => undefined);
  const settle = async () => {
    const seen = started.length;
    // Wait until the page is idle, because on a busy machine it may take more than a second between two requests.
    await page.evaluate(() => new Promise((done) => void requestIdleCallback(done)));
    if (pending.size === 0 && started.length === seen) idle.resolve();
  };
  const restart = () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      if (pending.size === 0) settle().catch(idle.reject);
    }, IDLE_DELAY_MS);
  };
  page.on('request', (request) => {
    // Ignore the delayed POST that reports an opened public page, and the favicon, which not every browser reports.
    if (request.method() !== 'GET' || request.resourceType() === 'other') return;
    started.push(request);
    if (request.resourceType() !== 'eventsource') pending.add(request);
    restart();
  });
  const ended = (request: Request) => {
    pending.delete(request);
    restart();
  };
  page.on('requestfinished', ended).on('requestfailed', ended);
  return async () => {
    await idle.promise;
    return started;
  };
}

async function measureScriptBytes(request: Request): Promise<number> {
  if (request.resourceType() === 'eventsource') return 0;
  const response = await request.response();
  const isScript = response?.headers()['content-type']?.includes('javascript') ?? false;
  return isScript ? (await request.sizes()).responseBodySize : 0;
}

const weights = await measurePages(BUDGETS);
console.log(formatWeightTable(weights));
if (weights.some(isOverBudget)) {
  console.error('\nOver budget: load less code at first or use fewer chunks (see tools/weight/budgets.ts).');
  process.exitCode = 1;
}
