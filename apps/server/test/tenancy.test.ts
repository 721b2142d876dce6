import { beforeAll, describe, expect, it } from 'vitest';
import { CONTRACT_CALLS, type ContractCall } from './contract-calls.ts';
import { withOwnerClient } from './database.ts';
import { createFirm, type Firm } from './factories/people.ts';
import { createSampleRecords, type SampleRecords } from './factories/sample-records.ts';
import { type CallInput, findAcceptedForeignIds, listForeignIdFields } from './input-fields.ts';
import { buildSampleInput } from './sample-inputs.ts';
import { sendCall } from './send-call.ts';
import { startTestApp, type TestApp } from './test-app.ts';

/** Tables without row-level security. Add a table only if its rows don't belong to a single company. */
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

/** Tables with records that are marked as deleted, which the application then can't see anymore. */
const DELETABLE_TABLES = new Set(['categories', 'customers', 'staff_members', 'suppliers']);

interface TableSecurity {
  readonly name: string;
  readonly enabled: boolean;
  readonly forced: boolean;
  readonly has_company: boolean;
  readonly policies: readonly string[];
}

/** Calls with a record's id in their path. Excludes public calls, because anyone who has a public link may open it. */
const callsWithPathId = CONTRACT_CALLS.filter((call) => call.access !== 'public' && call.path.includes('{'));
const callsWithoutPathId = CONTRACT_CALLS.filter((call) => call.access !== 'public' && !call.path.includes('{'));
const readsWithoutPathId = callsWithoutPathId.filter((call) => call.method === 'GET');
const callsWithBodyIds = CONTRACT_CALLS.filter((call) => call.access !== 'system-admin' && listForeignIdFields(call).length > 0);

async function listTenantTables({ owner }: TestApp): Promise<string[]> {
  const { rows } = await owner.query<{ name: string }>(
    `select relname as name from pg_class where relkind in ('r', 'p') and relnamespace = 'public'::regnamespace order by 1`,
  );
  return rows.map((row) => row.name).filter((name) => !SHARED_TABLES.includes(name));
}

/** Reads all of the company's rows. Each row is paired with its table's name. */
async function readCompanyRows(test: TestApp, companyId: string): Promise<[string, unknown][]> {
  const tables = await listTenantTables(test);
  const selectRows = (table: string) => `select '${table}' as name, to_jsonb(t) as row from ${table} t where company_id = $1`;
  const { rows } = await test.owner.query<{ name: string; row: unknown }>(`${tables.map(selectRows).join(' union all ')} order by 1, 2`, [
    companyId,
  ]);
  return rows.map(({ name, row }) => [name, row]);
}

/** Disables row-level security, so that only the conditions in each statement separate the companies. */
async function disablePolicies(test: TestApp): Promise<void> {
  for (const table of await listTenantTables(test)) {
    await withOwnerClient(test.database, (client) =>
      client.query(`alter table ${table} no force row level security, disable row level security`),
    );
  }
}

const listRecordIds = ({ setup: _, ...ids }: SampleRecords) => Object.values<string>(ids);

describe.each([
  ['row-level security enabled', async () => undefined],
  ['row-level security disabled', disablePolicies],
])('tenant isolation with %s', (_, prepare) => {
  let test: TestApp;
  let ours: Firm;
  let theirs: Firm;
  let theirRecords: SampleRecords;
  let ourRecords: SampleRecords;
  const bodiesBefore = new Map<string, string>();
  const send = (call: ContractCall, input: CallInput) => sendCall(test, call, { ...input }, ours.people.admin.cookie);
  const readAllCompanyRows = async () => [await readCompanyRows(test, ours.companyId), await readCompanyRows(test, theirs.companyId)];

  beforeAll(async () => {
    test = await startTestApp();
    [ours, theirs] = [await createFirm(test, 'Ours'), await createFirm(test, 'Theirs')];
    await prepare(test);
    ourRecords = await createSampleRecords(test, ours);
    for (const call of readsWithoutPathId)
      bodiesBefore.set(call.name, withoutServerTime((await send(call, await buildSampleInput(call, ourRecords))).body));
    theirRecords = await createSampleRecords(test, theirs);
  });

  it.each(callsWithPathId)(
    '$name returns 404 for another company’s id (403 for system administration calls) and changes nothing',
    async (call) => {
      const input = await buildSampleInput(call, theirRecords);
      const before = await readCompanyRows(test, theirs.companyId);
      const { statusCode } = await send(call, input);
      expect(statusCode).toBe(call.access === 'system-admin' ? 403 : 404);
      expect(await readCompanyRows(test, theirs.companyId)).toEqual(before);
    },
  );

  it.each(readsWithoutPathId)('$name returns the same response as before the other company added records', async (call) => {
    expect(withoutServerTime((await send(call, await buildSampleInput(call, ourRecords))).body)).toBe(bodiesBefore.get(call.name));
  });

  it.each(callsWithoutPathId)('$name neither changes nor returns any of the other company’s data', async (call) => {
    const input = await buildSampleInput(call, theirRecords);
    const before = await readCompanyRows(test, theirs.companyId);
    const { body } = await send(call, input);
    expect(await readCompanyRows(test, theirs.companyId)).toEqual(before);
    for (const foreign of listRecordIds(theirRecords)) expect(body).not.toContain(foreign);
  });

  it.each(callsWithBodyIds)('$name rejects another company’s ids in every body field and changes nothing', async (call) => {
    const input = await buildSampleInput(call, ourRecords);
    const before = await readAllCompanyRows();
    expect(await findAcceptedForeignIds(call, input, listRecordIds(theirRecords), (hostile) => send(call, hostile))).toEqual([]);
    expect(await readAllCompanyRows()).toEqual(before);
  });

  it('returns 404 for another company’s files and thumbnails', async () => {
    const { fileId, attachmentId } = theirRecords;
    const paths = [`/api/files/${fileId}`, `/api/files/${attachmentId}`, `/api/files/${attachmentId}/thumbnail`];
    const readStatuses = (cookie: string) =>
      Promise.all(paths.map(async (path) => (await test.request('GET', path, { cookie })).statusCode));
    expect(await readStatuses(ours.people.admin.cookie)).toEqual([404, 404, 404]);
    expect(await readStatuses(theirs.people.admin.cookie)).toEqual([200, 200, 200]);
  });
});

