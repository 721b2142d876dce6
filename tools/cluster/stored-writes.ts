import { createHash } from 'node:crypto';
import pg from 'pg';
import type { Load } from './firm-load.ts';
import { type LoadRecord, WRITE_KINDS, type WriteKind } from './load-record.ts';

/** Reads back what each kind of acknowledged write must have stored. */
const STORED_IDS: Readonly<Record<WriteKind, string>> = {
  customers: `select id from customers where name = 'Customer ' || id`,
  jobs: `select id from jobs where title = 'Job ' || id`,
  comments: `select id from job_comments where content = 'Comment ' || id`,
  'time entries': 'select id from time_entries',
  pauses: 'select id from time_entries where ended_at is not null',
  files: 'select id from files',
};

/** Returns acknowledged writes that the database or the file store has lost, as '<kind> <id>'. */
export async function findLostWrites(superuserUrl: string, record: LoadRecord, load: Load): Promise<string[]> {
  const client = new pg.Client(superuserUrl);
  await client.connect();
  const lost: string[] = [];
  try {
    for (const kind of WRITE_KINDS) {
      const { rows } = await client.query<{ id: string }>(STORED_IDS[kind]);
      const stored = new Set(rows.map(({ id }) => id));
      for (const id of record.acknowledged[kind]) if (!stored.has(id)) lost.push(`${kind} ${id}`);
    }
  } finally {
    await client.end();
  }
  for (const [id, hash] of record.fileHashes) {
    const bytes = await load.readFile(id);
    if (!bytes || createHash('sha256').update(bytes).digest('hex') !== hash) lost.push(`bytes of file ${id}`);
  }
  return lost;
}
