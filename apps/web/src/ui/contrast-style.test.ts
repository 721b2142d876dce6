import { expect, test } from 'vitest';
import { getContrastStyle } from './contrast-style.ts';

test.each([
  ['#d97706', '#000'],
  ['#2563eb', '#fff'],
  ['#16a34a', '#000'],
  ['#475569', '#fff'],
  ['#ffffff', '#000'],
])('picks a readable text color for %s: %s', (background, textColor) => {
  expect(getContrastStyle(background)).toEqual({ backgroundColor: background, color: textColor });
});
