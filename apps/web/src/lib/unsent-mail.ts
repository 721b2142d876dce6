import { toast } from '../ui/toast.ts';

export const MAIL_NOT_SENT_MESSAGE = "Email isn't set up on this server. Your administrator can find the message in the outbox.";
const TOAST_DURATION_MS = 8_000;

/** Notifies the user that the server can't send email. Not in `activity-card.tsx`, because every page loads the calls that use it. */
export const reportUnsentMail = () => toast.blank(MAIL_NOT_SENT_MESSAGE, { timeoutMs: TOAST_DURATION_MS });
