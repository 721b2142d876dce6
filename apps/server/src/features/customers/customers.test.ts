import { randomUUID } from 'node:crypto';
import type { Customer } from '@callout/contract/customers';
import { beforeAll, describe, expect, it } from 'vitest';
import { withOwnerClient } from '../../../test/database.ts';
import { buildCustomer, type NewCustomerInput } from '../../../test/factories/inputs.ts';
import { createFirm, type Firm } from '../../../test/factories/people.ts';
import { startTestApp, type TestApp } from '../../../test/test-app.ts';

let test: TestApp;
let firm: Firm;

beforeAll(async () => {
  test = await startTestApp();
  firm = await createFirm(test);
});

const admin = () => firm.people.admin.client.customers;

const COMPANY_FIELDS = {
  type: 'company',
  company_name: 'Harbour Cafe Ltd',
  contact_name: 'Mere Tane',
  contact_email: 'mere@harbour.example',
  contact_phone: '09 300 1000',
} as const;

const buildInvalidInput = (fields: Record<string, string>) => ({ code: 'INVALID_INPUT', status: 422, data: { fields } });

async function readStoredRow(id: string): Promise<Record<string, unknown> | undefined> {
  const { rows } = await test.app.platform.pools.system.query<Record<string, unknown>>('select * from customers where id = $1', [id]);
  return rows[0];
}

function buildEdit(customer: Customer, overrides: Partial<Parameters<ReturnType<typeof admin>['update']>[0]> = {}) {
  const type = customer.company_name === null ? 'individual' : 'company';
  return { ...customer, type, ...overrides } as const;
}

describe('adding a customer', () => {
  it('creates an active customer with version 1 and no last interaction', async () => {
    const input = buildCustomer();
    const created = await admin().create(input);
    expect(created).toEqual({
      id: input.id,
      name: 'Ana Ruiz',
      email: 'ana@example.com',
      phone: '021 555 123',
      address: '1 Queen Street, Auckland',
      notes: null,
      company_name: null,
      contact_name: null,
      contact_email: null,
      contact_phone: null,
      status: 'active',
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      last_interaction: null,
      updated_at: created.created_at,
      version: 1,
    });
    expect(await admin().get({ id: input.id })).toEqual(created);
  });

  it('records the author and company from the session, not from the request', async () => {
    const body = { ...buildCustomer(), user_id: firm.people.staff.userId, company_id: randomUUID(), version: 7, color: 'red' };
    const { statusCode } = await test.request('POST', '/api/customers', { cookie: firm.people.manager.cookie, body });
    expect(statusCode).toBe(201);
    expect(await readStoredRow(body.id)).toMatchObject({
      user_id: firm.people.manager.userId,
      company_id: firm.companyId,
      status: 'active',
      version: 1,
    });
  });

  it('stores the chosen status', async () => {
    const created = await admin().create(buildCustomer({ status: 'inactive' }));
    expect(created.status).toBe('inactive');
    expect(await admin().count({ status: 'inactive', search: created.name })).toEqual({ total: 1 });
  });

  it.each(['foo', '', null, 1])('rejects the status %j and adds nothing', async (status) => {
    const body = { ...buildCustomer(), status };
    const response = await test.request('POST', '/api/customers', { cookie: firm.people.admin.cookie, body });
    expect([response.statusCode, response.json()]).toMatchObject([
      422,
      { code: 'INVALID_INPUT', data: { fields: { status: 'Please choose a status' } } },
    ]);
    expect(await readStoredRow(body.id)).toBeUndefined();
  });

  it('trims input and stores empty values as null', async () => {
    const created = await admin().create(buildCustomer({ name: '  Ana Ruiz \n', email: ' ana@example.com ', notes: '   ' }));
    expect(created).toMatchObject({ name: 'Ana Ruiz', email: 'ana@example.com', notes: null });
  });

  it('stores accents, quotes, markup and line breaks unchanged', async () => {
    const typed = { name: `Zoë "O'Brien" <b>`, notes: 'Gate code 1234\n<script>alert(1)</script>\t🧰' };
    expect(await admin().create(buildCustomer(typed))).toMatchObject(typed);
  });

  it('stores the company fields of a company', async () => {
    const { type: _, ...stored } = COMPANY_FIELDS;
    expect(await admin().create(buildCustomer(COMPANY_FIELDS))).toMatchObject(stored);
  });

  it('discards company fields that were filled in before the type was changed to individual', async () => {
    const created = await admin().create(buildCustomer({ ...COMPANY_FIELDS, type: 'individual' }));
    expect(created).toMatchObject({ company_name: null, contact_name: null, contact_email: null, contact_phone: null });
  });

  it.each([
    ['name', 'Name is required'],
    ['email', 'Email is required'],
    ['phone', 'Phone is required'],
    ['address', 'Street address is required'],
  ])('requires the %s', async (field, message) => {
    const input = buildCustomer({ [field]: ' ' });
    await expect(admin().create(input)).rejects.toMatchObject(buildInvalidInput({ [field]: message }));
    expect(await readStoredRow(input.id)).toBeUndefined();
  });

  it('reports every invalid field at once', async () => {
    const fields = { name: 'Name is required', email: 'Please enter a valid email address', phone: 'Phone is required' };
    await expect(admin().create(buildCustomer({ name: '', email: 'abc', phone: '' }))).rejects.toMatchObject(buildInvalidInput(fields));
  });

  it('requires a company name for a company', async () => {
    const input = buildCustomer({ ...COMPANY_FIELDS, company_name: '' });
    await expect(admin().create(input)).rejects.toMatchObject(buildInvalidInput({ company_name: 'Company name is required' }));
  });

  it('rejects an invalid contact email', async () => {
    const input = buildCustomer({ ...COMPANY_FIELDS, contact_email: 'mere@harbour' });
    await expect(admin().create(input)).rejects.toMatchObject(buildInvalidInput({ contact_email: 'Please enter a valid email address' }));
  });
});

