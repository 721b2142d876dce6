import { beforeAll, expect, it } from 'vitest';
import { insertCustomers } from '../../../test/factories/customer-rows.ts';
import { newCustomer } from '../../../test/factories/inputs.ts';
import { createFirm, type Firm } from '../../../test/factories/people.ts';
import { capturePlans } from '../../../test/query-plans.ts';
import { startTestApp, type TestApp } from '../../../test/test-app.ts';

let test: TestApp;
let plans: Awaited<ReturnType<typeof capturePlans>>;
let firm: Firm;

beforeAll(async () => {
  test = await startTestApp();
  plans = await capturePlans(test, 'customers');
  firm = await createFirm(test);
});

const admin = () => firm.people.admin.client.customers;

async function addCustomer(name: string, contact: { phone: string; email: string }): Promise<string> {
  const { id } = await admin().create(newCustomer({ name, ...contact }));
  return id;
}

it('a phone number is found by its digits, however it is written', async () => {
  const id = await addCustomer('Ana', { phone: '021 555 123', email: 'a1@example.com' });
  for (const phone of ['021555123', '(021) 555-123', ' 021.555.123 ']) {
    expect(await admin().duplicates({ phone })).toEqual({ rows: [{ id, name: 'Ana', company_name: null, same: 'phone' }] });
  }
  expect(await admin().duplicates({ phone: '021 555 12' })).toEqual({ rows: [] });
});

it('a phone number is found with and without its country code', async () => {
  const id = await addCustomer('Aroha', { phone: '+64 9 555 0100', email: 'aroha@example.com' });
  const other = await addCustomer('Other city', { phone: '04 555 0100', email: 'other-city@example.com' });
  expect((await admin().duplicates({ phone: '09 555 0100' })).rows).toMatchObject([{ id, same: 'phone' }]);
  expect((await admin().duplicates({ phone: '0064 4 555-0100' })).rows).toMatchObject([{ id: other, same: 'phone' }]);
  expect(await admin().duplicates({ phone: '555 0100' })).toEqual({ rows: [] });
});

it('an email is found in upper and lower case', async () => {
  const id = await addCustomer('Bea', { phone: '1', email: 'Bea@Example.com' });
  expect(await admin().duplicates({ email: 'bEA@example.COM' })).toMatchObject({ rows: [{ id, same: 'email' }] });
  expect(await admin().duplicates({ email: 'ea@example.com' })).toEqual({ rows: [] });
});

it('phone and email may belong to different customers, of which the oldest come first', async () => {
  const second = await addCustomer('Second', { phone: '03 100 200', email: 'second@example.com' });
  await addCustomer('Third', { phone: '03 100 200', email: 'third@example.com' });
  const first = await addCustomer('First', { phone: '03 100 200', email: 'first@example.com' });
  await test.app.platform.pools.system.query(`update customers set created_at = '2020-01-01' where id = $1`, [first]);
  const { rows } = await admin().duplicates({ phone: '03-100-200', email: 'second@example.com' });
  expect(rows.map(({ id, same }) => [id, same])).toEqual([
    [first, 'phone'],
    [second, 'phone'],
    [second, 'email'],
  ]);
});

it('after an edit only the new phone and email are found', async () => {
  const { version, ...customer } = await admin().create(newCustomer({ phone: '04 111 222', email: 'before@example.com' }));
  await admin().update({ ...customer, type: 'individual', version, phone: '04 333 444', email: 'after@example.com' });
  expect(await admin().duplicates({ phone: '04111222', email: 'before@example.com' })).toEqual({ rows: [] });
  expect((await admin().duplicates({ phone: '04333444', email: 'after@example.com' })).rows).toHaveLength(2);
});

it('a number is found among many older ones that end in the same digits', async () => {
  const older = Array.from({ length: 60 }, (_, index) => ({
    name: `Older ${index}`,
    phone: `0${10 + index} 666 7777`,
    created_at: '2020-01-01T00:00:00Z',
  }));
  await insertCustomers(test, firm.companyId, older);
  const id = await addCustomer('Dora', { phone: '+64 99 666 7777', email: 'dora@example.com' });
  for (const phone of ['+64 99 666 7777', '099 666 7777']) {
    expect((await admin().duplicates({ phone })).rows).toMatchObject([{ id, same: 'phone' }]);
  }
});

it('a phone without digits, and an empty query, find nobody', async () => {
  await addCustomer('No phone', { phone: 'none', email: 'none@example.com' });
  expect(await admin().duplicates({ phone: 'unknown' })).toEqual({ rows: [] });
  expect(await admin().duplicates({})).toEqual({ rows: [] });
});

it('everyone who may see customers can look for duplicates, but not in another company', async () => {
  const other = await createFirm(test, 'Other');
  await addCustomer('Cara', { phone: '09 777 888', email: 'cara@example.com' });
  const asked = { phone: '09777888', email: 'cara@example.com' };
  expect((await firm.people.staff.client.customers.duplicates(asked)).rows).toHaveLength(2);
  expect(await other.people.admin.client.customers.duplicates(asked)).toEqual({ rows: [] });
});

it('both are looked up in their index, however many customers there are', async () => {
  const rows = Array.from({ length: 3_000 }, (_, index) => ({ name: `Customer ${index}`, phone: `07 ${index}` }));
  await insertCustomers(test, firm.companyId, rows);
  await test.owner.query('vacuum analyze customers');
  const plan = await plans.during(() => admin().duplicates({ phone: '07 1500', email: 'cara@example.com' }));
  expect(plan).toContain('customers_by_phone');
  expect(plan).toContain('customers_by_email');
  expect(plan).not.toMatch(/Seq Scan on customers|Rows Removed/);
});
