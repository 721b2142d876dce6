import { afterEach, expect, it, vi } from 'vitest';
import { create } from 'zustand';
import { persist } from 'zustand/middleware';
import { browserStorage } from './browser-storage.ts';

afterEach(() => {
  vi.unstubAllGlobals();
  localStorage.clear();
});

const newStore = () => create(persist(() => ({ choice: 'none' }), { name: 'a-store', storage: browserStorage() }));

it('is there again at the next start', () => {
  newStore().setState({ choice: 'dark' });
  expect(newStore().getState().choice).toBe('dark');
});

it('in a browser without room the choice counts for this page, and nothing stops', () => {
  vi.stubGlobal('localStorage', {
    getItem: () => null,
    setItem: () => {
      throw new DOMException('full', 'QuotaExceededError');
    },
  });
  const store = newStore();
  store.setState({ choice: 'dark' });
  expect(store.getState().choice).toBe('dark');
});
