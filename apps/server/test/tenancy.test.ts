import { beforeAll, describe, expect, it } from 'vitest';
import { withOwner } from './database.ts';
import { type Call, everyCall } from './every-call.ts';
import { createFirm, type Firm } from './factories/people.ts';
import { acceptedForeignIds, foreignIdFieldsOf, type Input } from './input-fields.ts';
import { createRecords, type Records, sampleOf } from './samples.ts';
import { sendCall } from './send-call.ts';
import { startTestApp, type TestApp } from './test-app.ts';

/** Tables that belong to no single company. Adding one is a decision. */
const SHARED_TABLES = [
  'accounts',
  'email_changes',
  'migrations',
  'outbox_mails',
  'password_links',
  'rate_limits',
  'sessions',
  'staff_colors',
  'users',
  'verifications',
];

interface TableGuard {
  readonly name: string;
  readonly enabled: boolean;
  readonly forced: boolean;
  readonly has_company: boolean;
  readonly policies: readonly string[];
}

/** The path of a public page holds its link, which lets in whoever has it. */
const aimed = everyCall.filter((call) => call.access !== 'public' && call.path.includes('{'));
const unaimed = everyCall.filter((call) => call.access !== 'public' && !call.path.includes('{'));
const unaimedReads = unaimed.filter((call) => call.method === 'GET');
const callsWithIds = everyCall.filter((call) => call.access !== 'system-admin' && foreignIdFieldsOf(call).length > 0);

async function tenantTables({ owner }: TestApp): Promise<string[]> {
  const { rows } = await owner.query<{ name: string }>(
    `select relname as name from pg_class where relkind in ('r', 'p') and relnamespace = 'public'::regnamespace order by 1`,
  );
  return rows.map((row) => row.name).filter((name) => !SHARED_TABLES.includes(name));
}

/** Everything a company owns, row by row, by table name. */
async function everythingOf(test: TestApp, companyId: string): Promise<[string, unknown][]> {
  const tables = await tenantTables(test);
  const rowsOf = (table: string) => `select '${table}' as name, to_jsonb(t) as row from ${table} t where company_id = $1`;
  const { rows } = await test.owner.query<{ name: string; row: unknown }>(`${tables.map(rowsOf).join(' union all ')} order by 1, 2`, [
    companyId,
  ]);
  return rows.map(({ name, row }) => [name, row]);
}

/** Disables the policies, so that only the statements themselves protect the data. */
async function withoutPolicies(test: TestApp): Promise<void> {
  for (const table of await tenantTables(test)) {
    await withOwner(test.database, (client) =>
      client.query(`alter table ${table} no force row level security, disable row level security`),
    );
  }
}

const idsOf = ({ fresh: _, ...ids }: Records) => Object.values<string>(ids);

describe.each([
  ['policies and statements together', async () => undefined],
  ['the statements alone', withoutPolicies],
])('with %s, a foreign id', (_, prepare) => {
  let test: TestApp;
  let ours: Firm;
  let theirs: Firm;
  let theirRecords: Records;
  let ourRecords: Records;
  const answeredBefore = new Map<string, string>();
  const send = (call: Call, input: Input) => sendCall(test, call, { ...input }, ours.people.admin.cookie);
  const everything = async () => [await everythingOf(test, ours.companyId), await everythingOf(test, theirs.companyId)];

  beforeAll(async () => {
    test = await startTestApp();
    [ours, theirs] = [await createFirm(test, 'Ours'), await createFirm(test, 'Theirs')];
    await prepare(test);
    ourRecords = await createRecords(test, ours);
    for (const call of unaimedReads) answeredBefore.set(call.name, withoutTime((await send(call, await sampleOf(call, ourRecords))).body));
    theirRecords = await createRecords(test, theirs);
  });

  it.each(aimed)('$name answers 404, or 403 if only the administrator may call it, and changes nothing', async (call) => {
    const input = await sampleOf(call, theirRecords);
    const before = await everythingOf(test, theirs.companyId);
    const { statusCode } = await send(call, input);
    expect(statusCode).toBe(call.access === 'system-admin' ? 403 : 404);
    expect(await everythingOf(test, theirs.companyId)).toEqual(before);
  });

  it.each(unaimedReads)('$name answers as before the other company had any records', async (call) => {
    expect(withoutTime((await send(call, await sampleOf(call, ourRecords))).body)).toBe(answeredBefore.get(call.name));
  });

  it.each(unaimed)('$name neither changes nor shows anything of the other company', async (call) => {
    const input = await sampleOf(call, theirRecords);
    const before = await everythingOf(test, theirs.companyId);
    const { body } = await send(call, input);
    expect(await everythingOf(test, theirs.companyId)).toEqual(before);
    for (const foreign of idsOf(theirRecords)) expect(body).not.toContain(foreign);
  });

  it.each(callsWithIds)('$name refuses it in every field of its body that refers to a record, and changes nothing', async (call) => {
    const input = await sampleOf(call, ourRecords);
    const before = await everything();
    expect(await acceptedForeignIds(call, input, idsOf(theirRecords), (hostile) => send(call, hostile))).toEqual([]);
    expect(await everything()).toEqual(before);
  });

  it('of a file or its thumbnail answers 404', async () => {
    const { fileId, attachmentId } = theirRecords;
    const paths = [`/api/files/${fileId}`, `/api/files/${attachmentId}`, `/api/files/${attachmentId}/thumbnail`];
    const asked = (cookie: string) => Promise.all(paths.map(async (path) => (await test.request('GET', path, { cookie })).statusCode));
    expect(await asked(ours.people.admin.cookie)).toEqual([404, 404, 404]);
    // The first has no bytes.
    expect(await asked(theirs.people.admin.cookie)).toEqual([404, 200, 200]);
  });
});

