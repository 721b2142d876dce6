import { beforeEach, expect, test } from 'vitest';
import { chooseTimeZone, shownTimeZone } from '../lib/time-zone.ts';
import { clearLocalStores, useNavigation } from './navigation-store.ts';

const stored = () => JSON.parse(localStorage.getItem('callout-navigation') ?? 'null') as unknown;

beforeEach(clearLocalStores);

test('the store keeps history, scroll positions and menu order as version 1', () => {
  const { visit, keepScroll, setMenuOrder } = useNavigation.getState();
  visit('/dashboard');
  visit('/customers');
  keepScroll('/customers', 812.4);
  setMenuOrder(['quotes', 'dashboard']);
  expect(stored()).toEqual({
    state: { history: ['/dashboard', '/customers'], scrollPositions: { '/customers': 812 }, menuOrder: ['quotes', 'dashboard'] },
    version: 1,
  });
});

test('the same page twice in a row is one visit, and only the last fifty are kept', () => {
  const { visit, keepScroll } = useNavigation.getState();
  for (let page = 0; page < 60; page += 1) {
    visit(`/customers/${page}`);
    visit(`/customers/${page}`);
    keepScroll(`/customers/${page}`, page);
  }
  expect(useNavigation.getState().history).toHaveLength(50);
  expect(useNavigation.getState().history.at(-1)).toBe('/customers/59');
  expect(Object.keys(useNavigation.getState().scrollPositions)).toHaveLength(50);
});

test('the end of a session leaves neither navigation nor timer, calendar nor time zone behind', () => {
  localStorage.setItem('callout-timer', '{}');
  localStorage.setItem('callout-calendar', '{}');
  chooseTimeZone('Pacific/Chatham');
  expect(shownTimeZone()).toBe('Pacific/Chatham');
  useNavigation.getState().visit('/customers');
  clearLocalStores();
  expect(useNavigation.getState().history).toEqual([]);
  expect(shownTimeZone()).not.toBe('Pacific/Chatham');
  expect(Object.keys(localStorage)).toEqual([]);
});
