import { inTransaction } from '../../platform/db/transaction.ts';
import type { Platform } from '../../platform/http/platform.ts';
import { sendMail } from '../../platform/mail/send-mail.ts';
import { markWaiting, readSendable } from './outbox-mails.sql.ts';

/** Tries a mail now, whatever became of it before; however often it is pressed, it goes out once. Null when there is no such mail. */
export function sendMailAgain({ pools }: Pick<Platform, 'pools'>, id: string, attempts: number): Promise<'sendable' | 'spent' | null> {
  return inTransaction(pools.system, async (client) => {
    const mail = await readSendable(client, id, attempts);
    if (mail === 'sendable' && (await markWaiting(client, id, attempts))) await sendMail.later(client, { id }, `send-mail ${id}`);
    return mail;
  });
}
