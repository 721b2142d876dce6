import type { Plugin } from 'vite';

const ROUTERS_OWN = /router-core\/dist\/esm\/scroll-restoration\.js$/;
const NOTHING = `
export const storageKey = '';
export function setupScrollRestoration() {}
export function defaultGetScrollRestorationKey() {}
export function getElementScrollRestorationEntry() {}
`;

/**
 * Leaves the router's own scroll memory out: src/app/scroll-memory.ts keeps positions where the spec wants them, and two owners
 * of one scroll bar fight, because the router's jumps to the top at every change of a search parameter.
 */
export function oneScrollMemory(): Plugin {
  return { name: 'one-scroll-memory', load: { filter: { id: ROUTERS_OWN }, handler: () => NOTHING } };
}
