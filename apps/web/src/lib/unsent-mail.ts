import { SERVER_ADMIN_LABEL } from '@callout/domain/product/product';
import { toast } from '../ui/toast.ts';

/** The first sentence of every message about missing email. The next sentence says what to do. */
export const MAIL_NOT_SET_UP_MESSAGE = "Email isn't set up on this server.";
export const ASK_FOR_LINK_MESSAGE = `${MAIL_NOT_SET_UP_MESSAGE} Ask ${SERVER_ADMIN_LABEL} for the link.`;
export const MAIL_NOT_SENT_MESSAGE = `${MAIL_NOT_SET_UP_MESSAGE} Ask ${SERVER_ADMIN_LABEL} for the message, which is kept in the outbox.`;
const TOAST_DURATION_MS = 8_000;

/** Tells the user that the server can't send email. Kept out of `activity-card.tsx`, so that callers don't have to load the card. */
export const reportUnsentMail = () => toast.blank(MAIL_NOT_SENT_MESSAGE, { timeoutMs: TOAST_DURATION_MS });
