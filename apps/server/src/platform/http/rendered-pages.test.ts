import { expect, it } from 'vitest';
import { createRenderedPages } from './rendered-pages.ts';

const buildPage = (letter: string) => ({ text: letter.repeat(100) });
const PAGE_LENGTH = JSON.stringify(buildPage('a')).length;

it('keeps the rendered page under its key', () => {
  const pages = createRenderedPages();
  const added = pages.add('quote 1', buildPage('a'));
  expect(added).toEqual({ output: buildPage('a'), json: JSON.stringify(buildPage('a')), etag: expect.stringMatching(/^"[\w-]{43}"$/) });
  expect(pages.find('quote 1')).toBe(added);
  expect(pages.find('quote 2')).toBeUndefined();
});

it('gives equal pages the same tag and different pages different tags', () => {
  const pages = createRenderedPages();
  const [one, same, other] = [pages.add('1', buildPage('a')), pages.add('2', buildPage('a')), pages.add('3', buildPage('b'))];
  expect(one.etag).toBe(same.etag);
  expect(one.etag).not.toBe(other.etag);
});

it('drops the pages that have not been used for the longest time once it is full', () => {
  const pages = createRenderedPages(2 * PAGE_LENGTH);
  pages.add('a', buildPage('a'));
  pages.add('b', buildPage('b'));
  pages.find('a');
  pages.add('c', buildPage('c'));
  expect(['a', 'b', 'c'].map((key) => pages.find(key) !== undefined)).toEqual([true, false, true]);
});

it('counts a page that is added again only once', () => {
  const pages = createRenderedPages(2 * PAGE_LENGTH);
  for (const key of ['a', 'a', 'a', 'b']) pages.add(key, buildPage(key));
  expect(['a', 'b'].map((key) => pages.find(key) !== undefined)).toEqual([true, true]);
});

it('does not keep a page larger than the memory', () => {
  const pages = createRenderedPages(PAGE_LENGTH - 1);
  expect(pages.add('a', buildPage('a')).json).toHaveLength(PAGE_LENGTH);
  expect(pages.find('a')).toBeUndefined();
});
