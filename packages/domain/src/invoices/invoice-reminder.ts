/** Reminder for an overdue invoice, shown in Settings until the company writes its own. Sending a reminder replaces the placeholders. */
export const DEFAULT_REMINDER = {
  subject: 'Reminder: invoice {number} from {company}',
  body: `Hi {customer},

This is a friendly reminder that invoice {number} was due on {due}. {amount} is still outstanding.

If you have already paid it, please ignore this email. Thank you!`,
} as const;

/** Placeholders in the order that Settings lists them. */
export const REMINDER_PLACEHOLDERS = ['{customer}', '{number}', '{amount}', '{due}', '{company}'] as const;
