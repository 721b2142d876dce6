import { uniqueEmail } from '../accounts.ts';
import { startTestApp, type TestApp } from '../test-app.ts';
import { createPerson, type Person } from './people.ts';

/** As after setting a password through a link mailed to their email. */
export async function claim(test: TestApp, { userId, email }: Person): Promise<void> {
  await test.app.platform.pools.system.query(
    `insert into accounts (id, account_id, provider_id, user_id, claimed_email) values (gen_random_uuid(), $1::uuid::text, 'credential', $1, $2)`,
    [userId, email],
  );
}

/** A server with its administrator, who works for no company. */
export async function startAdministeredApp(environment: Record<string, string> = {}): Promise<{ test: TestApp; administrator: Person }> {
  const email = uniqueEmail();
  const test = await startTestApp({ ...environment, ADMIN_EMAIL: email });
  const administrator = await createPerson(test, email);
  await claim(test, administrator);
  return { test, administrator };
}
