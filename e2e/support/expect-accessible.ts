import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect, type Page, test } from '@playwright/test';

const DESK_VIEWPORT = { width: 1440, height: 900 };
const PHONE_VIEWPORT = { width: 390, height: 844 };
const WCAG_TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** Run in the page directly, because the package's AxeBuilder takes five times as long. */
const AXE_SOURCE = readFileSync(createRequire(import.meta.resolve('@axe-core/playwright')).resolve('axe-core/axe.min.js'), 'utf8');

const ALL_RULES = { runOnly: { type: 'tag', values: WCAG_TAGS } };
const LIGHT_SCAN = { scheme: 'light', options: ALL_RULES };
/** Dark mode changes only colors, so it is enough to check the contrast. */
const DARK_CONTRAST_SCAN = { scheme: 'dark', options: { runOnly: { type: 'rule', values: ['color-contrast'] } } };
const PHONE_LAYOUT_SCAN = { scheme: 'light', options: { ...ALL_RULES, rules: { 'color-contrast': { enabled: false } } } };

/** What to scan. The menu is the same on every page, so only one scan includes it. Scan only the dialog if its page was already scanned. */
const SCOPES = {
  page: { exclude: ['#sidebar :is(li, fieldset)'] },
  'page and menu': { include: ['html'] },
  dialog: { include: ['[role=dialog], [role=alertdialog]'] },
};

/**
 * Scans the current screen in light and dark colors and in the phone layout. If a test runs on both desktop and phone, only the desktop run
 * scans. Keep the test data small, because axe checks every element.
 */
export async function expectAccessible(page: Page, part: keyof typeof SCOPES = 'page'): Promise<void> {
  const { project, tags } = test.info();
  const isPhone = project.name === 'phone';
  if (isPhone && !tags.includes('@phone-only')) return;
  const originalViewport = page.viewportSize() ?? PHONE_VIEWPORT;
  await stopTransitions(page);
  if (isPhone) await page.setViewportSize(DESK_VIEWPORT);
  const findings = await runScans(page, part, [LIGHT_SCAN, DARK_CONTRAST_SCAN]);
  if (isPhone || originalViewport.width > PHONE_VIEWPORT.width) {
    await page.setViewportSize(PHONE_VIEWPORT);
    findings.push(...(await runScans(page, part, [PHONE_LAYOUT_SCAN])));
    await page.setViewportSize(originalViewport);
  }
  await restoreTransitions(page);
  expect(findings, `accessibility of ${page.url()}`).toEqual([]);
}

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

async function runScans(page: Page, part: keyof typeof SCOPES, scans: readonly { scheme: string; options: object }[]): Promise<string[]> {
  const isLoaded = await waitForAnimations(page);
  if (!isLoaded) await page.evaluate(AXE_SOURCE);
  return page.evaluate(
    async ({ scope, variants }) => {
      const violations: Violation[] = [];
      const { dataset } = document.documentElement;
      for (const { scheme, options } of variants) {
        dataset['colorScheme'] = scheme;
        if (!globalThis.axe) throw new Error('axe is not loaded in the page');
        violations.push(...(await globalThis.axe.run(scope, { ...options, resultTypes: ['violations'] })).violations);
      }
      dataset['colorScheme'] = 'light';
      return violations.map(({ id, help, nodes }) => `${id}: ${help}\n  ${nodes.map(({ html }) => html).join('\n  ')}`);
    },
    { scope: SCOPES[part], variants: scans },
  );
}

/** Disables transitions. Otherwise, every element would animate its color change, which would take longer than the scan. */
const stopTransitions = (page: Page) =>
  page.evaluate(() => {
    const styleSheet = new CSSStyleSheet();
    styleSheet.replaceSync('*, ::before, ::after { transition-property: none !important }');
    document.adoptedStyleSheets.push(styleSheet);
  });

const restoreTransitions = (page: Page) => page.evaluate(() => void document.adoptedStyleSheets.pop());

/** Waits until all animations have finished. Returns true if axe is already loaded in the page. */
const waitForAnimations = (page: Page) =>
  page.evaluate(async () => {
    for (let frames = 0; frames < 3; frames += 1) await new Promise(requestAnimationFrame);
    await Promise.allSettled(document.getAnimations().map(({ finished }) => finished));
    return globalThis.axe !== undefined;
  });
