import { fireEvent, render } from '@testing-library/react';
import { expect, test } from 'vitest';
import { Avatar } from './avatar.tsx';

test('a picture that cannot be loaded gives way to the initial', () => {
  const { container } = render(<Avatar name="émile Durand" src="/gone.webp" />);
  const picture = container.querySelector('img');
  if (!picture) throw new Error('There is no picture');
  fireEvent.error(picture);
  expect(container.textContent).toBe('É');
});
