import { inTransaction } from '../../platform/db/transaction.ts';
import { sendMail } from '../../platform/mail/send-mail.ts';
import type { Platform } from '../../platform/platform.ts';
import { markWaiting, readSendable } from './outbox-mails.sql.ts';

/** Tries a mail now, whatever became of it before; however often it is pressed, it goes out once. Null when there is no such mail. */
export function sendMailAgain({ pools }: Platform, id: string, attempts: number): Promise<'sendable' | 'spent' | null> {
  return inTransaction(pools.system, async (client) => {
    const mail = await readSendable(client, id, attempts);
    if (mail === 'sendable' && (await markWaiting(client, id, attempts))) await sendMail.later(client, { id }, `send-mail ${id}`);
    return mail;
  });
}
