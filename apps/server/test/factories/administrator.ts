import { newAddress } from '../accounts.ts';
import { startTestApp, type TestApp } from '../test-app.ts';
import { createPerson, type Person } from './people.ts';

/** A server with its one administrator, who works for no company. */
export async function startAdministeredApp(environment: Record<string, string> = {}): Promise<{ test: TestApp; administrator: Person }> {
  const address = newAddress();
  const test = await startTestApp({ ...environment, ADMIN_EMAIL: address });
  return { test, administrator: await createPerson(test, address) };
}
