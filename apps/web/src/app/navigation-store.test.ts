import { beforeEach, expect, test } from 'vitest';
import { getDisplayTimeZone, setMyTimeZone } from '../lib/time-zone.ts';
import { clearLocalStores, useNavigationStore } from './navigation-store.ts';

const readStored = () => JSON.parse(localStorage.getItem('callout-navigation') ?? 'null') as unknown;

beforeEach(clearLocalStores);

test('stores history, scroll positions and menu order as version 1', () => {
  const { recordVisit: visit, saveScrollPosition: keepScroll, setMenuOrder } = useNavigationStore.getState();
  visit('/dashboard');
  visit('/customers');
  keepScroll('/customers', 812.4);
  setMenuOrder(['quotes', 'dashboard']);
  expect(readStored()).toEqual({
    state: { history: ['/dashboard', '/customers'], scrollPositions: { '/customers': 812 }, menuOrder: ['quotes', 'dashboard'] },
    version: 1,
  });
});

test('records repeated visits once and keeps only the last fifty URLs', () => {
  const { recordVisit: visit, saveScrollPosition: keepScroll } = useNavigationStore.getState();
  for (let page = 0; page < 60; page += 1) {
    visit(`/customers/${page}`);
    visit(`/customers/${page}`);
    keepScroll(`/customers/${page}`, page);
  }
  expect(useNavigationStore.getState().history).toHaveLength(50);
  expect(useNavigationStore.getState().history.at(-1)).toBe('/customers/59');
  expect(Object.keys(useNavigationStore.getState().scrollPositions)).toHaveLength(50);
});

test('clears navigation, timer, calendar and time zone when a session ends', () => {
  localStorage.setItem('callout-timer', '{}');
  localStorage.setItem('callout-calendar', '{}');
  setMyTimeZone('Pacific/Chatham');
  expect(getDisplayTimeZone()).toBe('Pacific/Chatham');
  useNavigationStore.getState().recordVisit('/customers');
  clearLocalStores();
  expect(useNavigationStore.getState().history).toEqual([]);
  expect(getDisplayTimeZone()).not.toBe('Pacific/Chatham');
  expect(Object.keys(localStorage)).toEqual([]);
});
