import { beforeAll, expect, it } from 'vitest';
import { insertCustomers } from '../../../test/factories/customer-rows.ts';
import { buildCustomer } from '../../../test/factories/inputs.ts';
import { createFirm, type Firm } from '../../../test/factories/people.ts';
import { captureQueryPlans } from '../../../test/query-plans.ts';
import { startTestApp, type TestApp } from '../../../test/test-app.ts';

let test: TestApp;
let plans: Awaited<ReturnType<typeof captureQueryPlans>>;
let firm: Firm;

beforeAll(async () => {
  test = await startTestApp();
  plans = await captureQueryPlans(test, 'customers');
  firm = await createFirm(test);
});

const admin = () => firm.people.admin.client.customers;

async function createCustomer(name: string, contact: { phone: string; email: string }): Promise<string> {
  const { id } = await admin().create(buildCustomer({ name, ...contact }));
  return id;
}

it('finds a phone number by its digits, regardless of formatting', async () => {
  const id = await createCustomer('Ana', { phone: '021 555 123', email: 'a1@example.com' });
  for (const phone of ['021555123', '(021) 555-123', ' 021.555.123 ']) {
    expect(await admin().duplicates({ phone })).toEqual({ rows: [{ id, name: 'Ana', company_name: null, same: 'phone' }] });
  }
  expect(await admin().duplicates({ phone: '021 555 12' })).toEqual({ rows: [] });
});

it('finds a phone number with or without its country code', async () => {
  const id = await createCustomer('Aroha', { phone: '+64 9 555 0100', email: 'aroha@example.com' });
  const other = await createCustomer('Other city', { phone: '04 555 0100', email: 'other-city@example.com' });
  expect((await admin().duplicates({ phone: '09 555 0100' })).rows).toMatchObject([{ id, same: 'phone' }]);
  expect((await admin().duplicates({ phone: '0064 4 555-0100' })).rows).toMatchObject([{ id: other, same: 'phone' }]);
  expect(await admin().duplicates({ phone: '555 0100' })).toEqual({ rows: [] });
});

it('finds an email address regardless of case', async () => {
  const id = await createCustomer('Bea', { phone: '1', email: 'Bea@Example.com' });
  expect(await admin().duplicates({ email: 'bEA@example.COM' })).toMatchObject({ rows: [{ id, same: 'email' }] });
  expect(await admin().duplicates({ email: 'ea@example.com' })).toEqual({ rows: [] });
});

it('finds different customers by phone and email, oldest first', async () => {
  const second = await createCustomer('Second', { phone: '03 100 200', email: 'second@example.com' });
  await createCustomer('Third', { phone: '03 100 200', email: 'third@example.com' });
  const first = await createCustomer('First', { phone: '03 100 200', email: 'first@example.com' });
  await test.app.platform.pools.system.query(`update customers set created_at = '2020-01-01' where id = $1`, [first]);
  const { rows } = await admin().duplicates({ phone: '03-100-200', email: 'second@example.com' });
  expect(rows.map(({ id, same }) => [id, same])).toEqual([
    [first, 'phone'],
    [second, 'phone'],
    [second, 'email'],
  ]);
});

it('finds a customer only by the new phone number and email address after an edit', async () => {
  const { version, ...customer } = await admin().create(buildCustomer({ phone: '04 111 222', email: 'before@example.com' }));
  await admin().update({ ...customer, type: 'individual', version, phone: '04 333 444', email: 'after@example.com' });
  expect(await admin().duplicates({ phone: '04111222', email: 'before@example.com' })).toEqual({ rows: [] });
  expect((await admin().duplicates({ phone: '04333444', email: 'after@example.com' })).rows).toHaveLength(2);
});

it('finds a phone number among many older numbers with the same last digits', async () => {
  const older = Array.from({ length: 60 }, (_, index) => ({
    name: `Older ${index}`,
    phone: `0${10 + index} 666 7777`,
    created_at: '2020-01-01T00:00:00Z',
  }));
  await insertCustomers(test, firm.companyId, older);
  const id = await createCustomer('Dora', { phone: '+64 99 666 7777', email: 'dora@example.com' });
  for (const phone of ['+64 99 666 7777', '099 666 7777']) {
    expect((await admin().duplicates({ phone })).rows).toMatchObject([{ id, same: 'phone' }]);
  }
});

it('finds no customer for an empty query or a phone number without digits', async () => {
  await createCustomer('No phone', { phone: 'none', email: 'none@example.com' });
  expect(await admin().duplicates({ phone: 'unknown' })).toEqual({ rows: [] });
  expect(await admin().duplicates({})).toEqual({ rows: [] });
});

it('lets staff search for duplicates, but not in another company', async () => {
  const other = await createFirm(test, 'Other');
  await createCustomer('Cara', { phone: '09 777 888', email: 'cara@example.com' });
  const contact = { phone: '09777888', email: 'cara@example.com' };
  expect((await firm.people.staff.client.customers.duplicates(contact)).rows).toHaveLength(2);
  expect(await other.people.admin.client.customers.duplicates(contact)).toEqual({ rows: [] });
});

it('uses indexes to look up phone numbers and email addresses', async () => {
  const rows = Array.from({ length: 3_000 }, (_, index) => ({ name: `Customer ${index}`, phone: `07 ${index}` }));
  await insertCustomers(test, firm.companyId, rows);
  await test.owner.query('vacuum analyze customers');
  const plan = await plans.during(() => admin().duplicates({ phone: '07 1500', email: 'cara@example.com' }));
  expect(plan).toContain('customers_by_phone');
  expect(plan).toContain('customers_by_email');
  expect(plan).not.toMatch(/Seq Scan on customers|Rows Removed/);
});
