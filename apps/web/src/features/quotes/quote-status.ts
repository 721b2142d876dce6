import type { PillTone } from '../../ui/status-pill.tsx';

const STATUS_TONES: Record<string, PillTone> = { draft: 'neutral', sent: 'info', accepted: 'ok', rejected: 'danger', expired: 'warn' };

/** Returns gray for an unknown status, because an old tab may get data from a newer server. */
export const getQuoteStatusTone = (status: string): PillTone =>
  Object.hasOwn(STATUS_TONES, status) ? (STATUS_TONES[status] ?? 'neutral') : 'neutral';

export const formatQuoteStatus = (status: string) => `${status.slice(0, 1).toUpperCase()}${status.slice(1)}`;

const CLOSED_MESSAGES: Readonly<Record<string, string>> = {
  accepted: 'Quote Accepted - Thank you!',
  rejected: 'Quote Rejected',
  expired: 'Quote Expired',
};

/** Returns the public page's footer for a quote that can no longer be accepted or rejected. */
export const getClosedQuoteMessage = (status: string): string =>
  (Object.hasOwn(CLOSED_MESSAGES, status) ? CLOSED_MESSAGES[status] : undefined) ?? 'This quote is no longer available for acceptance.';
