import { randomUUID } from 'node:crypto';
import { beforeAll, expect, it } from 'vitest';
import { withOwnerClient } from '../../../test/database.ts';
import { createDatabaseBefore } from '../../../test/database-before.ts';
import { migrate } from '../../platform/db/migrate.ts';
import type { DatabaseConnection } from '../../platform/db/pools.ts';

const MIGRATION = '0052_invoice_links_of_all_jobs.sql';
const OLD_TOKEN = 'a'.repeat(22);

let database: DatabaseConnection;

beforeAll(async () => {
  const created = await createDatabaseBefore(MIGRATION);
  database = created.database;
  return created.drop;
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