/** The server's clock is in answers about timers. */
function withoutTime(body: string): string {
  return body.replace(/"server_time":"[^"]*"/g, '');
}

describe('the database itself', () => {
  let test: TestApp;
  let ours: Firm;
  let theirs: Firm;

  beforeAll(async () => {
    test = await startTestApp();
    [ours, theirs] = [await createFirm(test, 'Ours'), await createFirm(test, 'Theirs')];
    await createRecords(test, ours);
    await createRecords(test, theirs);
  });

  it('guards every tenant table with company_id, forced row-level security and a policy for the app', async () => {
    const { rows } = await withOwner(test.database, (client) =>
      client.query<TableGuard>(`select c.relname as name, c.relrowsecurity as enabled, c.relforcerowsecurity as forced,
          exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'company_id' and a.attnotnull) as has_company,
          coalesce((select array_agg(format('%s: %s / %s', p.polname, pg_get_expr(p.polqual, p.polrelid), pg_get_expr(p.polwithcheck, p.polrelid)) order by p.polname)
            from pg_policy p where p.polrelid = c.oid and 'callout_app'::regrole = any (p.polroles)), '{}') as policies
        from pg_class c where c.relkind in ('r', 'p') and c.relnamespace = 'public'::regnamespace order by 1`),
    );
    const tenant = rows.filter((row) => !SHARED_TABLES.includes(row.name));
    expect(tenant.map((row) => row.name)).toEqual(expect.arrayContaining(['companies', 'customers', 'files', 'staff_members']));
    for (const { name, ...guard } of tenant) {
      expect({ name, ...guard }).toEqual({
        name,
        enabled: true,
        forced: true,
        has_company: true,
        policies: ['own_company: (company_id = current_company_id()) / (company_id = current_company_id())'],
      });
    }
  });

  it('has no function with the rights of a superuser or of the table owner', async () => {
    const { rows } = await withOwner(test.database, (client) =>
      client.query<{ name: string }>(
        `select p.proname as name from pg_proc p join pg_roles r on r.oid = p.proowner
          where p.prosecdef and p.pronamespace in ('public'::regnamespace, 'graphile_worker'::regnamespace)
            and (r.rolsuper or r.rolname not in ('callout_system', 'callout_queue'))`,
      ),
    );
    expect(rows).toEqual([]);
  });

  it('gives the app access to no shared table except the list of colors', async () => {
    const { rows } = await withOwner(test.database, (client) =>
      client.query<{ table_name: string }>(
        `select distinct table_name from information_schema.role_table_grants where grantee = 'callout_app' and table_name = any ($1)`,
        [SHARED_TABLES],
      ),
    );
    expect(rows.map((row) => row.table_name)).toEqual(['staff_colors']);
  });

  it('has no application role that owns our tables, is a superuser or bypasses the policies', async () => {
    const { rows } = await withOwner(test.database, (client) =>
      client.query(`select rolname, rolsuper, rolbypassrls, rolcanlogin,
            array(select distinct relnamespace::regnamespace::text from pg_class where relowner = pg_roles.oid and relkind in ('r', 'p')) as owns
          from pg_roles where rolname like 'callout\\_%' order by 1`),
    );
    expect(rows).toEqual(
      ['callout_app', 'callout_queue', 'callout_system'].map((rolname) => ({
        rolname,
        rolsuper: false,
        rolbypassrls: false,
        rolcanlogin: true,
        owns: rolname === 'callout_queue' ? ['graphile_worker'] : [],
      })),
    );
  });

  describe('with the policies alone', () => {
    it('shows a company its own rows of every table only, and accepts no row of another', async () => {
      for (const table of await tenantTables(test)) {
        const client = await test.app.platform.pools.app.connect();
        try {
          await client.query(`select set_config('app.company_id', $1, false)`, [ours.companyId]);
          const { rows } = await client.query<{ company_id: string }>(`select distinct company_id from ${table}`);
          expect({ table, sees: rows }).toEqual({ table, sees: [{ company_id: ours.companyId }] });
          await expect(client.query(`update ${table} set company_id = $1`, [theirs.companyId])).rejects.toMatchObject({ code: '42501' });
        } finally {
          client.release(true);
        }
      }
    });

    it('fails loudly when no company is set', async () => {
      const client = await test.app.platform.pools.app.connect();
      try {
        await client.query('discard all');
        await client.query('set role callout_app');
        await expect(client.query('select * from customers')).rejects.toThrow(/app.company_id/);
      } finally {
        client.release(true);
      }
    });
  });
});
