import { randomUUID } from 'node:crypto';
import { beforeAll, expect, it } from 'vitest';
import { withOwnerClient } from '../../../test/database.ts';
import { createDatabaseBefore } from '../../../test/database-before.ts';
import { migrate } from '../db/migrate.ts';
import type { DatabaseConnection } from '../db/pools.ts';

let database: DatabaseConnection;

beforeAll(async () => {
  const created = await createDatabaseBefore('0018');
  database = created.database;
  return created.drop;
});

it('assigns owners to existing files and counts their bytes without losing any file', async () => {
  const ids = {
    company: randomUUID(),
    member: randomUUID(),
    logo: randomUUID(),
    oldLogo: randomUUID(),
    avatar: randomUUID(),
    plan: randomUUID(),
  };
  await withOwnerClient(database, async (owner) => {
    await owner.query('insert into companies (company_id, avatar_url) values ($1, $2)', [ids.company, `/api/images/${ids.logo}`]);
    await owner.query(
      `insert into staff_members (company_id, id, name, email, role, avatar_url) values ($1, $2, 'Ana', 'ana@example.com', 'admin', $3)`,
      [ids.company, ids.member, `/api/images/${ids.avatar}`],
    );
    for (const [id, purpose, size] of [
      [ids.logo, 'logo', 1],
      [ids.oldLogo, 'logo', 10],
      [ids.avatar, 'avatar', 100],
      [ids.plan, 'attachment', 1000],
    ]) {
      await owner.query(
        `insert into files (company_id, id, file_name, file_size, file_type, purpose) values ($1, $2, 'a.png', $3, 'image/png', $4)`,
        [ids.company, id, size, purpose],
      );
    }
  });
  await migrate(database);
  await withOwnerClient(database, async (owner) => {
    const usage = await owner.query('select bytes::int from file_usage');
    expect(usage.rows).toEqual([{ bytes: 1111 }]);
    const files = await owner.query('select id, owner_kind, owner_id, unattached_since from files order by file_size');
    expect(files.rows).toEqual([
      { id: ids.logo, owner_kind: 'company', owner_id: ids.company, unattached_since: null },
      { id: ids.oldLogo, owner_kind: 'unknown', owner_id: null, unattached_since: null },
      { id: ids.avatar, owner_kind: 'staff_member', owner_id: ids.member, unattached_since: null },
      { id: ids.plan, owner_kind: 'unknown', owner_id: null, unattached_since: null },
    ]);
  });
});
