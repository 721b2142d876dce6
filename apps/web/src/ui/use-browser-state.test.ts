import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect, it } from 'vitest';
import { DESK_UP, TABLET_UP, WIDE_UP } from './use-browser-state.ts';

it('the layout changes at the widths of the styles, also when the browser has a larger text size', () => {
  const theme = readFileSync(createRequire(import.meta.url).resolve('tailwindcss/theme.css'), 'utf8');
  const styled = ['md', 'lg', 'xl'].map((name) => `(min-width: ${new RegExp(`--breakpoint-${name}: (\\w+)`).exec(theme)?.[1] ?? '?'})`);
  expect([TABLET_UP, DESK_UP, WIDE_UP]).toEqual(styled);
});
