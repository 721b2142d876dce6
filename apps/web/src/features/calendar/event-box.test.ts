import { expect, it } from 'vitest';
import { statusColor } from './event-box.tsx';

it.each([
  ['pending', 'warn'],
  ['contacted', 'info'],
  ['booked', 'violet'],
  ['canceled', 'danger'],
  ['complete', 'ok'],
  ['paid', '#14532d'],
  ['invoiced', 'neutral'],
  ['of a later version', 'neutral'],
])('a job that is %s has the color %s', (status, color) => {
  expect(statusColor(status)).toContain(`bg-${color.startsWith('#') ? `[${color}]` : `${color}-soft`}`);
});
