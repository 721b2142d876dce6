/** What a reminder of an overdue invoice says unless the firm has words of its own; Settings shows it. Names in braces are filled in. */
export const USUAL_REMINDER = {
  subject: 'Reminder: invoice {number} from {company}',
  body: `Hi {customer},

This is a friendly reminder that invoice {number} was due on {due}. {amount} is still outstanding.

If you have already paid it, please ignore this email. Thank you!`,
} as const;

/** What is filled in, in the order in which Settings names them. */
export const REMINDER_PLACEHOLDERS = ['{customer}', '{number}', '{amount}', '{due}', '{company}'] as const;
