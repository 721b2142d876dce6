import { randomUUID } from 'node:crypto';
import { findRunningPostgres } from '@callout/embedded-postgres/embedded-postgres';
import pg from 'pg';
import { EMBEDDED_DATABASE } from '../../src/config.ts';

/** Queues all emails in a single transaction, as a mutation does. */
export async function queueMails(dataDir: string, recipients: readonly string[]): Promise<void> {
  await withDatabase(dataDir, async (client) => {
    await client.query('begin');
    for (const recipient of recipients) {
      await client.query(`select queue_mail($1, null, $2, 'Hello', 'Text', '<p>Text</p>')`, [randomUUID(), recipient]);
    }
    await client.query('commit');
  });
}

export async function countUnsentMails(dataDir: string): Promise<number> {
  return withDatabase(dataDir, async (client) => {
    const { rows } = await client.query<{ count: number }>(`select count(*)::int from outbox_mails where status <> 'sent'`);
    return rows[0]?.count ?? 0;
  });
}

async function withDatabase<Result>(dataDir: string, work: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = new pg.Client(await findRunningPostgres({ ...EMBEDDED_DATABASE, dataDir }));
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
