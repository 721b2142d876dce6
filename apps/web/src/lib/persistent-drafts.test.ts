import { afterEach, expect, it, vi } from 'vitest';
import { savePersistentDraft } from './persistent-drafts.ts';

afterEach(() => {
  vi.unstubAllGlobals();
  localStorage.clear();
});

const buildKey = (person: string, slot: string) => `callout-lasting-draft ${person} /quotes/new  ${slot}`;
const buildDraft = (savedAt: number) => ({ kept_at: savedAt, fields: [['title', 'Hot water']] as const });

/** Makes localStorage throw when it holds more than `entries` entries. */
function limitStorage(entries: number): void {
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

it("evicts another person's oldest draft when the storage quota is exceeded", () => {
  for (const [person, slot, savedAt] of [
    ['ben', 'newer', 3],
    ['ben', 'older', 1],
    ['mia', 'first', 2],
  ] as const) {
    savePersistentDraft(person, buildKey(person, slot), buildDraft(savedAt));
  }
  limitStorage(3);
  expect(savePersistentDraft('mia', buildKey('mia', 'second'), buildDraft(4))).toBe(true);
  expect(Object.keys(localStorage).toSorted()).toEqual([buildKey('ben', 'newer'), buildKey('mia', 'first'), buildKey('mia', 'second')]);
});

it("returns false instead of evicting the person's own drafts", () => {
  savePersistentDraft('mia', buildKey('mia', 'first'), buildDraft(1));
  limitStorage(1);
  expect(savePersistentDraft('mia', buildKey('mia', 'second'), buildDraft(2))).toBe(false);
  expect(Object.keys(localStorage)).toEqual([buildKey('mia', 'first')]);
});
