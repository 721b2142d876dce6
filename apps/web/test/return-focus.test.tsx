import { renderHook } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { useReturnFocus } from '../src/ui/use-return-focus.ts';

afterEach(() => document.body.replaceChildren());

/** The focus is at `opener` when the dialog opens; returns where it goes when the dialog closes after `change`. */
function focusAfter(html: string, opener: string, change: () => void = () => undefined) {
  document.body.innerHTML = html;
  const find = (selector: string) => document.querySelector<HTMLElement>(selector);
  find(opener)?.focus();
  const { result } = renderHook(() => useReturnFocus(true));
  change();
  const target = result.current();
  return target === true ? true : target.id;
}
const remove = (id: string) => () => document.getElementById(id)?.remove();

const ROWS = `<main id="main" tabindex="-1"><ul>
  <li><a id="pdf" href="/pdf">PDF</a><button id="more">More</button></li>
  <li id="only"><button id="single">More</button></li>
  <li><button id="next">More</button></li>
</ul></main>`;
const MENU = '<div role="menu" aria-labelledby="more"><button id="entry" role="menuitem">Reverse</button></div>';

it('a dialog that the entry of a menu opened returns the focus to the button of the menu', () => {
  expect(focusAfter(ROWS + MENU, '#entry', remove('entry'))).toBe('more');
});

it('a button that is gone leaves the focus to the rest of its row, else to the next row, else to the page', () => {
  expect(focusAfter(ROWS, '#more', remove('more'))).toBe('pdf');
  expect(focusAfter(ROWS + MENU, '#entry', remove('more'))).toBe('pdf');
  expect(focusAfter(ROWS, '#single', remove('single'))).toBe('next');
  expect(focusAfter(ROWS, '#single', remove('only'))).toBe('next');
  expect(focusAfter('<main id="main"><button id="alone">Delete</button></main>', '#alone', remove('alone'))).toBe('main');
});
