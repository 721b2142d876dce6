import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { beforeAll, expect, it } from 'vitest';
import { createFirm, type Firm, tenantOf } from '../../../test/factories/people.ts';
import { startTestApp, type TestApp } from '../../../test/test-app.ts';
import { changeAs, readAs, type TenantScope } from '../db/tenant-scope.ts';
import { markLinkOpened, openPublicLink, publicTokenOf, revokePublicLink } from './public-links.sql.ts';

let test: TestApp;
let ours: Firm;
let theirs: Firm;

beforeAll(async () => {
  test = await startTestApp();
  [ours, theirs] = [await createFirm(test, 'Ours'), await createFirm(test, 'Theirs')];
});

const NOW = '2026-11-15T10:00:00.000Z';
const pools = () => test.app.platform.pools;
const as = <Result>(firm: Firm, work: (scope: TenantScope) => Promise<Result>) => changeAs(pools().app, tenantOf(firm), work);
const open = (token: string, kind = 'quote') => openPublicLink(pools().system, token, kind, NOW);

it('gives a record one link, however often it is requested, also at once', async () => {
  const record = { kind: 'quote', id: randomUUID() };
  const tokens = await Promise.all(Array.from({ length: 8 }, () => as(ours, (scope) => publicTokenOf(scope, record))));
  expect(new Set(tokens).size).toBe(1);
  expect(tokens[0]).toMatch(/^[\w-]{22}$/);
});

it('gives records with the same id in two companies two links, each opening its own company only', async () => {
  const record = { kind: 'quote', id: randomUUID() };
  const our = await as(ours, (scope) => publicTokenOf(scope, record));
  const their = await as(theirs, (scope) => publicTokenOf(scope, record));
  expect(our).not.toBe(their);
  expect(await open(our)).toMatchObject({ recordId: record.id, tenant: { companyId: ours.companyId, now: NOW } });
  expect(await open(their)).toMatchObject({ tenant: { companyId: theirs.companyId } });
});

it('lets the holder act as a link holder, not as a member of the company', async () => {
  const record = { kind: 'quote', id: randomUUID() };
  const opened = await open(await as(ours, (scope) => publicTokenOf(scope, record)));
  expect(opened?.tenant.actor).toEqual({ kind: 'link', recordKind: 'quote', recordId: record.id });
});

it('opens nothing for a record id, a token of another kind or a revoked token', async () => {
  const record = { kind: 'quote', id: randomUUID() };
  const token = await as(ours, (scope) => publicTokenOf(scope, record));
  expect(await open(record.id)).toBeNull();
  expect(await open(token, 'invoice')).toBeNull();
  await as(ours, (scope) => revokePublicLink(scope, record));
  expect(await open(token)).toBeNull();
  const next = await as(ours, (scope) => publicTokenOf(scope, record));
  expect(next).not.toBe(token);
  expect(await open(next)).not.toBeNull();
});

it.each(['', 'short', 'A'.repeat(23), 'A'.repeat(500), '\0'.repeat(22), `${'A'.repeat(21)}=`, `${'A'.repeat(22)}\n`])(
  'opens nothing for %j, which is not a token, without asking the database',
  async (token) => {
    const closed = new pg.Pool();
    await closed.end();
    expect(await openPublicLink(closed, token, 'quote', NOW)).toBeNull();
  },
);

it('records when it was first and last opened', async () => {
  const record = { kind: 'quote', id: randomUUID() };
  const token = await as(ours, (scope) => publicTokenOf(scope, record));
  for (const minute of ['01', '02']) {
    const opened = await openPublicLink(pools().system, token, 'quote', `2026-11-15T10:${minute}:00.000Z`);
    if (opened) await readAs(pools().app, opened.tenant, (scope) => markLinkOpened(scope, record));
  }
  const { rows } = await test.owner.query('select first_opened_at, last_opened_at from public_links where token = $1', [token]);
  expect(rows).toEqual([{ first_opened_at: new Date('2026-11-15T10:01:00Z'), last_opened_at: new Date('2026-11-15T10:02:00Z') }]);
});

it('is not opened once it was revoked, also when the record has another one by then', async () => {
  const record = { kind: 'calendar', id: randomUUID() };
  const mark = (token: string) => as(ours, (scope) => markLinkOpened(scope, { ...record, token }));
  const token = await as(ours, (scope) => publicTokenOf(scope, record));
  expect(await mark(token)).toBe(true);
  await as(ours, (scope) => revokePublicLink(scope, record));
  expect(await mark(token)).toBe(false);
  const next = await as(ours, (scope) => publicTokenOf(scope, record));
  expect([await mark(token), await mark(next)]).toEqual([false, true]);
});
