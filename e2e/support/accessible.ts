import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect, type Page, test } from '@playwright/test';

const DESK = { width: 1440, height: 900 };
const PHONE = { width: 390, height: 844 };
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** Put into the page directly: the builder of the package takes five times as long to do so. */
const AXE = readFileSync(createRequire(import.meta.resolve('@axe-core/playwright')).resolve('axe-core/axe.min.js'), 'utf8');

const EVERYTHING = { runOnly: { type: 'tag', values: TAGS } };
const LIGHT = { scheme: 'light', options: EVERYTHING };
/** Nothing but the colors differs. */
const DARK = { scheme: 'dark', options: { runOnly: { type: 'rule', values: ['color-contrast'] } } };
const ANOTHER_LAYOUT = { scheme: 'light', options: { ...EVERYTHING, rules: { 'color-contrast': { enabled: false } } } };

/** The menu is the same everywhere: one scan looks at its entries, too. A dialog is scanned alone where its page has been before. */
const PARTS = {
  page: { exclude: ['#sidebar :is(li, fieldset)'] },
  'page and menu': { include: ['html'] },
  dialog: { include: ['[role=dialog], [role=alertdialog]'] },
};

/**
 * Scans the screen as it stands: in light colors, in dark ones, and in the layout of a phone, which has the same colors. A journey that
 * runs on both is scanned on the desk. Keep the data small: axe looks at every element.
 */
export async function expectAccessible(page: Page, part: keyof typeof PARTS = 'page'): Promise<void> {
  const { project, tags } = test.info();
  const isPhone = project.name === 'phone';
  if (isPhone && !tags.includes('@phone-only')) return;
  const own = page.viewportSize() ?? PHONE;
  await stopTransitions(page);
  if (isPhone) await page.setViewportSize(DESK);
  const findings = await scan(page, part, [LIGHT, DARK]);
  if (isPhone || own.width > PHONE.width) {
    await page.setViewportSize(PHONE);
    findings.push(...(await scan(page, part, [ANOTHER_LAYOUT])));
    await page.setViewportSize(own);
  }
  await allowTransitions(page);
  expect(findings, `accessibility of ${page.url()}`).toEqual([]);
}

/** The part of axe that a scan uses. */
interface Axe {
  readonly run: (part: object, options: object) => Promise<{ violations: readonly Violation[] }>;
}

interface Violation {
  readonly id: string;
  readonly help: string;
  readonly nodes: readonly { readonly html: string }[];
}

declare global {
  var axe: Axe | undefined;
}

async function scan(page: Page, part: keyof typeof PARTS, scans: readonly { scheme: string; options: object }[]): Promise<string[]> {
  const isLoaded = await settle(page);
  if (!isLoaded) await page.evaluate(AXE);
  return page.evaluate(
    async ({ scanned, wanted }) => {
      const found: Violation[] = [];
      const { dataset } = document.documentElement;
      for (const { scheme, options } of wanted) {
        dataset['colorScheme'] = scheme;
        if (!globalThis.axe) throw new Error('axe is not in the page');
        found.push(...(await globalThis.axe.run(scanned, { ...options, resultTypes: ['violations'] })).violations);
      }
      dataset['colorScheme'] = 'light';
      return found.map(({ id, help, nodes }) => `${id}: ${help}\n  ${nodes.map(({ html }) => html).join('\n  ')}`);
    },
    { scanned: PARTS[part], wanted: scans },
  );
}

/** Every element that changes color would fade, even if only for a millisecond, which takes longer than the scan. */
const stopTransitions = (page: Page) =>
  page.evaluate(() => {
    const still = new CSSStyleSheet();
    still.replaceSync('*, ::before, ::after { transition-property: none !important }');
    document.adoptedStyleSheets.push(still);
  });

const allowTransitions = (page: Page) => page.evaluate(() => void document.adoptedStyleSheets.pop());

/** Panels slide: a scan must not see them halfway. The result says whether axe is in the page. */
const settle = (page: Page) =>
  page.evaluate(async () => {
    for (let frames = 0; frames < 3; frames += 1) await new Promise(requestAnimationFrame);
    await Promise.allSettled(document.getAnimations().map(({ finished }) => finished));
    return globalThis.axe !== undefined;
  });
