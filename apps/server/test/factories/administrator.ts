import { buildTestEmail } from '../accounts.ts';
import { startTestApp, type TestApp } from '../test-app.ts';
import { createPerson, type Person } from './people.ts';

/** Adds a login with a claimed email address, as if the person had set their password through an emailed link. */
export async function markEmailClaimed(test: TestApp, { userId, email }: Person): Promise<void> {
  await test.app.platform.pools.system.query(
    `insert into accounts (id, account_id, provider_id, user_id, claimed_email) values (gen_random_uuid(), $1::uuid::text, 'credential', $1, $2)`,
    [userId, email],
  );
}

/** Starts a server and creates the server's system administrator, who belongs to no company. */
export async function startAppWithAdministrator(
  environment: Record<string, string> = {},
): Promise<{ test: TestApp; administrator: Person }> {
  const email = buildTestEmail();
  const test = await startTestApp({ ...environment, ADMIN_EMAIL: email });
  const administrator = await createPerson(test, email);
  await markEmailClaimed(test, administrator);
  return { test, administrator };
}
