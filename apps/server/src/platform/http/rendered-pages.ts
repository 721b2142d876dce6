import { createHash } from 'node:crypto';

/** A response as it is sent. The tag lets a browser ask whether its copy is still current. */
export interface RenderedPage {
  readonly output: object;
  readonly json: string;
  readonly etag: string;
}

/** Pages kept in memory. Their keys contain the version of all data they show, so a page is never outdated, only unused. */
export interface RenderedPages {
  find(key: string): RenderedPage | undefined;
  add(key: string, output: object): RenderedPage;
}

/** How a call's response is kept: a handler either names the key to keep it under, or the page that it found. */
export interface PageSlot {
  key?: string;
  found?: RenderedPage;
}

/** Enough for several thousand documents. */
const MAX_CHARACTERS = 16 * 1024 * 1024;

/** Creates a memory that drops the least recently used pages when it is full. */
export function createRenderedPages(maxCharacters = MAX_CHARACTERS): RenderedPages {
  const pages = new Map<string, RenderedPage>();
  let characters = 0;
  const remove = (key: string, { json }: RenderedPage) => {
    pages.delete(key);
    characters -= json.length;
  };
  return {
    find(key) {
      const page = pages.get(key);
      if (!page) return undefined;
      // A map keeps its insertion order, so the first key is the one that hasn't been used for the longest time.
      pages.delete(key);
      pages.set(key, page);
      return page;
    },
    add(key, output) {
      const json = JSON.stringify(output);
      const page = { output, json, etag: `"${createHash('sha256').update(json).digest('base64url')}"` };
      const previous = pages.get(key);
      if (previous) remove(key, previous);
      pages.set(key, page);
      characters += json.length;
      for (const [oldKey, oldPage] of pages) {
        if (characters <= maxCharacters) break;
        remove(oldKey, oldPage);
      }
      return page;
    },
  };
}

/** Ignores the `W/` prefix, because proxies that compress a response mark its ETag as weak. */
export const hasMatchingEtag = (ifNoneMatch: string | undefined, etag: string) =>
  (ifNoneMatch ?? '').split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag);
