import { createJSONStorage } from 'zustand/middleware';

/** Wraps localStorage for persisted stores. If the storage quota is exceeded, values stay in memory until the page closes. */
export const createBrowserStorage = <State>() =>
  createJSONStorage<State>(() => {
    const storage = localStorage;
    return {
      getItem: (name) => storage.getItem(name),
      setItem: (name, value) => {
        try {
          storage.setItem(name, value);
        } catch {
          // The quota is exceeded, so the value stays in memory only.
        }
      },
      removeItem: (name) => storage.removeItem(name),
    };
  });
