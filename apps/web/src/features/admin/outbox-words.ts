import type { MailStatus } from '@callout/contract/admin';
import type { PillTone } from '../../ui/status-pill.tsx';

export const MAIL_STATUS_LABELS: Record<MailStatus, string> = { waiting: 'Waiting', sent: 'Sent', failed: 'Failed', kept: 'Kept' };

export const MAIL_STATUSES = Object.keys(MAIL_STATUS_LABELS) as MailStatus[];

export const MAIL_STATUS_TONES: Record<MailStatus, PillTone> = { waiting: 'info', sent: 'ok', failed: 'danger', kept: 'warn' };

/** The link a mail is about: its first. */
export function linkOf(text: string): string | undefined {
  return /https?:\/\/[^\s<>"]+/.exec(text)?.[0];
}
