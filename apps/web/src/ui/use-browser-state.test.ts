import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect, it } from 'vitest';
import { DESKTOP_UP, TABLET_UP, WIDE_DESKTOP_UP } from './use-browser-state.ts';

it('uses the same breakpoints as the styles, in rem so that both change with the text size', () => {
  const theme = readFileSync(createRequire(import.meta.url).resolve('tailwindcss/theme.css'), 'utf8');
  const widths = ['md', 'lg', 'xl'].map((name) => `(min-width: ${new RegExp(`--breakpoint-${name}: (\\w+)`).exec(theme)?.[1] ?? '?'})`);
  expect([TABLET_UP, DESKTOP_UP, WIDE_DESKTOP_UP]).toEqual(widths);
});
