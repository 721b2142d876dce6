import { randomUUID } from 'node:crypto';
import type { Customer } from '@callout/contract/customers';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { waitUntilBlocked, withOwner } from '../../../test/database.ts';
import { type NewCustomerInput, newCustomer } from '../../../test/factories/inputs.ts';
import { createFirm, type Firm } from '../../../test/factories/people.ts';
import { startTestApp, type TestApp } from '../../../test/test-app.ts';

let test: TestApp;
let firm: Firm;

beforeAll(async () => {
  test = await startTestApp();
  firm = await createFirm(test);
});

const admin = () => firm.people.admin.client.customers;

const COMPANY = {
  type: 'company',
  company_name: 'Harbour Cafe Ltd',
  contact_name: 'Mere Tane',
  contact_email: 'mere@harbour.example',
  contact_phone: '09 300 1000',
} as const;

const wrong = (fields: Record<string, string>) => ({ code: 'INVALID_INPUT', status: 422, data: { fields } });

async function storedRow(id: string): Promise<Record<string, unknown> | undefined> {
  const { rows } = await test.app.platform.pools.system.query<Record<string, unknown>>('select * from customers where id = $1', [id]);
  return rows[0];
}

/** An edit that changes only what the test is about. */
function edit(customer: Customer, over: Partial<Parameters<ReturnType<typeof admin>['update']>[0]> = {}) {
  const type = customer.company_name === null ? 'individual' : 'company';
  return { ...customer, type, ...over } as const;
}

