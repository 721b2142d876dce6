import { fireEvent, render } from '@testing-library/react';
import { expect, test } from 'vitest';
import { Avatar, inkOn } from './avatar.tsx';

test.each([
  ['#d97706', '#000'],
  ['#2563eb', '#fff'],
  ['#16a34a', '#000'],
  ['#475569', '#fff'],
  ['#ffffff', '#000'],
])('an initial on %s is readable', (color, ink) => {
  expect(inkOn(color)).toBe(ink);
});

test('a picture that cannot be loaded gives way to the initial', () => {
  const { container } = render(<Avatar name="émile Durand" src="/gone.webp" color="#2563eb" />);
  const picture = container.querySelector('img');
  if (!picture) throw new Error('There is no picture');
  fireEvent.error(picture);
  expect(container.textContent).toBe('É');
});