/** Removes the current time, which changes between two otherwise equal responses. */
function withoutServerTime(body: string): string {
  return body.replace(/"server_time":"[^"]*"/g, '');
}

describe('the database', () => {
  let test: TestApp;
  let ours: Firm;
  let theirs: Firm;

  beforeAll(async () => {
    test = await startTestApp();
    [ours, theirs] = [await createFirm(test, 'Ours'), await createFirm(test, 'Theirs')];
    await createSampleRecords(test, ours);
    await createSampleRecords(test, theirs);
  });

  it('has a company_id, forced row-level security and a policy for the app role on every tenant table', async () => {
    const { rows } = await withOwnerClient(test.database, (client) =>
      client.query<TableSecurity>(`select c.relname as name, c.relrowsecurity as enabled, c.relforcerowsecurity as forced,
          exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'company_id' and a.attnotnull) as has_company,
          coalesce((select array_agg(format('%s: %s / %s', p.polname, pg_get_expr(p.polqual, p.polrelid), pg_get_expr(p.polwithcheck, p.polrelid)) order by p.polname)
            from pg_policy p where p.polrelid = c.oid and 'callout_app'::regrole = any (p.polroles)), '{}') as policies
        from pg_class c where c.relkind in ('r', 'p') and c.relnamespace = 'public'::regnamespace order by 1`),
    );
    const tenantTables = rows.filter((row) => !SHARED_TABLES.includes(row.name));
    expect(tenantTables.map((row) => row.name)).toEqual(expect.arrayContaining(['companies', 'customers', 'files', 'staff_members']));
    for (const { name, ...security } of tenantTables) {
      expect({ name, ...security }).toEqual({
        name,
        enabled: true,
        forced: true,
        has_company: true,
        policies: [
          ...(DELETABLE_TABLES.has(name) ? ['not_deleted: (deleted_at IS NULL) / '] : []),
          'own_company: (company_id = current_company_id()) / (company_id = current_company_id())',
        ],
      });
    }
  });

  it('has no function that runs with the rights of a superuser or the table owner', async () => {
    const { rows } = await withOwnerClient(test.database, (client) =>
      client.query<{ name: string }>(
        `select p.proname as name from pg_proc p join pg_roles r on r.oid = p.proowner
          where p.prosecdef and p.pronamespace in ('public'::regnamespace, 'graphile_worker'::regnamespace)
            and (r.rolsuper or r.rolname not in ('callout_system', 'callout_queue'))`,
      ),
    );
    expect(rows).toEqual([]);
  });

  it('grants the app role access to no shared table except staff_colors', async () => {
    const { rows } = await withOwnerClient(test.database, (client) =>
      client.query<{ table_name: string }>(
        `select distinct table_name from information_schema.role_table_grants where grantee = 'callout_app' and table_name = any ($1)`,
        [SHARED_TABLES],
      ),
    );
    expect(rows.map((row) => row.table_name)).toEqual(['staff_colors']);
  });

  it('has no application role or login that owns Callout’s tables, is a superuser or bypasses row-level security', async () => {
    const { rows } = await withOwnerClient(test.database, (client) =>
      client.query<{ rolname: string; is_powerful: boolean; owns: string[] }>(`select rolname, rolsuper or rolbypassrls as is_powerful,
            array(select distinct relnamespace::regnamespace::text from pg_class where relowner = pg_roles.oid and relkind in ('r', 'p')) as owns
          from pg_roles where rolname like 'callout\\_%' order by 1`),
    );
    expect(rows.map(({ rolname }) => rolname)).toEqual(expect.arrayContaining(['callout_app', 'callout_queue', 'callout_system']));
    expect(rows.filter(({ is_powerful }) => is_powerful)).toEqual([]);
    expect(rows.filter(({ owns }) => owns.length > 0)).toMatchObject([{ rolname: 'callout_queue', owns: ['graphile_worker'] }]);
  });

  describe('row-level security alone', () => {
    it('shows a company only its own rows in every table and rejects moving them to another company', async () => {
      for (const table of await listTenantTables(test)) {
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

    it('raises an error when a query runs without a company', async () => {
      const client = await test.app.platform.pools.app.connect();
      try {
        // Once a call has set the company, PostgreSQL keeps the setting as an empty text, which isn't a company's id either.
        await client.query('discard all');
        await client.query('set role callout_app');
        await expect(client.query('select * from customers')).rejects.toThrow(/app.company_id|invalid input syntax for type uuid/);
      } finally {
        client.release(true);
      }
    });
  });
});
