import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect, type Page, test } from '@playwright/test';

const PHONE = { width: 390, height: 844 };
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** Put into the page directly: the builder of the package takes five times as long to do so. */
const AXE = readFileSync(createRequire(import.meta.resolve('@axe-core/playwright')).resolve('axe-core/axe.min.js'), 'utf8');

const EVERYTHING = { runOnly: { type: 'tag' as const, values: TAGS } };
const COLORS = { runOnly: { type: 'rule' as const, values: ['color-contrast'] } };
const ALL_BUT_COLORS = { ...EVERYTHING, rules: { 'color-contrast': { enabled: false } } };

/**
 * Scans the screen as it stands: in light colors, in dark ones, where nothing else differs, and in the layout of a phone, which has the
 * same colors. A journey that is repeated on a phone has been scanned in that layout. Keep the data small: axe looks at every element.
 */
export async function expectAccessible(page: Page): Promise<void> {
  if (test.info().project.name === 'phone') return;
  const desk = page.viewportSize() ?? PHONE;
  await stopTransitions(page);
  const findings = await scan(page, EVERYTHING);
  await setColorScheme(page, 'dark');
  findings.push(...(await scan(page, COLORS)));
  await setColorScheme(page, 'light');
  if (desk.width > PHONE.width) {
    await page.setViewportSize(PHONE);
    findings.push(...(await scan(page, ALL_BUT_COLORS)));
    await page.setViewportSize(desk);
  }
  await allowTransitions(page);
  expect(findings, `accessibility of ${page.url()}`).toEqual([]);
}

/** The part of axe that a scan uses. */
interface Axe {
  readonly run: (page: Document, options: object) => Promise<{ violations: readonly Violation[] }>;
}

interface Violation {
  readonly id: string;
  readonly help: string;
  readonly nodes: readonly { readonly html: string }[];
}

declare global {
  var axe: Axe | undefined;
}

async function scan(page: Page, what: object): Promise<string[]> {
  await settle(page);
  const isLoaded = await page.evaluate(() => globalThis.axe !== undefined);
  if (!isLoaded) await page.evaluate(AXE);
  const violations = await page.evaluate(async (options) => (await globalThis.axe?.run(document, options))?.violations, {
    ...what,
    resultTypes: ['violations'],
  });
  if (!violations) throw new Error('axe is not in the page');
  return violations.map(({ id, help, nodes }) => `${id}: ${help}\n  ${nodes.map(({ html }) => html).join('\n  ')}`);
}

const setColorScheme = (page: Page, scheme: 'light' | 'dark') =>
  page.locator('html').evaluate((html, colorScheme) => {
    html.dataset['colorScheme'] = colorScheme;
  }, scheme);

/** Every element that changes color would fade, even if only for a millisecond, which takes longer than the scan. */
const stopTransitions = (page: Page) =>
  page.evaluate(() => {
    const still = new CSSStyleSheet();
    still.replaceSync('*, ::before, ::after { transition-property: none !important }');
    document.adoptedStyleSheets.push(still);
  });

const allowTransitions = (page: Page) => page.evaluate(() => void document.adoptedStyleSheets.pop());

/** Colors fade and panels slide: a scan must not see them halfway. */
const settle = (page: Page) =>
  page.evaluate(async () => {
    for (let frames = 0; frames < 3; frames += 1) await new Promise(requestAnimationFrame);
    await Promise.allSettled(document.getAnimations().map(({ finished }) => finished));
  });
