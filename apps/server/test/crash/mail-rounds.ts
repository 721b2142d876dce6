import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { findFreePort } from '@callout/embedded-postgres/endpoint';
import { type Mail, startMailServer } from '../../../../e2e/support/mail-server.ts';
import { startProduct } from './product-process.ts';
import { queueMails, unsentMails } from './queued-mails.sql.ts';

export interface MailReport {
  readonly kills: number;
  readonly mails: number;
  /** Recipients who got nothing. */
  readonly lost: number;
  /** Recipients of two mails with different message ids, which a mail program shows as two. */
  readonly shownTwice: number;
  /** Sent again under the same message id, because the server was killed after delivery and before its commit. */
  readonly handedOverTwice: number;
}

const MAILS_PER_ROUND = 12;
const POLL_INTERVAL_MS = 20;
/** Slow enough for kills to hit the middle of a delivery. */
const DELIVERY_DURATION_MS = 10;

/** Kills the server repeatedly while it sends mail, and reports at the end who received what. */
export async function runMailRounds(dataDir: string, kills: number, log: (line: string) => void): Promise<MailReport> {
  const port = await findFreePort();
  const received: Mail[] = [];
  const mailServer = await startMailServer(async (mail) => {
    await pause(DELIVERY_DURATION_MS);
    received.push(mail);
  });
  const environment = { SMTP_URL: `smtp://127.0.0.1:${mailServer.port}`, MAIL_FROM: 'Callout <callout@localhost>' };
  let product = await startProduct(dataDir, port, environment);
  const recipients: string[] = [];
  try {
    for (let round = 1; round <= kills; round += 1) {
      const next = Array.from({ length: MAILS_PER_ROUND }, () => `${randomUUID()}@example.com`);
      const before = received.length;
      await queueMails(dataDir, next);
      recipients.push(...next);
      // A different number of mails each round, so that the kill hits a different moment of a delivery.
      while (received.length < before + 1 + ((round * 5) % (MAILS_PER_ROUND - 2))) await pause(1);
      await pause((round * 3) % (2 * DELIVERY_DURATION_MS));
      await product.kill();
      product = await startProduct(dataDir, port, environment);
      log(`kill ${round}: ${recipients.length} mails queued, ${received.length} handed over`);
    }
    while ((await unsentMails(dataDir)) > 0) await pause(POLL_INTERVAL_MS);
    return { kills, mails: recipients.length, ...judge(recipients, received) };
  } finally {
    await product.stop();
    await mailServer.stop();
  }
}

function judge(recipients: readonly string[], received: readonly Mail[]) {
  const report = { lost: 0, shownTwice: 0, handedOverTwice: 0 };
  for (const recipient of recipients) {
    const mails = received.filter(({ to }) => to.includes(recipient));
    const shown = new Set(mails.map(({ headers }) => headers.find((line) => /^message-id:/i.test(line))));
    if (mails.length === 0) report.lost += 1;
    if (shown.size > 1) report.shownTwice += 1;
    if (mails.length > 1) report.handedOverTwice += 1;
  }
  return report;
}
