import { expect, test } from 'vitest';
import { onColor } from './color-field.tsx';

test.each([
  ['#d97706', '#000'],
  ['#2563eb', '#fff'],
  ['#16a34a', '#000'],
  ['#475569', '#fff'],
  ['#ffffff', '#000'],
])('what stands on %s is readable in %s', (color, ink) => {
  expect(onColor(color)).toEqual({ backgroundColor: color, color: ink });
});
