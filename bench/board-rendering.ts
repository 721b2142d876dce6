import { randomUUID } from 'node:crypto';
import type { BoardColumn } from '@callout/contract/board';
import { BOARD_STATUSES } from '@callout/domain/jobs/job';
import { type Browser, chromium, type Page } from '@playwright/test';
import { signInAsDemoAdmin, startDemoServer } from '../tools/browser/demo-server.ts';
import { browserFlags, findBrowserPath } from '../tools/browser/find-browser.ts';

/**
 * Compares how long the main thread is busy while a board with 500 cards opens, virtualized and with every card rendered. Fails unless the
 * virtualized board takes less than a third of the time. Build the app first, then run `node bench/board-rendering.ts`.
 */
const CARD_COUNT = 500;
const RUN_COUNT = 5;
const MAX_RATIO = 1 / 3;
const IDLE_INTERVAL_MS = 500;

function buildBoard(cards: number): { columns: BoardColumn[] } {
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

/** Reports a huge height for each column, so that the column renders all its cards. The window's size doesn't change. */
const RENDER_ALL_SCRIPT = `{
  const { get } = Object.getOwnPropertyDescriptor(Element.prototype, 'clientHeight');
  Object.defineProperty(Element.prototype, 'clientHeight', {
    get() {
      return this.parentElement?.hasAttribute('data-column') ? 1_000_000 : get.call(this);
    },
  });
}`;

/** Measures how long the main thread is busy from the click in the menu until the page is idle. Loading the app isn't included. */
async function measureBoardOpening(browser: Browser, url: string, isVirtualized: boolean): Promise<{ ms: number; cards: number }> {
  const context = await browser.newContext({ baseURL: url, viewport: { width: 1440, height: 900 } });
  try {
    await signInAsDemoAdmin(context.request, url);
    const page = await context.newPage();
    if (!isVirtualized) await page.addInitScript(RENDER_ALL_SCRIPT);
    const board = buildBoard(CARD_COUNT);
    await page.route('**/api/board', (route) => route.fulfill({ json: board }));
    await page.goto('/board?search=none');
    await page.getByRole('link', { name: 'Job Board' }).first().waitFor();
    await page.waitForLoadState('load');
    const readTaskTime = await trackTaskTime(page);
    const before = await waitUntilIdle(readTaskTime);
    await page.getByRole('link', { name: 'Job Board' }).first().click();
    await page.locator('[data-card]').first().waitFor();
    const after = await waitUntilIdle(readTaskTime);
    return { ms: after - before, cards: await page.locator('[data-card]').count() };
  } finally {
    await context.close();
  }
}

/** Returns a function that returns how many milliseconds the main thread has been busy so far. */
async function trackTaskTime(page: Page): Promise<() => Promise<number>> {
  const client = await page.context().newCDPSession(page);
  await client.send('Performance.enable', { timeDomain: 'threadTicks' });
  return async () => {
    const { metrics } = await client.send('Performance.getMetrics');
    return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0) * 1000;
  };
}

/** Waits until the main thread is almost idle and returns how long it has been busy so far, in milliseconds. */
async function waitUntilIdle(readTaskTime: () => Promise<number>): Promise<number> {
  for (let last = await readTaskTime(); ; ) {
    await new Promise((resolve) => setTimeout(resolve, IDLE_INTERVAL_MS));
    const now = await readTaskTime();
    if (now - last < IDLE_INTERVAL_MS / 20) return now;
    last = now;
  }
}

const calculateMedian = (values: readonly number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

const server = await startDemoServer();
const browser = await chromium.launch({ executablePath: await findBrowserPath(), args: [...browserFlags] });
try {
  const times: Record<'virtual' | 'all', { ms: number; cards: number }[]> = { virtual: [], all: [] };
  for (let run = 0; run < RUN_COUNT; run += 1) {
    times.virtual.push(await measureBoardOpening(browser, server.url, true));
    times.all.push(await measureBoardOpening(browser, server.url, false));
  }
  const [virtual, all] = [times.virtual, times.all].map((runs) => ({
    ms: calculateMedian(runs.map(({ ms }) => ms)),
    cards: runs[0]?.cards,
  }));
  const ratio = (virtual?.ms ?? 0) / (all?.ms ?? 1);
  console.log(`board with ${CARD_COUNT} cards, main-thread time, median of ${RUN_COUNT}`);
  console.log(`virtualized       ${virtual?.ms.toFixed(0)} ms, ${virtual?.cards} cards rendered`);
  console.log(`every card        ${all?.ms.toFixed(0)} ms, ${all?.cards} cards rendered`);
  console.log(`ratio             ${ratio.toFixed(2)} (at most ${MAX_RATIO.toFixed(2)})`);
  if (ratio >= MAX_RATIO) process.exitCode = 1;
} finally {
  await browser.close();
  await server.stop();
}
