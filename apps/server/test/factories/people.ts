import { randomBytes, randomUUID } from 'node:crypto';
import type { ContractClient } from '@callout/contract/contract';
import { ROLES, type Role } from '@callout/domain/roles/roles';
import { mintTenant } from '../../src/platform/db/mint-tenant.ts';
import type { Tenant } from '../../src/platform/db/tenant-scope.ts';
import type { TestApp } from '../test-app.ts';

export interface Person {
  readonly userId: string;
  readonly email: string;
  readonly cookie: string;
  readonly client: ContractClient;
}

export interface Firm {
  readonly companyId: string;
  readonly people: Readonly<Record<Role, Person>>;
}

/** The company as one of its people, for what no call does. */
export function tenantOf({ companyId, people }: Firm, role: Role = 'admin'): Tenant {
  const { userId, email } = people[role];
  const actor = {
    kind: 'person' as const,
    userId,
    email,
    emailVerified: true,
    sessionId: randomUUID(),
    member: { companyId, staffId: randomUUID(), role },
  };
  return mintTenant(companyId, actor, new Date().toISOString());
}

/** A person with a session and no company. */
export async function createPerson({ app, client }: TestApp, email = `p-${randomBytes(6).toString('hex')}@example.com`): Promise<Person> {
  const { pools, sessionCookie } = app.platform;
  const userId = randomUUID();
  const token = randomBytes(24).toString('base64url');
  await pools.system.query('insert into users (id, name, email, email_verified) values ($1, $2, $3, true)', [
    userId,
    email.split('@')[0],
    email,
  ]);
  await createSession({ app }, userId, token);
  const cookie = sessionCookie.renewed(token).split(';', 1)[0] ?? '';
  return { userId, email, cookie, client: client(cookie) };
}

/** Returns its id. */
export async function createSession({ app }: Pick<TestApp, 'app'>, userId: string, token: string = randomUUID()): Promise<string> {
  const id = randomUUID();
  const insert = `insert into sessions (id, token, user_id, expires_at) values ($1, $2, $3, now() + interval '30 days')`;
  await app.platform.pools.system.query(insert, [id, token, userId]);
  return id;
}

/** A company after onboarding, with a person of every role. */
export async function createFirm(test: TestApp, name = 'Tane Plumbing'): Promise<Firm> {
  const companyId = randomUUID();
  const { system } = test.app.platform.pools;
  await system.query(
    'insert into companies (company_id, company_name, currency, gst_percentage, onboarding_completed) values ($1, $2, $3, 15, true)',
    [companyId, name, 'NZD'],
  );
  const members = await Promise.all(ROLES.map(async (role) => [role, await hire(test, companyId, role)] as const));
  return { companyId, people: Object.fromEntries(members) as Record<Role, Person> };
}

export async function hire(test: TestApp, companyId: string, role: Role): Promise<Person> {
  const person = await createPerson(test);
  await test.app.platform.pools.system.query(
    'insert into staff_members (company_id, id, profile_id, name, email, role) values ($1, $2, $3, $4, $5, $6)',
    [companyId, randomUUID(), person.userId, `The ${role}`, person.email, role],
  );
  return person;
}
