import { createJSONStorage } from 'zustand/middleware';

/** For every store that lasts: a browser without room must not stop the application, so then what is chosen counts for this page only. */
export const browserStorage = <State>() =>
  createJSONStorage<State>(() => {
    const storage = localStorage;
    return {
      getItem: (name) => storage.getItem(name),
      setItem: (name, value) => {
        try {
          storage.setItem(name, value);
        } catch {
          // There is no room.
        }
      },
      removeItem: (name) => storage.removeItem(name),
    };
  });
