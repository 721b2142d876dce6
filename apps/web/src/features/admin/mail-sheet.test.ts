import type { OutboxMail } from '@callout/contract/admin';
import { expect, test } from 'vitest';
import { mailStatusText } from './mail-sheet.tsx';

const NOW = new Date(2026, 2, 1, 3, 0);
const at = (day: number, hour: number) => new Date(2026, 2, day, hour, 25).toISOString();

test.each<[string, Partial<OutboxMail>, string]>([
  ['a new mail', {}, 'Waiting'],
  ['a mail that is tried again today', { attempts: 1, next_attempt: at(1, 3) }, 'Retrying, next 3:25 AM'],
  ['a mail that is tried again tomorrow', { attempts: 9, next_attempt: at(2, 15) }, 'Retrying, next Mar 2, 2026 3:25 PM'],
  ['a mail that is being tried', { attempts: 1 }, 'Retrying'],
  ['a sent mail', { status: 'sent', attempts: 2 }, 'Sent'],
  ['a mail without a mail server', { status: 'kept' }, 'Not sent'],
])('the status of %s', (_, mail, text) => {
  const waiting = { status: 'waiting', attempts: 0, next_attempt: null } as const;
  expect(mailStatusText({ ...waiting, ...mail } as OutboxMail, NOW)).toBe(text);
});
