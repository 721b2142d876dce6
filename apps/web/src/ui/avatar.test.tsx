import { fireEvent, render } from '@testing-library/react';
import { expect, test } from 'vitest';
import { Avatar } from './avatar.tsx';

test('falls back to the initial if the picture fails to load', () => {
  const { container } = render(<Avatar name="émile Durand" src="/missing.webp" />);
  const picture = container.querySelector('img');
  if (!picture) throw new Error('The avatar rendered no picture');
  fireEvent.error(picture);
  expect(container.textContent).toBe('É');
});