describe('sending the same create request twice', () => {
  it('creates one customer', async () => {
    const input = buildCustomer(COMPANY_FIELDS);
    const first = await admin().create(input);
    expect(await admin().create(input)).toEqual(first);
  });

  it('creates one customer when the requests are concurrent', async () => {
    const input = buildCustomer();
    const created = await Promise.all([1, 2, 3, 4].map(() => admin().create(input)));
    expect(new Set(created.map((customer) => JSON.stringify(customer))).size).toBe(1);
  });

  it.each<[string, Partial<NewCustomerInput>]>([
    ['another name', { name: 'Ben Ruiz' }],
    ['other notes', { notes: 'Dog bites' }],
    ['a company', COMPANY_FIELDS],
    ['another status', { status: 'inactive' }],
  ])('with %s is rejected and changes nothing', async (_, other) => {
    const input = buildCustomer();
    const first = await admin().create(input);
    await expect(admin().create({ ...input, ...other })).rejects.toMatchObject({ code: 'ID_TAKEN', status: 409 });
    expect(await admin().get({ id: input.id })).toEqual(first);
  });

  it('returns the edited customer if a colleague changed it between the two requests', async () => {
    const input = buildCustomer();
    const first = await admin().create(input);
    const changed = await firm.people.staff.client.customers.update(buildEdit(first, { notes: 'Dog bites' }));
    expect(await admin().create(input)).toEqual(changed);
  });

  it('is rejected for another person, even after the customer was edited', async () => {
    const input = buildCustomer();
    const changed = await admin().update(buildEdit(await admin().create(input), { notes: 'Dog bites' }));
    await expect(firm.people.staff.client.customers.create(input)).rejects.toMatchObject({ code: 'ID_TAKEN' });
    expect(await admin().get({ id: input.id })).toEqual(changed);
  });

  it('creates separate customers when two companies use the same id', async () => {
    const other = await createFirm(test, 'Other');
    const input = buildCustomer();
    await admin().create(input);
    await other.people.admin.client.customers.create({ ...input, name: 'Theirs' });
    expect(await admin().get({ id: input.id })).toMatchObject({ name: 'Ana Ruiz' });
    expect(await other.people.admin.client.customers.get({ id: input.id })).toMatchObject({ name: 'Theirs' });
  });
});

it('never reports a violation of another unique index as a taken id', async () => {
  const other = await createFirm(test, 'Numbered');
  const { client } = other.people.admin;
  await client.customers.create(buildCustomer({ phone: 'no. 1' }));
  await withOwnerClient(test.database, (owner) =>
    owner.query(`create unique index customers_by_number on customers (company_id, phone)
    where company_id = '${other.companyId}'`),
  );
  const second = buildCustomer({ phone: 'no. 1' });
  await expect(client.customers.create(second)).rejects.toMatchObject({ code: 'INTERNAL' });
  await withOwnerClient(test.database, (owner) => owner.query('drop index customers_by_number'));
  expect(await readStoredRow(second.id)).toBeUndefined();
});

