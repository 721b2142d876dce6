import { createTransport } from 'nodemailer';
import type pg from 'pg';
import type { Platform } from '../platform.ts';
import { type Attempt, defineTask } from '../queue/task.ts';
import { holdWaitingMail, markFailed, markKept, markSent, type OutboxMail } from './outbox.sql.ts';

/** `queue_mail` names this task. */
export const sendMail = defineTask<{ id: string }>('send-mail', async ({ id }, platform, attempt) => {
  const client = await platform.pools.system.connect();
  try {
    await client.query('begin');
    const mail = await holdWaitingMail(client, id);
    const failed = mail && (await deliver(mail, client, platform, attempt));
    await client.query('commit');
    if (failed) throw failed;
  } catch (error) {
    await client.query('rollback').catch(() => undefined);
    throw error;
  } finally {
    client.release();
  }
});

/** The error of a failed try is written down first and then returned, so that the queue tries again. */
async function deliver(mail: OutboxMail, client: pg.PoolClient, platform: Platform, attempt: Attempt): Promise<Error | null> {
  const { smtpUrl, mailFrom } = platform.config;
  if (!smtpUrl) {
    await markKept(client, mail.id);
    // Without a mail server this line is the only way to the link, so it names it on purpose.
    platform.log.warn(
      { mail: mail.id, to: mail.recipient, subject: mail.subject, link: /https?:\/\/\S+/.exec(mail.text_body)?.[0] },
      'No SMTP_URL: mail kept in the outbox',
    );
    return null;
  }
  try {
    const transport = createTransport(smtpUrl);
    await transport.sendMail({
      from: mailFrom,
      to: mail.recipient,
      subject: mail.subject,
      text: mail.text_body,
      html: mail.html_body,
      messageId: `<${mail.id}@${new URL(platform.appUrl).hostname}>`,
    });
    await markSent(client, mail.id);
    return null;
  } catch (error) {
    const reason = error instanceof Error ? error : new Error(String(error));
    await markFailed(client, mail.id, reason.message, attempt.isLast);
    return reason;
  }
}
