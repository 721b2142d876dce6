import { afterEach, expect, it, vi } from 'vitest';
import { keepDraft } from './stored-drafts.ts';

afterEach(() => {
  vi.unstubAllGlobals();
  localStorage.clear();
});

const keyOf = (person: string, slot: string) => `callout-lasting-draft ${person} /quotes/new  ${slot}`;
const draft = (keptAt: number) => ({ kept_at: keptAt, fields: [['title', 'Hot water']] as const });

/** A browser that has room for so many entries. */
function limitRoom(entries: number): void {
  const real = localStorage;
  const setItem = (key: string, value: string) => {
    if (real.getItem(key) === null && real.length >= entries) throw new DOMException('full', 'QuotaExceededError');
    real.setItem(key, value);
  };
  const limited = {
    get: (_target: Storage, name: string) => (name === 'setItem' ? setItem : (Reflect.get(real, name) as () => void).bind(real)),
  };
  vi.stubGlobal('localStorage', new Proxy(real, limited));
}

it('makes room for what is typed: the oldest draft of somebody else gives way', () => {
  for (const [person, slot, keptAt] of [
    ['ben', 'newer', 3],
    ['ben', 'older', 1],
    ['mia', 'first', 2],
  ] as const) {
    keepDraft(person, keyOf(person, slot), draft(keptAt));
  }
  limitRoom(3);
  expect(keepDraft('mia', keyOf('mia', 'second'), draft(4))).toBe(true);
  expect(Object.keys(localStorage).toSorted()).toEqual([keyOf('ben', 'newer'), keyOf('mia', 'first'), keyOf('mia', 'second')]);
});

it('removes no own draft for another, and says that there is no room', () => {
  keepDraft('mia', keyOf('mia', 'first'), draft(1));
  limitRoom(1);
  expect(keepDraft('mia', keyOf('mia', 'second'), draft(2))).toBe(false);
  expect(Object.keys(localStorage)).toEqual([keyOf('mia', 'first')]);
});
