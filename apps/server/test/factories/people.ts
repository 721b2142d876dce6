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

/** Builds the tenant of one of the firm's people, for tests that call SQL functions directly. */
export function toTenant({ companyId, people }: Firm, role: Role = 'admin'): Tenant {
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

/** Creates a signed-in person without a company. */
export async function createPerson(test: TestApp, email = buildPersonEmail()): Promise<Person> {
  const [person] = await createPeople(test, [email]);
  if (!person) throw new Error(`${email} was not created`);
  return person;
}

const buildPersonEmail = () => `p-${randomBytes(6).toString('hex')}@example.com`;

/** Creates all people in a single statement. Nearly every test creates a firm, so this must be fast. */
async function createPeople({ app, client }: TestApp, emails: readonly string[]): Promise<Person[]> {
  const { pools, sessionCookie } = app.platform;
  const people = emails.map((email) => ({ userId: randomUUID(), email, token: randomBytes(24).toString('base64url') }));
  await pools.system.query(
    `with people as (select * from unnest($1::uuid[], $2::text[], $3::text[]) as people (id, email, token)),
      logins as (insert into users (id, name, email, email_verified) select id, split_part(email, '@', 1), email, true from people)
      insert into sessions (id, token, user_id, expires_at) select gen_random_uuid(), token, id, now() + interval '30 days' from people`,
    [people.map(({ userId }) => userId), emails, people.map(({ token }) => token)],
  );
  return people.map(({ userId, email, token }) => {
    const cookie = sessionCookie.buildSetCookie(token).split(';', 1)[0] ?? '';
    return { userId, email, cookie, client: client(cookie) };
  });
}

/** Creates a session and returns the session's id. */
export async function createSession({ app }: Pick<TestApp, 'app'>, userId: string, token: string = randomUUID()): Promise<string> {
  const id = randomUUID();
  const insertSession = `insert into sessions (id, token, user_id, expires_at) values ($1, $2, $3, now() + interval '30 days')`;
  await app.platform.pools.system.query(insertSession, [id, token, userId]);
  return id;
}

/** Creates a company that has completed onboarding, with one signed-in person for each role. */
export async function createFirm(test: TestApp, name = 'Tane Plumbing'): Promise<Firm> {
  const companyId = randomUUID();
  const { system } = test.app.platform.pools;
  await system.query(
    'insert into companies (company_id, company_name, currency, gst_percentage, onboarding_completed) values ($1, $2, $3, 15, true)',
    [companyId, name, 'NZD'],
  );
  const people = await addStaffMembers(test, companyId, ROLES);
  return { companyId, people: Object.fromEntries(ROLES.map((role, index) => [role, people[index]])) as Record<Role, Person> };
}

export async function addStaffMember(test: TestApp, companyId: string, role: Role): Promise<Person> {
  const [person] = await addStaffMembers(test, companyId, [role]);
  if (!person) throw new Error(`The ${role} was not created`);
  return person;
}

/** Adds one staff member per role and returns them in the order of `roles`. */
async function addStaffMembers(test: TestApp, companyId: string, roles: readonly Role[]): Promise<Person[]> {
  const people = await createPeople(test, roles.map(buildPersonEmail));
  await test.app.platform.pools.system.query(
    `insert into staff_members (company_id, id, profile_id, name, email, role)
      select $1, gen_random_uuid(), id, 'The ' || role, email, role from unnest($2::uuid[], $3::text[], $4::text[]) as person (id, email, role)`,
    [companyId, people.map(({ userId }) => userId), people.map(({ email }) => email), roles],
  );
  return people;
}
