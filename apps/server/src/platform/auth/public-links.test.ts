import { randomUUID } from 'node:crypto';
import { beforeAll, expect, it } from 'vitest';
import { createFirm, type Firm, toTenant } from '../../../test/factories/people.ts';
import { startTestApp, type TestApp } from '../../../test/test-app.ts';
import { runTenantQuery, runTenantTransaction, type TenantScope } from '../db/tenant-scope.ts';
import { findOrCreatePublicToken, markLinkOpened, openPublicLink, revokePublicLink } from './public-links.sql.ts';

let test: TestApp;
let ours: Firm;
let theirs: Firm;

beforeAll(async () => {
  test = await startTestApp();
  [ours, theirs] = [await createFirm(test, 'Ours'), await createFirm(test, 'Theirs')];
});

const NOW = '2026-11-15T10:00:00.000Z';
const pools = () => test.app.platform.pools;
const inCompany = <Result>(firm: Firm, work: (scope: TenantScope) => Promise<Result>) =>
  runTenantTransaction(pools().app, toTenant(firm), work);
const open = async (token: string, kind = 'quote', now = NOW) => {
  const opening = { token, now, attemptKey: `test ${randomUUID()}`, limit: { attempts: 10, seconds: 60 } };
  return (await openPublicLink(pools().system, { kind }, opening)).link;
};

it('gives a record a single link, even when requested concurrently', async () => {
  const record = { kind: 'quote', id: randomUUID() };
  const tokens = await Promise.all(Array.from({ length: 8 }, () => inCompany(ours, (scope) => findOrCreatePublicToken(scope, record))));
  expect(new Set(tokens).size).toBe(1);
  expect(tokens[0]).toMatch(/^[\w-]{22}$/);
});

it('gives two companies’ records separate links, even if the records have the same id', async () => {
  const record = { kind: 'quote', id: randomUUID() };
  const ourToken = await inCompany(ours, (scope) => findOrCreatePublicToken(scope, record));
  const theirToken = await inCompany(theirs, (scope) => findOrCreatePublicToken(scope, record));
  expect(ourToken).not.toBe(theirToken);
  expect(await open(ourToken)).toMatchObject({ recordId: record.id, tenant: { companyId: ours.companyId, now: NOW } });
  expect(await open(theirToken)).toMatchObject({ tenant: { companyId: theirs.companyId } });
});

it('grants access as a link holder, not as a member of the company', async () => {
  const record = { kind: 'quote', id: randomUUID() };
  const opened = await open(await inCompany(ours, (scope) => findOrCreatePublicToken(scope, record)));
  expect(opened?.tenant.actor).toEqual({ kind: 'link', recordKind: 'quote', recordId: record.id });
});

it('does not open with a record id, a revoked token or the token of another kind of record', async () => {
  const record = { kind: 'quote', id: randomUUID() };
  const token = await inCompany(ours, (scope) => findOrCreatePublicToken(scope, record));
  expect(await open(record.id)).toBeNull();
  expect(await open(token, 'invoice')).toBeNull();
  await inCompany(ours, (scope) => revokePublicLink(scope, record));
  expect(await open(token)).toBeNull();
  const newToken = await inCompany(ours, (scope) => findOrCreatePublicToken(scope, record));
  expect(newToken).not.toBe(token);
  expect(await open(newToken)).not.toBeNull();
});

it.each(['', 'short', 'A'.repeat(23), 'A'.repeat(500), '\0'.repeat(22), `${'A'.repeat(21)}=`, `${'A'.repeat(22)}\n`])(
  'does not open with the malformed token %j',
  async (token) => {
    expect(await open(token)).toBeNull();
  },
);

it('records when the link was first and last opened', async () => {
  const record = { kind: 'quote', id: randomUUID() };
  const token = await inCompany(ours, (scope) => findOrCreatePublicToken(scope, record));
  for (const minute of ['01', '02']) {
    const opened = await open(token, 'quote', `2026-11-15T10:${minute}:00.000Z`);
    if (opened) await runTenantQuery(pools().app, opened.tenant, (scope) => markLinkOpened(scope, record));
  }
  const { rows } = await test.owner.query('select first_opened_at, last_opened_at from public_links where token = $1', [token]);
  expect(rows).toEqual([{ first_opened_at: new Date('2026-11-15T10:01:00Z'), last_opened_at: new Date('2026-11-15T10:02:00Z') }]);
});

it('does not mark a revoked link as opened, even if the record has a new link', async () => {
  const record = { kind: 'calendar', id: randomUUID() };
  const mark = (token: string) => inCompany(ours, (scope) => markLinkOpened(scope, { ...record, token }));
  const token = await inCompany(ours, (scope) => findOrCreatePublicToken(scope, record));
  expect(await mark(token)).toBe(true);
  await inCompany(ours, (scope) => revokePublicLink(scope, record));
  expect(await mark(token)).toBe(false);
  const newToken = await inCompany(ours, (scope) => findOrCreatePublicToken(scope, record));
  expect([await mark(token), await mark(newToken)]).toEqual([false, true]);
});
