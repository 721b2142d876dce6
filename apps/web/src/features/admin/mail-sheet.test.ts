import type { OutboxMail } from '@callout/contract/admin';
import { toInstant } from '@callout/domain/time/zoned-time';
import { expect, test } from 'vitest';
import { formatMailStatus } from './mail-sheet.tsx';

const ZONE = 'Pacific/Auckland';
const NOW = toInstant('2026-03-01', '03:00', ZONE);
const toTimestamp = (day: number, hour: number) => toInstant(`2026-03-0${day}`, `${String(hour).padStart(2, '0')}:25`, ZONE);

test.each<[string, Partial<OutboxMail>, string]>([
  ['a new email', {}, 'Waiting'],
  ['an email to be retried today', { attempts: 1, next_attempt: toTimestamp(1, 3) }, 'Retrying. Next attempt at 3:25 AM'],
  ['an email to be retried tomorrow', { attempts: 9, next_attempt: toTimestamp(2, 15) }, 'Retrying. Next attempt on Mar 2, 2026 3:25 PM'],
  ['an email that is being retried', { attempts: 1 }, 'Retrying'],
  ['a sent email', { status: 'sent', attempts: 2 }, 'Sent'],
  ['an email on a server without email', { status: 'kept' }, 'Not sent'],
])('formats the status of %s', (_, mail, text) => {
  const waiting = { status: 'waiting', attempts: 0, next_attempt: null } as const;
  expect(formatMailStatus({ ...waiting, ...mail } as OutboxMail, ZONE, NOW)).toBe(text);
});
