import { expect, it } from 'vitest';
import { getStatusClasses } from './event-box.tsx';

it.each([
  ['pending', 'warn'],
  ['contacted', 'info'],
  ['booked', 'violet'],
  ['canceled', 'danger'],
  ['complete', 'ok'],
  ['paid', '#14532d'],
  ['invoiced', 'neutral'],
  ['unknown', 'neutral'],
])('a job with status %s has the color %s', (status, color) => {
  expect(getStatusClasses(status)).toContain(`bg-${color.startsWith('#') ? `[${color}]` : `${color}-soft`}`);
});
