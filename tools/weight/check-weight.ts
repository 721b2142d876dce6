import { type Browser, type BrowserContext, chromium, type Page, type Request } from '@playwright/test';
import { signIn, startDemo } from '../browser/demo-product.ts';
import { browserFlags, findBrowser } from '../browser/find-browser.ts';
import { BUDGETS, type Budget, isOverBudget, type Weight, weightTable } from './budgets.ts';

const IDLE_MS = 1_000;
const AT_ONCE = 3;
/** PREFETCH_DELAY_MS of the pages. */
const LATER_MS = 5_000;

/**
 * What each page of the built product downloads on a cold load, measured in a browser with the demo company. On localhost a browser
 * asks for brotli, as it does everywhere over https.
 */
async function measurePages(budgets: readonly Budget[]): Promise<Weight[]> {
  const product = await startDemo();
  try {
    const executablePath = await findBrowser();
    const browser = await chromium.launch({ executablePath, args: [...browserFlags] });
    try {
      const session = await startSession(browser, product.url);
      return await measureAll(budgets, (budget) => measurePage(browser, product.url, session, budget));
    } finally {
      await browser.close();
    }
  } finally {
    await product.stop();
  }
}

/** A few at a time: a page that is measured mostly waits until nothing more comes. */
async function measureAll(budgets: readonly Budget[], measure: (budget: Budget) => Promise<Measured>): Promise<Weight[]> {
  const weights: Weight[] = [];
  const waiting = budgets.entries();
  const measureNext = async () => {
    for (const [index, budget] of waiting) weights[index] = { ...budget, ...(await measure(budget)) };
  };
  await Promise.all(Array.from({ length: AT_ONCE }, measureNext));
  return weights;
}

type Measured = Pick<Weight, 'bytes' | 'requests'>;
type Session = Awaited<ReturnType<BrowserContext['storageState']>>;

async function measurePage(browser: Browser, url: string, session: Session, { path, isPublic }: Budget): Promise<Measured> {
  const target = await targetOf(browser, url, session, path);
  // A context of its own per page: nothing is cached.
  const context = await browser.newContext({ baseURL: url, ...(!isPublic && { storageState: session }) });
  try {
    const page = await context.newPage();
    await page.addInitScript(leaveForLater, LATER_MS);
    const idle = watchRequests(page);
    const response = await page.goto(target);
    if (!response?.headers()['content-type']?.includes('html')) throw new Error('The pages are not built: run tools/build.mjs first');
    const requests = await idle();
    if (new URL(page.url()).pathname !== target) throw new Error(`${target} led to ${page.url()}`);
    const scripts = await Promise.all(requests.map(scriptBytes));
    return { bytes: scripts.reduce((sum, bytes) => sum + bytes, 0), requests: requests.length };
  } finally {
    await context.close();
  }
}

/** What a page loads so much later is no part of its load, however long that takes on a busy machine. */
function leaveForLater(laterMs: number): void {
  const startTimer = globalThis.setTimeout;
  const startSoon = (run: () => void, ms = 0) => (ms < laterMs ? startTimer(run, ms) : 0);
  Object.assign(globalThis, { setTimeout: startSoon });
}

/** Where the links of public pages are found: a quote that waits for its answer, an invoice that waits for its payment. */
const LINKS = [
  { page: '/quote/', list: '/api/quotes?status=sent', recordOf: (id: string) => `/api/quotes/${id}` },
  { page: '/invoice/', list: '/api/jobs?status=invoiced', recordOf: (id: string) => `/api/jobs/${id}/billing` },
];

/** '/customers/{customer}' with the id of the first customer, '/quote/{token}' with the link of a quote. */
async function targetOf(browser: Browser, url: string, session: Session, path: string): Promise<string> {
  const kind = /\{(\w+)\}/.exec(path)?.[1];
  if (kind === undefined) return path;
  const context = await browser.newContext({ baseURL: url, storageState: session });
  try {
    const link = LINKS.find(({ page }) => path === `${page}{token}`);
    const list = await context.request.get(link?.list ?? `/api/${kind}s`);
    const { rows } = (await list.json()) as { rows: { id: string }[] };
    const id = rows[0]?.id ?? '';
    if (!link) return path.replace(`{${kind}}`, id);
    const record = await context.request.get(link.recordOf(id));
    return ((await record.json()) as { public_path: string }).public_path;
  } finally {
    await context.close();
  }
}

/** Once for all pages: the cookies of the demo company's admin. */
async function startSession(browser: Browser, url: string): Promise<Session> {
  const context = await browser.newContext({ baseURL: url });
  try {
    await signIn(context.request, url);
    return await context.storageState();
  } finally {
    await context.close();
  }
}

/** Waits until nothing has been under way for a second and the page has nothing left to do. The stream of live updates never ends and does not count as under way. */
function watchRequests(page: Page): () => Promise<readonly Request[]> {
  const started: Request[] = [];
  const pending = new Set<Request>();
  const idle = Promise.withResolvers<void>();
  let timer = setTimeout(() => undefined);
  const settle = async () => {
    const seen = started.length;
    // On a busy machine a page can need more than a second between two requests.
    await page.evaluate(() => new Promise((done) => void requestIdleCallback(done)));
    if (pending.size === 0 && started.length === seen) idle.resolve();
  };
  const restart = () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      if (pending.size === 0) settle().catch(idle.reject);
    }, IDLE_MS);
  };
  page.on('request', (request) => {
    // What a page reports is no part of its load: a public one says after a while that it was opened. Not every browser tells of the tab's icon.
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

async function scriptBytes(request: Request): Promise<number> {
  if (request.resourceType() === 'eventsource') return 0;
  const response = await request.response();
  const isScript = response?.headers()['content-type']?.includes('javascript') ?? false;
  return isScript ? (await request.sizes()).responseBodySize : 0;
}

const weights = await measurePages(BUDGETS);
console.log(weightTable(weights));
if (weights.some(isOverBudget)) {
  console.error('\nOver budget: load less at first, or in fewer pieces (the budgets are in tools/weight/budgets.ts).');
  process.exitCode = 1;
}
