import { randomUUID } from 'node:crypto';
import { cp, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { createDatabase, dropDatabase, withOwnerClient } from '../../../test/database.ts';
import { MIGRATIONS_DIR, migrate } from '../../platform/db/migrate.ts';
import type { DatabaseConnection } from '../../platform/db/pools.ts';

const MIGRATION = '0052_invoice_links_of_all_jobs.sql';
const OLD_TOKEN = 'a'.repeat(22);

let database: DatabaseConnection;
let earlierMigrationsDir: string;

beforeAll(async () => {
  database = await createDatabase(inject('postgres'), `test_${randomUUID().replaceAll('-', '')}`);
  earlierMigrationsDir = await mkdtemp(join(tmpdir(), 'callout-migrations-'));
  const earlier = (await readdir(MIGRATIONS_DIR)).filter((name) => name < MIGRATION);
  for (const name of earlier) await cp(join(MIGRATIONS_DIR, name), join(earlierMigrationsDir, name));
  await migrate(database, earlierMigrationsDir);
});

afterAll(async () => {
  await dropDatabase(inject('postgres'), database.database ?? '');
  await rm(earlierMigrationsDir, { recursive: true, force: true });
});

it('gives each job without a link to its public invoice page one, and keeps existing links', async () => {
  await withOwnerClient(database, async (owner) => {
    const companyId = randomUUID();
    await owner.query(`insert into companies (company_id, company_name) values ($1, 'Firm')`, [companyId]);
    const [linked, unlinked, revoked] = [randomUUID(), randomUUID(), randomUUID()];
    for (const [index, id] of [linked, unlinked, revoked].entries()) {
      await owner.query(
        `insert into jobs (company_id, id, job_number, title, description, status, job_type, title_key, search_text)
          values ($1, $2, $3, 'Tap', '', 'complete', 'hourly', 'tap', 'tap')`,
        [companyId, id, `J2605000${index}`],
      );
    }
    const insertLink = `insert into public_links (company_id, id, token, record_kind, record_id, created_at, revoked_at)
      values ($1, gen_random_uuid(), $2, 'invoice', $3, now(), $4)`;
    await owner.query(insertLink, [companyId, OLD_TOKEN, linked, null]);
    await owner.query(insertLink, [companyId, 'b'.repeat(22), revoked, '2026-05-04T13:00Z']);
    expect(await migrate(database)).toContain(MIGRATION);
    const { rows } = await owner.query<{ record_id: string; token: string }>(
      `select record_id, token from public_links where company_id = $1 and record_kind = 'invoice' and revoked_at is null`,
      [companyId],
    );
    const tokens = new Map(rows.map(({ record_id, token }) => [record_id, token]));
    expect(rows).toHaveLength(3);
    expect(tokens.get(linked)).toBe(OLD_TOKEN);
    for (const id of [unlinked, revoked]) expect(tokens.get(id)).toMatch(/^[\w-]{22}$/);
    expect(new Set(tokens.values()).size).toBe(3);
  });
});
