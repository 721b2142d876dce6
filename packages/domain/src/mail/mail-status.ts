/** 'failed' has used all its attempts; 'kept' was not sent because no mail server is configured. */
export const MAIL_STATUSES = ['waiting', 'sent', 'failed', 'kept'] as const;
export type MailStatus = (typeof MAIL_STATUSES)[number];
