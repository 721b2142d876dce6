import { inTransaction } from '../../platform/db/transaction.ts';
import { sendMail } from '../../platform/mail/send-mail.ts';
import type { Platform } from '../../platform/platform.ts';
import { mailExists, markWaiting } from './outbox-mails.sql.ts';

/** Tries a mail now, whatever became of it before; however often it is pressed, it goes out once. False when there is no such mail. */
export function sendMailAgain({ pools }: Platform, id: string, attempts: number): Promise<boolean> {
  return inTransaction(pools.system, async (client) => {
    if (!(await mailExists(client, id))) return false;
    if (await markWaiting(client, id, attempts)) await sendMail.later(client, { id }, `send-mail ${id}`);
    return true;
  });
}
