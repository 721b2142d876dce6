import { type APIRequestContext, type Browser, chromium, type Page, type Request } from '@playwright/test';
import { signIn, startDemo } from '../browser/demo-product.ts';
import { browserFlags, findBrowser } from '../browser/find-browser.ts';
import { BUDGETS, type Budget, isOverBudget, type Weight, weightTable } from './budgets.ts';

const IDLE_MS = 1_000;

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
      const weights: Weight[] = [];
      for (const budget of budgets) weights.push({ ...budget, ...(await measurePage(browser, product.url, budget)) });
      return weights;
    } finally {
      await browser.close();
    }
  } finally {
    await product.stop();
  }
}

async function measurePage(browser: Browser, url: string, { path, isPublic }: Budget) {
  // A context of its own per page: nothing is cached.
  const context = await browser.newContext({ baseURL: url });
  try {
    if (!isPublic) await signIn(context.request, url);
    const target = isPublic ? await withToken(browser, url, path) : await withIds(context.request, path);
    const page = await context.newPage();
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

/** '/customers/{customer}' with the id of the first customer. */
async function withIds(request: APIRequestContext, path: string): Promise<string> {
  const kind = /\{(\w+)\}/.exec(path)?.[1];
  if (kind === undefined) return path;
  const response = await request.get(`/api/${kind}s`);
  const { rows } = (await response.json()) as { rows: { id: string }[] };
  return path.replace(`{${kind}}`, rows[0]?.id ?? '');
}

/** Where the links of public pages are found: a quote that waits for its answer, an invoice that waits for its payment. */
const LINKS = [
  { page: '/quote/', list: '/api/quotes?status=sent', recordOf: (id: string) => `/api/quotes/${id}` },
  { page: '/invoice/', list: '/api/jobs?status=invoiced', recordOf: (id: string) => `/api/jobs/${id}/billing` },
];

/** '/quote/{token}' with the link of a quote, read in a context of its own. */
async function withToken(browser: Browser, url: string, path: string): Promise<string> {
  const link = LINKS.find(({ page }) => path === `${page}{token}`);
  if (!link) return path;
  const context = await browser.newContext({ baseURL: url });
  try {
    await signIn(context.request, url);
    const list = await context.request.get(link.list);
    const { rows } = (await list.json()) as { rows: { id: string }[] };
    const record = await context.request.get(link.recordOf(rows[0]?.id ?? ''));
    return ((await record.json()) as { public_path: string }).public_path;
  } finally {
    await context.close();
  }
}

/** Waits until nothing has been under way for a second. The stream of live updates never ends and does not count as under way. */
function watchRequests(page: Page): () => Promise<readonly Request[]> {
  const started: Request[] = [];
  const pending = new Set<Request>();
  const idle = Promise.withResolvers<void>();
  let timer = setTimeout(() => undefined);
  const restart = () => {
    clearTimeout(timer);
    timer = setTimeout(() => pending.size === 0 && idle.resolve(), IDLE_MS);
  };
  page.on('request', (request) => {
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
