import { beforeAll, expect, it } from 'vitest';
import { untilBlocked, withOwner } from '../../../test/database.ts';
import { newCustomer } from '../../../test/factories/customers.ts';
import { createFirm, type Firm } from '../../../test/factories/people.ts';
import { startTestApp, type TestApp } from '../../../test/test-app.ts';

let test: TestApp;

beforeAll(async () => {
  test = await startTestApp();
});

/** Adds a customer while a deletion is under way that is committed before the customer is. */
async function addDuring(firm: Firm, deletion: string, id: string): Promise<unknown> {
  return withOwner(test.database, async (owner) => {
    await owner.query('begin');
    await owner.query(deletion, [id]);
    const adding = firm.people.staff.client.customers.create(newCustomer()).catch((error: unknown) => error);
    await untilBlocked(test.database);
    await owner.query('commit');
    return adding;
  });
}

it.each([
  ['company', 'delete from companies where company_id = $1', (firm: Firm) => firm.companyId],
  ['login', 'delete from users where id = $1', (firm: Firm) => firm.people.staff.userId],
])('what is saved while its %s is being deleted is refused as signed out', async (_, deletion, idOf) => {
  const firm = await createFirm(test);
  expect(await addDuring(firm, deletion, idOf(firm))).toMatchObject({ code: 'UNAUTHENTICATED', status: 401 });
});
