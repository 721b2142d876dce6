import { expect, it } from 'vitest';
import { DEFAULT_REMINDER, REMINDER_PLACEHOLDERS } from './invoice-reminder.ts';

it('uses every placeholder, and names the invoice and the company in the subject', () => {
  for (const placeholder of REMINDER_PLACEHOLDERS) expect(Object.values(DEFAULT_REMINDER).join(' ')).toContain(placeholder);
  expect(DEFAULT_REMINDER.subject).toBe('Reminder: invoice {number} from {company}');
  expect(REMINDER_PLACEHOLDERS).toEqual(['{customer}', '{number}', '{amount}', '{due}', '{company}']);
});
