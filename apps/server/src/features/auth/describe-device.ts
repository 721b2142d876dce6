import type { SignedInDevice } from '@callout/contract/auth';
import type { SessionDevice } from '../../platform/auth/session.sql.ts';

/** The first match wins, so derived browsers come first: most user agents also name the browsers they are based on. */
const BROWSER_PATTERNS: readonly (readonly [RegExp, string])[] = [
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\b(?:OPR|Opera|OPiOS|OPT)\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:Chrome|CriOS|Chromium)\//, 'Chrome'],
  [/\bVersion\/[\d.]+.*\bSafari\//, 'Safari'],
];

const OPERATING_SYSTEM_PATTERNS: readonly (readonly [RegExp, string])[] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac(?:intosh| OS X)\b/, 'Mac'],
  [/\bLinux\b/, 'Linux'],
];

const findFirstMatch = (patterns: readonly (readonly [RegExp, string])[], userAgent: string) =>
  patterns.find(([pattern]) => pattern.test(userAgent))?.[1] ?? null;

export function parseUserAgent(userAgent: string | null): Pick<SignedInDevice, 'browser' | 'system'> {
  return { browser: findFirstMatch(BROWSER_PATTERNS, userAgent ?? ''), system: findFirstMatch(OPERATING_SYSTEM_PATTERNS, userAgent ?? '') };
}

export function describeDevice(session: SessionDevice, currentSessionId: string): SignedInDevice {
  return {
    id: session.id,
    ...parseUserAgent(session.user_agent),
    network: session.ip_address || null,
    signed_in_at: session.created_at.toISOString(),
    last_active_at: session.last_active_at.toISOString(),
    is_current: session.id === currentSessionId,
  };
}
