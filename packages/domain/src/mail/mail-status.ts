/** 'failed' was tried as often as it is tried; 'kept' has no mail server to go to. */
export const MAIL_STATUSES = ['waiting', 'sent', 'failed', 'kept'] as const;
export type MailStatus = (typeof MAIL_STATUSES)[number];
