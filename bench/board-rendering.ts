import { randomUUID } from 'node:crypto';
import type { BoardColumn } from '@callout/contract/board';
import { BOARD_STATUSES } from '@callout/domain/jobs/job';
import { type Browser, chromium, type Page } from '@playwright/test';
import { signIn, startDemo } from '../tools/browser/demo-product.ts';
import { browserFlags, findBrowser } from '../tools/browser/find-browser.ts';

/**
 * Main-thread time of opening the board with 500 cards, as it is and with every card rendered, in turns in one run:
 * `node bench/board-rendering.ts`, on the built product. Fails when the first is not below a third of the second.
 */
const CARDS = 500;
const RUNS = 5;
const MAX_RATIO = 1 / 3;
const QUIET_MS = 500;

function boardOf(cards: number): { columns: BoardColumn[] } {
  const columns = BOARD_STATUSES.map((status): BoardColumn => ({ status, total: 0, rows: [], next_cursor: null }));
  for (let index = 0; index < cards; index += 1) {
    const column = columns[index % columns.length];
    column?.rows.push({
      id: randomUUID(),
      job_number: `J2611${String(index).padStart(4, '0')}`,
      title: index % 4 === 0 ? 'Hot water cylinder replacement and new pipes in the bathroom' : 'Leak under the vanity',
      status: column.status,
      booking_date: '2026-11-16T20:00:00.000Z',
      created_at: new Date(Date.UTC(2026, 10, 1) - index * 60_000).toISOString(),
      customer: { id: randomUUID(), name: 'Elsie Pemberton', company_name: null },
      staff: { id: randomUUID(), name: 'Sam Leota', hex_code: '#16a34a' },
      categories: [],
      timer_status: index % 10 === 0 ? 'started' : null,
      matched: null,
    });
  }
  return { columns: columns.map((column) => ({ ...column, total: column.rows.length })) };
}

/** Columns that believe themselves high enough for all of their cards render all of them; the window is the same. */
const RENDER_ALL = `{
  const { get } = Object.getOwnPropertyDescriptor(Element.prototype, 'clientHeight');
  Object.defineProperty(Element.prototype, 'clientHeight', {
    get() {
      return this.parentElement?.hasAttribute('data-column') ? 1_000_000 : get.call(this);
    },
  });
}`;

/** Milliseconds from a click in the menu until the page has been quiet, without those of loading the application. */
async function measure(browser: Browser, url: string, isVirtual: boolean): Promise<{ ms: number; cards: number }> {
  const context = await browser.newContext({ baseURL: url, viewport: { width: 1440, height: 900 } });
  try {
    await signIn(context.request, url);
    const page = await context.newPage();
    if (!isVirtual) await page.addInitScript(RENDER_ALL);
    const board = boardOf(CARDS);
    await page.route('**/api/board', (route) => route.fulfill({ json: board }));
    await page.goto('/board?search=none');
    await page.getByRole('link', { name: 'Job Board' }).first().waitFor();
    await page.waitForLoadState('load');
    const taskTime = await taskTimeOf(page);
    const before = await settled(taskTime);
    await page.getByRole('link', { name: 'Job Board' }).first().click();
    await page.locator('[data-card]').first().waitFor();
    const after = await settled(taskTime);
    return { ms: after - before, cards: await page.locator('[data-card]').count() };
  } finally {
    await context.close();
  }
}

/** How long the main thread has worked so far. */
async function taskTimeOf(page: Page): Promise<() => Promise<number>> {
  const client = await page.context().newCDPSession(page);
  await client.send('Performance.enable', { timeDomain: 'threadTicks' });
  return async () => {
    const { metrics } = await client.send('Performance.getMetrics');
    return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0) * 1000;
  };
}

/** The time once hardly any is added. */
async function settled(taskTime: () => Promise<number>): Promise<number> {
  for (let last = await taskTime(); ; ) {
    await new Promise((resolve) => setTimeout(resolve, QUIET_MS));
    const now = await taskTime();
    if (now - last < QUIET_MS / 20) return now;
    last = now;
  }
}

const medianOf = (values: readonly number[]) => values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0;

const product = await startDemo();
const browser = await chromium.launch({ executablePath: await findBrowser(), args: [...browserFlags] });
try {
  const times: Record<'virtual' | 'all', { ms: number; cards: number }[]> = { virtual: [], all: [] };
  for (let run = 0; run < RUNS; run += 1) {
    times.virtual.push(await measure(browser, product.url, true));
    times.all.push(await measure(browser, product.url, false));
  }
  const [virtual, all] = [times.virtual, times.all].map((runs) => ({ ms: medianOf(runs.map(({ ms }) => ms)), cards: runs[0]?.cards }));
  const ratio = (virtual?.ms ?? 0) / (all?.ms ?? 1);
  console.log(`board with ${CARDS} cards, main-thread time, median of ${RUNS}`);
  console.log(`as it is          ${virtual?.ms.toFixed(0)} ms, ${virtual?.cards} cards rendered`);
  console.log(`every card        ${all?.ms.toFixed(0)} ms, ${all?.cards} cards rendered`);
  console.log(`ratio             ${ratio.toFixed(2)} (at most ${MAX_RATIO.toFixed(2)})`);
  if (ratio >= MAX_RATIO) process.exitCode = 1;
} finally {
  await browser.close();
  await product.stop();
}
