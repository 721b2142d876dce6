import { afterEach, expect, it, vi } from 'vitest';
import { create } from 'zustand';
import { persist } from 'zustand/middleware';
import { createBrowserStorage } from './browser-storage.ts';

afterEach(() => {
  vi.unstubAllGlobals();
  localStorage.clear();
});

const createStore = () => create(persist(() => ({ choice: 'none' }), { name: 'a-store', storage: createBrowserStorage() }));

it('restores the stored value on the next start', () => {
  createStore().setState({ choice: 'dark' });
  expect(createStore().getState().choice).toBe('dark');
});

it('keeps working in memory when the storage quota is exceeded', () => {
  vi.stubGlobal('localStorage', {
    getItem: () => null,
    setItem: () => {
      throw new DOMException('full', 'QuotaExceededError');
    },
  });
  const store = createStore();
  store.setState({ choice: 'dark' });
  expect(store.getState().choice).toBe('dark');
});
