import type { PillTone } from '../../ui/status-pill.tsx';

const TONES: Readonly<Record<string, PillTone>> = { draft: 'neutral', sent: 'info', accepted: 'ok', rejected: 'danger', expired: 'warn' };

/** Grey for a status this page does not know yet: an old tab may meet a newer server. */
export const statusTone = (status: string): PillTone => (Object.hasOwn(TONES, status) ? (TONES[status] ?? 'neutral') : 'neutral');

export const statusWord = (status: string) => `${status.slice(0, 1).toUpperCase()}${status.slice(1)}`;

const CLOSED_TEXTS: Readonly<Record<string, string>> = {
  accepted: 'Quote Accepted - Thank you!',
  rejected: 'Quote Rejected',
  expired: 'Quote Expired',
};

/** What the page ends with when the quote can no longer be answered. */
export const closedText = (status: string): string =>
  (Object.hasOwn(CLOSED_TEXTS, status) ? CLOSED_TEXTS[status] : undefined) ?? 'This quote is no longer available for acceptance.';
