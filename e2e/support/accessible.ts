import { AxeBuilder } from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

const PHONE = { width: 390, height: 844 };
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

const EVERYTHING = { runOnly: { type: 'tag' as const, values: TAGS } };
const COLORS = { runOnly: { type: 'rule' as const, values: ['color-contrast'] } };
const ALL_BUT_COLORS = { ...EVERYTHING, rules: { 'color-contrast': { enabled: false } } };

/**
 * Scans the screen as it stands: in light colors, in dark ones, where nothing else differs, and in the layout of a phone, which has the
 * same colors. Keep the data small: axe looks at every element.
 */
export async function expectAccessible(page: Page): Promise<void> {
  const desk = page.viewportSize() ?? PHONE;
  const findings = await scan(page, EVERYTHING);
  await setColorScheme(page, 'dark');
  findings.push(...(await scan(page, COLORS)));
  await setColorScheme(page, 'light');
  await page.setViewportSize(PHONE);
  findings.push(...(await scan(page, ALL_BUT_COLORS)));
  await page.setViewportSize(desk);
  expect(findings, `accessibility of ${page.url()}`).toEqual([]);
}

/** In legacy mode axe opens no second tab for each scan; it then sees no frames, of which no page of ours has any. */
async function scan(page: Page, what: typeof EVERYTHING | typeof COLORS): Promise<string[]> {
  const builder = new AxeBuilder({ page }).options({ ...what, resultTypes: ['violations'] }).setLegacyMode(true);
  const { violations } = await builder.analyze();
  return violations.map(({ id, help, nodes }) => `${id}: ${help}\n  ${nodes.map(({ html }) => html).join('\n  ')}`);
}

const setColorScheme = (page: Page, scheme: 'light' | 'dark') =>
  page.locator('html').evaluate((html, colorScheme) => {
    html.dataset['colorScheme'] = colorScheme;
  }, scheme);
