import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { findFreePort } from '@callout/embedded-postgres/endpoint';
import { type Mail, startMailServer } from '../../../../e2e/support/mail-server.ts';
import { countUnsentMails, queueMails } from './queued-mails.sql.ts';
import { startServerProcess } from './server-process.ts';

export interface MailCrashReport {
  readonly kills: number;
  readonly mails: number;
  /** Number of recipients who received no email. */
  readonly lost: number;
  /** Number of recipients who got two emails with different message ids. A mail client shows both. */
  readonly duplicated: number;
  /** Number of recipients who got the same email again, because the server was killed after delivery but before the commit. */
  readonly redelivered: number;
}

const MAILS_PER_ROUND = 12;
const POLL_INTERVAL_MS = 20;
/** How long the mail server takes to accept an email. Slow enough that a kill can hit a delivery halfway. */
const DELIVERY_DURATION_MS = 10;

/** Kills the server repeatedly while it sends email, then counts the lost, duplicated and redelivered emails. */
export async function runMailCrashRounds(dataDir: string, kills: number, log: (line: string) => void): Promise<MailCrashReport> {
  const port = await findFreePort();
  const received: Mail[] = [];
  const mailServer = await startMailServer(async (mail) => {
    await pause(DELIVERY_DURATION_MS);
    received.push(mail);
  });
  const environment = { SMTP_URL: `smtp://127.0.0.1:${mailServer.port}`, MAIL_FROM: 'Callout <callout@localhost>' };
  let product = await startServerProcess(dataDir, port, environment);
  const recipients: string[] = [];
  try {
    for (let round = 1; round <= kills; round += 1) {
      const newRecipients = Array.from({ length: MAILS_PER_ROUND }, () => `${randomUUID()}@example.com`);
      const before = received.length;
      await queueMails(dataDir, newRecipients);
      recipients.push(...newRecipients);
      // Wait for a different number of emails in each round, so that every kill hits a different point in a delivery.
      while (received.length < before + 1 + ((round * 5) % (MAILS_PER_ROUND - 2))) await pause(1);
      await pause((round * 3) % (2 * DELIVERY_DURATION_MS));
      await product.kill();
      product = await startServerProcess(dataDir, port, environment);
      log(`kill ${round}: ${recipients.length} mails queued, ${received.length} delivered`);
    }
    while ((await countUnsentMails(dataDir)) > 0) await pause(POLL_INTERVAL_MS);
    return { kills, mails: recipients.length, ...countMailOutcomes(recipients, received) };
  } finally {
    await product.stop();
    await mailServer.stop();
  }
}

function countMailOutcomes(recipients: readonly string[], received: readonly Mail[]) {
  const report = { lost: 0, duplicated: 0, redelivered: 0 };
  for (const recipient of recipients) {
    const mails = received.filter(({ to }) => to.includes(recipient));
    const messageIds = new Set(mails.map(({ headers }) => headers.find((line) => /^message-id:/i.test(line))));
    if (mails.length === 0) report.lost += 1;
    if (messageIds.size > 1) report.duplicated += 1;
    if (mails.length > 1) report.redelivered += 1;
  }
  return report;
}
