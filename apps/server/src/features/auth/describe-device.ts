import type { SignedInDevice } from '@callout/contract/auth';
import type { SessionDevice } from '../../platform/auth/session.sql.ts';

/** The first match wins: most browsers also name the ones they are based on. */
const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\b(?:OPR|Opera|OPiOS|OPT)\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:Chrome|CriOS|Chromium)\//, 'Chrome'],
  [/\bVersion\/[\d.]+.*\bSafari\//, 'Safari'],
];

const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac(?:intosh| OS X)\b/, 'Mac'],
  [/\bLinux\b/, 'Linux'],
];

const firstIn = (names: readonly (readonly [RegExp, string])[], userAgent: string) =>
  names.find(([pattern]) => pattern.test(userAgent))?.[1] ?? null;

export function describeUserAgent(userAgent: string | null): Pick<SignedInDevice, 'browser' | 'system'> {
  return { browser: firstIn(BROWSERS, userAgent ?? ''), system: firstIn(SYSTEMS, userAgent ?? '') };
}

/** A session as shown to its owner, without its token. */
export function describeDevice(session: SessionDevice, currentSession: string): SignedInDevice {
  return {
    id: session.id,
    ...describeUserAgent(session.user_agent),
    network: session.ip_address || null,
    signed_in_at: session.created_at.toISOString(),
    last_active_at: session.last_active_at.toISOString(),
    is_current: session.id === currentSession,
  };
}
