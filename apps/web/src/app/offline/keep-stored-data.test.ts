import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { useOfflineState } from '../../lib/offline-state.ts';
import { keepStoredData } from './keep-stored-data.ts';

const IPHONE = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 Version/18.5 Mobile/15E148 Safari/604.1';
const persist = vi.fn(async () => true);

/** Runs the test on a device with this `navigator`. */
const stubDevice = (device: object = {}) =>
  vi.stubGlobal('navigator', { onLine: true, userAgent: IPHONE, storage: { persist }, ...device });

beforeEach(() => stubDevice());
afterEach(() => {
  vi.unstubAllGlobals();
  persist.mockClear();
  localStorage.clear();
  useOfflineState.setState(useOfflineState.getInitialState(), true);
});

test('tells people with an iPhone once to install the app', () => {
  keepStoredData();
  useOfflineState.getState().dismissInstallHint?.();
  expect(useOfflineState.getState().dismissInstallHint).toBeUndefined();
  keepStoredData();
  expect(useOfflineState.getState().dismissInstallHint).toBeUndefined();
  localStorage.clear();
  keepStoredData();
  expect(useOfflineState.getState().dismissInstallHint).toBeDefined();
  expect(persist).not.toHaveBeenCalled();
});

test('asks an installed app’s browser to keep what is stored, and shows no hint', () => {
  stubDevice({ standalone: true });
  keepStoredData();
  expect(persist).toHaveBeenCalledOnce();
  expect(useOfflineState.getState().dismissInstallHint).toBeUndefined();
});

test('shows no hint on other devices', () => {
  stubDevice({ userAgent: 'Mozilla/5.0 (X11; Linux x86_64) Chrome/141.0' });
  keepStoredData();
  expect(useOfflineState.getState().dismissInstallHint).toBeUndefined();
});
