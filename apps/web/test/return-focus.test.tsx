import { renderHook } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { useReturnFocus } from '../src/ui/use-return-focus.ts';

afterEach(() => document.body.replaceChildren());

/** Opens a dialog while `opener` has focus, runs `change`, and returns the id of the element focused after closing. */
function getFocusAfterClose(html: string, opener: string, change: () => void = () => undefined) {
  document.body.innerHTML = html;
  const findElement = (selector: string) => document.querySelector<HTMLElement>(selector);
  findElement(opener)?.focus();
  const { result } = renderHook(() => useReturnFocus(true));
  change();
  const target = result.current();
  return target === true ? true : target.id;
}
const removeElement = (id: string) => () => document.getElementById(id)?.remove();

const ROWS_HTML = `<main id="main" tabindex="-1"><ul>
  <li><a id="pdf" href="/pdf">PDF</a><button id="more">More</button></li>
  <li id="only"><button id="single">More</button></li>
  <li><button id="next">More</button></li>
</ul></main>`;
const MENU_HTML = '<div role="menu" aria-labelledby="more"><button id="entry" role="menuitem">Reverse</button></div>';

it('returns focus to the menu button when a menu item opened the dialog', () => {
  expect(getFocusAfterClose(ROWS_HTML + MENU_HTML, '#entry', removeElement('entry'))).toBe('more');
});

it('falls back from a removed button to its row, then to the next row, then to the page', () => {
  expect(getFocusAfterClose(ROWS_HTML, '#more', removeElement('more'))).toBe('pdf');
  expect(getFocusAfterClose(ROWS_HTML + MENU_HTML, '#entry', removeElement('more'))).toBe('pdf');
  expect(getFocusAfterClose(ROWS_HTML, '#single', removeElement('single'))).toBe('next');
  expect(getFocusAfterClose(ROWS_HTML, '#single', removeElement('only'))).toBe('next');
  expect(getFocusAfterClose('<main id="main"><button id="alone">Delete</button></main>', '#alone', removeElement('alone'))).toBe('main');
});
