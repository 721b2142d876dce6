import { toast } from '../ui/toast.ts';

export const MAIL_KEPT = "Mail isn't set up on this server. The message waits in the administrator's outbox.";
const KEPT_TOAST_MS = 8_000;

/** Whoever sends a mail from a server without mail is told so. Apart from what shows mails: every page loads the calls that report this. */
export const reportKeptMail = () => toast.blank(MAIL_KEPT, { ms: KEPT_TOAST_MS });