describe('editing a customer', () => {
  it('saves every field, increments the version and updates the last interaction', async () => {
    const created = await admin().create(buildCustomer());
    const typed = { ...COMPANY_FIELDS, name: 'Ana R.', email: 'a@b.co', phone: '1', address: '2 Hill Road', notes: 'Key at reception' };
    const updated = await admin().update({ id: created.id, version: 1, status: 'inactive', ...typed });
    const { type: _, ...stored } = typed;
    expect(updated).toMatchObject({ ...stored, status: 'inactive', version: 2, created_at: created.created_at });
    expect(updated.last_interaction).toBe(updated.updated_at);
    expect(updated.updated_at >= created.updated_at).toBe(true);
    expect(await admin().get({ id: created.id })).toEqual(updated);
  });

  it('clears the four company fields when the type changes from company to individual', async () => {
    const created = await admin().create(buildCustomer(COMPANY_FIELDS));
    const updated = await admin().update(buildEdit(created, { type: 'individual' }));
    expect(updated).toMatchObject({ company_name: null, contact_name: null, contact_email: null, contact_phone: null });
  });

  it('makes the customer searchable by the new name, and no longer by the old one', async () => {
    const created = await admin().create(buildCustomer({ name: 'Oldname' }));
    await admin().update(buildEdit(created, { name: 'Newname' }));
    expect(await admin().count({ search: 'newname' })).toEqual({ total: 1 });
    expect(await admin().count({ search: 'oldname' })).toEqual({ total: 0 });
  });

  it('is rejected with the current record if the version is outdated', async () => {
    const created = await admin().create(buildCustomer());
    const saved = await admin().update(buildEdit(created, { notes: 'From the office' }));
    const late = firm.people.staff.client.customers.update(buildEdit(created, { notes: 'From the van' }));
    await expect(late).rejects.toMatchObject({ code: 'STALE_VERSION', status: 409, data: { current: saved } });
    expect(await admin().get({ id: created.id })).toEqual(saved);
  });

  it('saves one of two concurrent edits and rejects the other', async () => {
    const created = await admin().create(buildCustomer());
    const [first, second] = await Promise.allSettled(['A', 'B'].map((notes) => admin().update(buildEdit(created, { notes }))));
    const [saved, rejected] = first?.status === 'fulfilled' ? [first, second] : [second, first];
    if (saved?.status !== 'fulfilled' || rejected?.status !== 'rejected') throw new Error('Expected one edit to be saved and one rejected');
    expect(rejected.reason).toMatchObject({ code: 'STALE_VERSION', data: { current: saved.value } });
    expect(await admin().get({ id: created.id })).toEqual(saved.value);
  });

  it.each([
    ['status', { status: 'foo' }, 'Please choose a status'],
    ['type', { type: 'foo' }, 'Please choose a type'],
    ['name', { name: '' }, 'Name is required'],
  ])('reports an invalid %s and changes nothing', async (field, overrides, message) => {
    const created = await admin().create(buildCustomer());
    const body = { ...buildEdit(created), ...overrides };
    const response = await test.request('PUT', `/api/customers/${created.id}`, { cookie: firm.people.admin.cookie, body });
    expect(response.json()).toMatchObject({ code: 'INVALID_INPUT', data: { fields: { [field]: message } } });
    expect(await admin().get({ id: created.id })).toEqual(created);
  });

  it('returns 404 if the customer was deleted', async () => {
    const created = await admin().create(buildCustomer());
    await admin().remove({ id: created.id });
    await expect(admin().update(buildEdit(created))).rejects.toMatchObject({ code: 'NOT_FOUND', message: 'Customer not found' });
  });
});

describe('deleting a customer', () => {
  it.each(['admin', 'manager'] as const)('is allowed for the role %s, and fails the second time', async (role) => {
    const { id } = await admin().create(buildCustomer());
    const { client } = firm.people[role];
    await client.customers.remove({ id });
    await expect(client.customers.remove({ id })).rejects.toMatchObject({ code: 'NOT_FOUND', status: 404 });
    await expect(client.customers.get({ id })).rejects.toMatchObject({ code: 'NOT_FOUND', status: 404 });
    await expect.poll(() => readStoredRow(id)).toBeUndefined();
  });

  it.each(['accountant', 'staff'] as const)('is forbidden for the role %s, which can still edit', async (role) => {
    const created = await admin().create(buildCustomer());
    const { client } = firm.people[role];
    const forbidden = { code: 'FORBIDDEN', message: 'You do not have permission to delete customers' };
    await expect(client.customers.remove({ id: created.id })).rejects.toMatchObject(forbidden);
    expect(await client.customers.update(buildEdit(created, { name: 'Edited' }))).toMatchObject({ name: 'Edited' });
  });

  it('fails for one of two people who delete the customer at the same time', async () => {
    const { id } = await admin().create(buildCustomer());
    const outcomes = await Promise.allSettled([1, 2].map(() => admin().remove({ id })));
    expect(outcomes.map((outcome) => outcome.status).toSorted()).toEqual(['fulfilled', 'rejected']);
  });

  it('is not triggered by deleting the person who added the customer', async () => {
    const { staff } = (await createFirm(test)).people;
    const { id } = await staff.client.customers.create(buildCustomer());
    await test.app.platform.pools.system.query('delete from users where id = $1', [staff.userId]);
    expect(await readStoredRow(id)).toMatchObject({ user_id: staff.userId, name: 'Ana Ruiz' });
  });
});

it('distinguishes an unknown customer from an invalid id', async () => {
  await expect(admin().get({ id: randomUUID() })).rejects.toMatchObject({ code: 'NOT_FOUND', message: 'Customer not found' });
  await expect(admin().get({ id: 'none' })).rejects.toMatchObject(buildInvalidInput({ id: 'This is not a valid id' }));
});
