import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router';
import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { Menu } from './menu.tsx';

afterEach(cleanup);

test('moves the focus from the button straight to the menu, even while the menu loads', async () => {
  const page = () => (
    <main>
      <Menu label="More actions" trigger={<button type="button">More</button>} items={[{ label: 'Delete', onSelect: () => undefined }]} />
    </main>
  );
  const routeTree = createRootRoute({ component: page });
  render(<RouterProvider router={createRouter({ routeTree, history: createMemoryHistory() })} />);
  const button = await screen.findByRole('button', { name: 'More actions' });
  act(() => button.focus());
  const focused: (string | null)[] = [];
  document.addEventListener(
    'focusin',
    ({ target }) => target instanceof Element && focused.push(target.getAttribute('role') ?? target.tagName),
  );
  await act(async () => fireEvent.click(button));
  await act(async () => fireEvent.click(button));
  const menu = await screen.findByRole('menu');
  await waitFor(() => expect(document.activeElement).toBe(menu));
  expect(focused).toEqual(['BUTTON', 'menu']);
});
