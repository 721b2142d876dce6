import type { MailStatus } from '@callout/domain/mail/mail';
import type { PillTone } from '../../ui/status-pill.tsx';

export const MAIL_STATUS_LABELS: Record<MailStatus, string> = { waiting: 'Waiting', sent: 'Sent', failed: 'Failed', kept: 'Not sent' };

export const MAIL_STATUS_TONES: Record<MailStatus, PillTone> = { waiting: 'info', sent: 'ok', failed: 'danger', kept: 'warn' };