describe('adding a customer', () => {
  it('creates an active customer at version 1 without any interaction', async () => {
    const input = newCustomer();
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

  it('records who added it, whatever the request says', async () => {
    const body = { ...newCustomer(), user_id: firm.people.staff.userId, company_id: randomUUID(), version: 7, color: 'red' };
    const { statusCode } = await test.request('POST', '/api/customers', { cookie: firm.people.manager.cookie, body });
    expect(statusCode).toBe(201);
    expect(await storedRow(body.id)).toMatchObject({
      user_id: firm.people.manager.userId,
      company_id: firm.companyId,
      status: 'active',
      version: 1,
    });
  });

  it('keeps the chosen status', async () => {
    const created = await admin().create(newCustomer({ status: 'inactive' }));
    expect(created.status).toBe('inactive');
    expect(await admin().count({ status: 'inactive', search: created.name })).toEqual({ total: 1 });
  });

  it.each(['foo', '', null, 1])('refuses the status %j like an edit does, and adds nothing', async (status) => {
    const body = { ...newCustomer(), status };
    const answer = await test.request('POST', '/api/customers', { cookie: firm.people.admin.cookie, body });
    expect([answer.statusCode, answer.json()]).toMatchObject([
      422,
      { code: 'INVALID_INPUT', data: { fields: { status: 'Please choose a status' } } },
    ]);
    expect(await storedRow(body.id)).toBeUndefined();
  });

  it('trims input and stores empty values as absent', async () => {
    const created = await admin().create(newCustomer({ name: '  Ana Ruiz \n', email: ' ana@example.com ', notes: '   ' }));
    expect(created).toMatchObject({ name: 'Ana Ruiz', email: 'ana@example.com', notes: null });
  });

  it('keeps accents, quotes, markup and line breaks as typed', async () => {
    const typed = { name: `Zoë "O'Brien" <b>`, notes: 'Gate code 1234\n<script>alert(1)</script>\t🧰' };
    expect(await admin().create(newCustomer(typed))).toMatchObject(typed);
  });

  it('keeps the company fields of a company', async () => {
    const { type: _, ...stored } = COMPANY;
    expect(await admin().create(newCustomer(COMPANY))).toMatchObject(stored);
  });

  it('drops company fields typed before the type was changed to individual', async () => {
    const created = await admin().create(newCustomer({ ...COMPANY, type: 'individual' }));
    expect(created).toMatchObject({ company_name: null, contact_name: null, contact_email: null, contact_phone: null });
  });

  it.each([
    ['name', 'Name is required'],
    ['email', 'Email is required'],
    ['phone', 'Phone is required'],
    ['address', 'Street address is required'],
  ])('requires the %s', async (field, message) => {
    const input = newCustomer({ [field]: ' ' });
    await expect(admin().create(input)).rejects.toMatchObject(wrong({ [field]: message }));
    expect(await storedRow(input.id)).toBeUndefined();
  });

  it('reports every invalid field at once', async () => {
    const fields = { name: 'Name is required', email: 'Please enter a valid email address', phone: 'Phone is required' };
    await expect(admin().create(newCustomer({ name: '', email: 'abc', phone: '' }))).rejects.toMatchObject(wrong(fields));
  });

  it('requires a company name for a company', async () => {
    const input = newCustomer({ ...COMPANY, company_name: '' });
    await expect(admin().create(input)).rejects.toMatchObject(wrong({ company_name: 'Company name is required' }));
  });

  it('refuses an invalid contact email', async () => {
    const input = newCustomer({ ...COMPANY, contact_email: 'mere@harbour' });
    await expect(admin().create(input)).rejects.toMatchObject(wrong({ contact_email: 'Please enter a valid email address' }));
  });
});

describe('the same request twice', () => {
  it('is one customer', async () => {
    const input = newCustomer(COMPANY);
    const first = await admin().create(input);
    expect(await admin().create(input)).toEqual(first);
  });

  it('is one customer when both arrive at once', async () => {
    const input = newCustomer();
    const created = await Promise.all([1, 2, 3, 4].map(() => admin().create(input)));
    expect(new Set(created.map((customer) => JSON.stringify(customer))).size).toBe(1);
  });

  it.each<[string, Partial<NewCustomerInput>]>([
    ['another name', { name: 'Ben Ruiz' }],
    ['other notes', { notes: 'Dog bites' }],
    ['a company', COMPANY],
    ['another status', { status: 'inactive' }],
  ])('with %s is refused and changes nothing', async (_, other) => {
    const input = newCustomer();
    const first = await admin().create(input);
    await expect(admin().create({ ...input, ...other })).rejects.toMatchObject({ code: 'ID_TAKEN', status: 409 });
    expect(await admin().get({ id: input.id })).toEqual(first);
  });

  it('is recognized after a colleague has changed the customer, who keeps the change', async () => {
    const input = newCustomer();
    const first = await admin().create(input);
    const changed = await firm.people.staff.client.customers.update(edit(first, { notes: 'Dog bites' }));
    expect(await admin().create(input)).toEqual(changed);
  });

  it('by somebody else is refused, also after the customer was changed', async () => {
    const input = newCustomer();
    const changed = await admin().update(edit(await admin().create(input), { notes: 'Dog bites' }));
    await expect(firm.people.staff.client.customers.create(input)).rejects.toMatchObject({ code: 'ID_TAKEN' });
    expect(await admin().get({ id: input.id })).toEqual(changed);
  });

  it('may use an id that another company uses, and neither sees the other', async () => {
    const other = await createFirm(test, 'Other');
    const input = newCustomer();
    await admin().create(input);
    await other.people.admin.client.customers.create({ ...input, name: 'Theirs' });
    expect(await admin().get({ id: input.id })).toMatchObject({ name: 'Ana Ruiz' });
    expect(await other.people.admin.client.customers.get({ id: input.id })).toMatchObject({ name: 'Theirs' });
  });
});

it('a collision other than the id is never reported as a taken id', async () => {
  const other = await createFirm(test, 'Numbered');
  const { client } = other.people.admin;
  await client.customers.create(newCustomer({ phone: 'no. 1' }));
  await withOwner(test.database, (owner) =>
    owner.query(`create unique index customers_by_number on customers (company_id, phone)
    where company_id = '${other.companyId}'`),
  );
  const second = newCustomer({ phone: 'no. 1' });
  await expect(client.customers.create(second)).rejects.toMatchObject({ code: 'INTERNAL' });
  await withOwner(test.database, (owner) => owner.query('drop index customers_by_number'));
  expect(await storedRow(second.id)).toBeUndefined();
});

describe('editing a customer', () => {
  it('saves every field, increments the version and counts as an interaction', async () => {
    const created = await admin().create(newCustomer());
    const typed = { ...COMPANY, name: 'Ana R.', email: 'a@b.co', phone: '1', address: '2 Hill Road', notes: 'Key at reception' };
    const updated = await admin().update({ id: created.id, version: 1, status: 'inactive', ...typed });
    const { type: _, ...stored } = typed;
    expect(updated).toMatchObject({ ...stored, status: 'inactive', version: 2, created_at: created.created_at });
    expect(updated.last_interaction).toBe(updated.updated_at);
    expect(updated.updated_at >= created.updated_at).toBe(true);
    expect(await admin().get({ id: created.id })).toEqual(updated);
  });

  it('clears the four company fields when a company becomes an individual', async () => {
    const created = await admin().create(newCustomer(COMPANY));
    const updated = await admin().update(edit(created, { type: 'individual' }));
    expect(updated).toMatchObject({ company_name: null, contact_name: null, contact_email: null, contact_phone: null });
  });

  it('makes it found under its new name and no longer under the old one', async () => {
    const created = await admin().create(newCustomer({ name: 'Oldname' }));
    await admin().update(edit(created, { name: 'Newname' }));
    expect(await admin().count({ search: 'newname' })).toEqual({ total: 1 });
    expect(await admin().count({ search: 'oldname' })).toEqual({ total: 0 });
  });

  it('from an old version is refused with the saved record, and changes nothing', async () => {
    const created = await admin().create(newCustomer());
    const saved = await admin().update(edit(created, { notes: 'From the office' }));
    const late = firm.people.staff.client.customers.update(edit(created, { notes: 'From the van' }));
    await expect(late).rejects.toMatchObject({ code: 'STALE_VERSION', status: 409, data: { current: saved } });
    expect(await admin().get({ id: created.id })).toEqual(saved);
  });

  it('at the same time saves one edit and refuses the other', async () => {
    const created = await admin().create(newCustomer());
    const [first, second] = await Promise.allSettled(['A', 'B'].map((notes) => admin().update(edit(created, { notes }))));
    const [saved, refused] = first?.status === 'fulfilled' ? [first, second] : [second, first];
    if (saved?.status !== 'fulfilled' || refused?.status !== 'rejected') throw new Error('Both were treated alike');
    expect(refused.reason).toMatchObject({ code: 'STALE_VERSION', data: { current: saved.value } });
    expect(await admin().get({ id: created.id })).toEqual(saved.value);
  });

  it.each([
    ['status', { status: 'foo' }, 'Please choose a status'],
    ['type', { type: 'foo' }, 'Please choose a type'],
    ['name', { name: '' }, 'Name is required'],
  ])('with an invalid %s reports it and changes nothing', async (field, over, message) => {
    const created = await admin().create(newCustomer());
    const body = { ...edit(created), ...over };
    const answer = await test.request('PUT', `/api/customers/${created.id}`, { cookie: firm.people.admin.cookie, body });
    expect(answer.json()).toMatchObject({ code: 'INVALID_INPUT', data: { fields: { [field]: message } } });
    expect(await admin().get({ id: created.id })).toEqual(created);
  });

  it('that was deleted answers 404', async () => {
    const created = await admin().create(newCustomer());
    await admin().remove({ id: created.id });
    await expect(admin().update(edit(created))).rejects.toMatchObject({ code: 'NOT_FOUND', message: 'Customer not found' });
  });
});

describe('deleting a customer', () => {
  it('locks the company first, so that it cannot deadlock with an invoice, which locks the job and then the customer', async () => {
    const { people, companyId } = await createFirm(test);
    const { id } = await people.admin.client.customers.create(newCustomer());
    const other = await test.owner.connect();
    onTestFinished(() => other.release());
    await other.query('begin');
    await other.query('select from customers where id = $1 for update', [id]);
    const removing = people.admin.client.customers.remove({ id });
    await waitUntilBlocked(test.database);
    const lockCompanyToo = other.query('select from companies where company_id = $1 for no key update nowait', [companyId]);
    await expect(lockCompanyToo).rejects.toMatchObject({ code: '55P03' });
    await other.query('rollback');
    await removing;
  });

  it.each(['admin', 'manager'] as const)('is allowed once to the %s', async (role) => {
    const { id } = await admin().create(newCustomer());
    const { client } = firm.people[role];
    await client.customers.remove({ id });
    await expect(client.customers.remove({ id })).rejects.toMatchObject({ code: 'NOT_FOUND', status: 404 });
    await expect(client.customers.get({ id })).rejects.toMatchObject({ code: 'NOT_FOUND', status: 404 });
    expect(await storedRow(id)).toBeUndefined();
  });

  it.each(['accountant', 'staff'] as const)('is refused to the %s, who may edit', async (role) => {
    const created = await admin().create(newCustomer());
    const { client } = firm.people[role];
    const refusal = { code: 'FORBIDDEN', message: 'You do not have permission to delete customers' };
    await expect(client.customers.remove({ id: created.id })).rejects.toMatchObject(refusal);
    expect(await client.customers.update(edit(created, { name: 'Edited' }))).toMatchObject({ name: 'Edited' });
  });

  it('by two people at once tells one of them that it is gone', async () => {
    const { id } = await admin().create(newCustomer());
    const outcomes = await Promise.allSettled([1, 2].map(() => admin().remove({ id })));
    expect(outcomes.map((outcome) => outcome.status).toSorted()).toEqual(['fulfilled', 'rejected']);
  });

  it('is not caused by removing the person who added it', async () => {
    const { staff } = (await createFirm(test)).people;
    const { id } = await staff.client.customers.create(newCustomer());
    await test.app.platform.pools.system.query('delete from users where id = $1', [staff.userId]);
    expect(await storedRow(id)).toMatchObject({ user_id: null, name: 'Ana Ruiz' });
  });
});

it('distinguishes an unknown customer from an invalid id', async () => {
  await expect(admin().get({ id: randomUUID() })).rejects.toMatchObject({ code: 'NOT_FOUND', message: 'Customer not found' });
  await expect(admin().get({ id: 'none' })).rejects.toMatchObject(wrong({ id: 'This is not a valid id' }));
});
