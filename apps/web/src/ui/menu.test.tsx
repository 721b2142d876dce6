import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router';
import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import type { ReactElement, ReactNode } from 'react';
import { afterEach, describe, expect, it, test } from 'vitest';
import { Menu, type MenuItem, MoreMenu } from './menu.tsx';

afterEach(cleanup);

function renderPage(content: () => ReactNode) {
  const routeTree = createRootRoute({ component: () => <main>{content()}</main> });
  render(<RouterProvider router={createRouter({ routeTree, history: createMemoryHistory() })} />);
}

test('moves the focus from the button straight to the menu, even while the menu loads', async () => {
  renderPage(() => (
    <Menu label="More actions" trigger={<button type="button">More</button>} items={[{ label: 'Delete', onSelect: () => undefined }]} />
  ));
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

test('renders the component that provides its items only once it is opened', async () => {
  let renderCount = 0;
  function Items({ children: renderMenu }: { children: (items: readonly MenuItem[]) => ReactElement }) {
    renderCount += 1;
    return renderMenu([{ label: 'Mark as Paid', onSelect: () => undefined }]);
  }
  renderPage(() => <MoreMenu items={(renderMenu) => <Items>{renderMenu}</Items>} />);
  const button = await screen.findByRole('button', { name: 'More actions' });
  expect(renderCount).toBe(0);
  await act(async () => fireEvent.click(button));
  expect(await screen.findByRole('menuitem', { name: 'Mark as Paid' })).toBeDefined();
});

describe('the menu with further actions', () => {
  const chosen: string[] = [];
  const buildItem = (label: string, more: Partial<MenuItem> = {}): MenuItem => ({ label, onSelect: () => chosen.push(label), ...more });

  async function openMoreMenu(name?: string) {
    chosen.length = 0;
    const items = [
      buildItem('Duplicate'),
      buildItem('Send', { disabledReason: 'It has no items' }),
      buildItem('Delete', { tone: 'danger' }),
    ];
    renderPage(() => <MoreMenu {...(name && { label: `More actions for ${name}` })} items={items} />);
    const button = await screen.findByRole('button', { name: name ? `More actions for ${name}` : 'More actions' });
    act(() => button.focus());
    await act(async () => fireEvent.click(button));
    return screen.findByRole('menu');
  }

  const pressKey = (key: string) => act(async () => void fireEvent.keyDown(document.activeElement ?? document.body, { key }));
  const waitUntilClosed = () => waitFor(() => expect(screen.queryByRole('menu')).toBeNull());

  it('is named after its record and announces whether it is open', async () => {
    const menu = await openMoreMenu('INV-2026-0187');
    const button = screen.getByRole('button', { name: 'More actions for INV-2026-0187', hidden: true });
    expect([button.getAttribute('aria-haspopup'), button.getAttribute('aria-expanded')]).toEqual(['menu', 'true']);
    await waitFor(() => expect(document.activeElement).toBe(menu));
    await pressKey('Escape');
    await waitUntilClosed();
    expect(screen.getByRole('button', { name: 'More actions for INV-2026-0187' }).getAttribute('aria-expanded')).toBe('false');
  });

  it('moves with the arrow keys, runs the chosen action once and closes', async () => {
    const menu = await openMoreMenu();
    await waitFor(() => expect(document.activeElement).toBe(menu));
    await pressKey('ArrowDown');
    await waitFor(() => expect(document.activeElement?.textContent).toBe('Duplicate'));
    await pressKey('End');
    await waitFor(() => expect(document.activeElement?.textContent).toBe('Delete'));
    await pressKey('Enter');
    await waitUntilClosed();
    expect(chosen).toEqual(['Delete']);
  });

  it('closes on Escape without choosing and returns the focus to its button', async () => {
    const menu = await openMoreMenu();
    await waitFor(() => expect(document.activeElement).toBe(menu));
    await pressKey('Escape');
    await waitUntilClosed();
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('button', { name: 'More actions' })));
    expect(chosen).toEqual([]);
  });

  it('explains a disabled action and does not run it', async () => {
    await openMoreMenu();
    const item = screen.getByRole('menuitem', { name: /^Send/ });
    expect([item.textContent, item.getAttribute('aria-disabled')]).toEqual(['SendIt has no items', 'true']);
    await act(async () => fireEvent.click(item));
    expect(chosen).toEqual([]);
  });
});
