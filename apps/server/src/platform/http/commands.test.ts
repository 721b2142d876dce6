import { randomUUID } from 'node:crypto';
import type { LightMyRequestResponse } from 'fastify';
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { buildTestEmail } from '../../../test/accounts.ts';
import { createBilledJob, createFirmJob, readStaffId } from '../../../test/factories/billed-job.ts';
import { buildCustomer, buildItem, buildJob, buildSupplier } from '../../../test/factories/inputs.ts';
import { createFirm, type Firm, type Person } from '../../../test/factories/people.ts';
import { type Mailbox, startMailbox } from '../../../test/mailbox.ts';
import { waitForQueue } from '../../../test/queue.ts';
import { readPersistentRows } from '../../../test/stored-data.ts';
import { type HttpMethod, startTestApp, type TestApp } from '../../../test/test-app.ts';
import { purgeCommands } from '../db/commands.sql.ts';

let test: TestApp;
let mailbox: Mailbox;
let firm: Firm;

beforeAll(async () => {
  mailbox = await startMailbox();
  test = await startTestApp(mailbox.environment);
  return () => mailbox.stop();
});

beforeEach(async () => {
  firm = await createFirm(test);
});

const admin = () => firm.people.admin.client;

interface CommandRequest {
  readonly method?: HttpMethod;
  readonly path: string;
  readonly body: object;
}

const send = ({ method = 'POST', path, body }: CommandRequest, key: string, person: Person = firm.people.admin, server = test) =>
  server.request(method, `/api${path}`, { cookie: person.cookie, body, headers: { 'idempotency-key': key } });

const getAnswer = (response: LightMyRequestResponse): unknown => [response.statusCode, response.json()];
const countCommands = async (key: string) => (await test.owner.query('select from commands where id = $1', [key])).rowCount;
const createLine = async (job_id: string) => {
  const id = randomUUID();
  await admin().jobs.addItems({ job_id, lines: [{ id, name: 'Tap', unit_price: '10.00' }], fixed_price: 'replace' });
  return id;
};

/** Each entry creates what its command needs, and reads how often the command took effect. */
const COMMANDS: Readonly<Record<string, () => Promise<{ request: CommandRequest; countEffects: () => Promise<number> }>>> = {
  'starting a timer': async () => {
    const { id: job_id } = await createFirmJob(test, firm);
    return {
      request: { path: '/time-entries', body: { id: randomUUID(), job_id } },
      countEffects: async () => (await admin().jobs.get({ id: job_id })).timer.running.length,
    };
  },
  'adding 1 to a quantity': async () => {
    const { id: jobId } = await createFirmJob(test, firm);
    const lineId = await createLine(jobId);
    return {
      request: { path: `/job-items/${lineId}/quantity-changes`, body: { by: 1 } },
      countEffects: async () => Number((await admin().jobs.get({ id: jobId })).items[0]?.quantity) - 1,
    };
  },
  commenting: async () => {
    const { id: job_id } = await createFirmJob(test, firm);
    return {
      request: { path: '/comments', body: { id: randomUUID(), job_id, content: 'Leaks' } },
      countEffects: async () => (await admin().comments.list({ job_id })).rows.length,
    };
  },
  'creating a job': async () => {
    const customer = await admin().customers.create(buildCustomer());
    const staff_id = await readStaffId(test, firm);
    return {
      request: { path: '/jobs', body: buildJob({ customer_id: customer.id, staff_id }) },
      countEffects: async () => (await admin().jobs.list({})).rows.length,
    };
  },
  'updating a customer at its version': async () => {
    const customer = await admin().customers.create(buildCustomer());
    return {
      request: {
        method: 'PUT',
        path: `/customers/${customer.id}`,
        body: { ...customer, type: 'individual', name: 'New name', version: 1 },
      },
      countEffects: async () => (await admin().customers.get({ id: customer.id })).version - 1,
    };
  },
  'recording a payment': async () => {
    const { id: job_id } = await createBilledJob(test, firm);
    return {
      request: { path: '/payments', body: { id: randomUUID(), job_id, amount: '15' } },
      countEffects: async () => (await admin().payments.list({})).rows.length,
    };
  },
  'sending an invoice': async () => {
    const email = buildTestEmail();
    const customer = await admin().customers.create(buildCustomer({ email }));
    const { id } = await createBilledJob(test, firm, { customer_id: customer.id });
    return {
      request: { path: `/jobs/${id}/invoices`, body: { mail_id: randomUUID() } },
      countEffects: async () => {
        await waitForQueue(test);
        return mailbox.listMailsTo(email).length;
      },
    };
  },
  'inviting someone': async () => {
    const email = buildTestEmail();
    return {
      request: { path: '/staff', body: { id: randomUUID(), name: 'Aroha', email, phone: '021 555', hourly_rate: '45', role: 'staff' } },
      countEffects: async () => {
        await waitForQueue(test);
        return mailbox.listMailsTo(email).length;
      },
    };
  },
};

describe.each(Object.entries(COMMANDS))('%s', (_name, prepare) => {
  it('happens once if it is sent twice, and is answered alike', async () => {
    const [{ request, countEffects }, key] = [await prepare(), randomUUID()];
    const first = await send(request, key);
    expect(first.statusCode, first.body).toBeLessThan(300);
    expect(getAnswer(await send(request, key))).toEqual(getAnswer(first));
    expect([await countEffects(), await countCommands(key)]).toEqual([1, 1]);
  });

  it('happens once if it is sent 50 times at once', async () => {
    const [{ request, countEffects }, key] = [await prepare(), randomUUID()];
    const [first, ...others] = await Promise.all(Array.from({ length: 50 }, () => send(request, key)));
    expect(first?.statusCode, first?.body).toBeLessThan(300);
    for (const other of others) expect(other.body).toBe(first?.body);
    expect([await countEffects(), await countCommands(key)]).toEqual([1, 1]);
  });
});

describe('a command whose answer was lost', () => {
  it('has happened or not if the database drops the connection, and happens once when it is sent again', async () => {
    const outcomes = new Set<number>();
    for (let round = 0; round < 12; round += 1) {
      const key = randomUUID();
      const { request, countEffects } = await (COMMANDS['adding 1 to a quantity'] ?? expect.fail)();
      const sending = send(request, key);
      // Each round drops the connections a little later.
      for (let turn = 0; turn < round * 4; turn += 1) await new Promise(setImmediate);
      await test.owner.query(
        'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
      );
      outcomes.add((await sending).statusCode);
      const retried = await vi.waitUntil(async () => {
        const response = await send(request, key);
        return response.statusCode < 500 && response;
      }, 10_000);
      expect([retried.statusCode, await countEffects(), await countCommands(key)]).toEqual([200, 1, 1]);
    }
    expect([...outcomes]).toContain(503);
  });
});

describe('an Idempotency-Key', () => {
  it('belongs to one call with one input', async () => {
    const [key, body] = [randomUUID(), buildCustomer()];
    await send({ path: '/customers', body }, key);
    const before = await readPersistentRows(test);
    for (const request of [
      { path: '/customers', body: { ...body, name: 'Someone else' } },
      { path: '/customers', body: buildCustomer() },
      { path: '/suppliers', body: { id: body.id, company_name: 'Reece' } },
      { method: 'DELETE' as const, path: `/customers/${body.id}`, body: {} },
    ]) {
      const response = await send(request, key);
      expect([response.statusCode, response.json()]).toMatchObject([
        409,
        { code: 'ID_TAKEN', message: 'This Idempotency-Key was used for another request.' },
      ]);
    }
    expect(await readPersistentRows(test)).toEqual(before);
  });

  it('may be written in uppercase, and the fields in another order', async () => {
    const [key, body] = [randomUUID(), buildCustomer()];
    const first = await send({ path: '/customers', body }, key);
    const reversed = Object.fromEntries(Object.entries(body).toReversed());
    expect(getAnswer(await send({ path: '/customers', body: reversed }, key.toUpperCase()))).toEqual(getAnswer(first));
  });

  it.each(['1', 'not-a-uuid', `${randomUUID()}, ${randomUUID()}`])('is rejected if it is %s', async (key) => {
    const response = await send({ path: '/customers', body: buildCustomer() }, key);
    const message = 'The Idempotency-Key must be a UUID';
    expect([response.statusCode, response.json()]).toMatchObject([
      422,
      { code: 'INVALID_INPUT', data: { fields: { 'Idempotency-Key': message } } },
    ]);
  });

  it('of another person, or of a person of another company, neither reveals nor blocks anything', async () => {
    const key = randomUUID();
    const other = await createFirm(test);
    const senders = [firm.people.admin, firm.people.manager, other.people.admin];
    const bodies = senders.map((_, index) => buildCustomer({ name: `Customer ${index}` }));
    for (const [index, sender] of senders.entries()) {
      const response = await send({ path: '/customers', body: bodies[index] ?? {} }, key, sender);
      expect([response.statusCode, response.json()]).toMatchObject([201, { name: `Customer ${index}` }]);
    }
  });

  it('reveals nothing once its person may no longer make the call, or has left', async () => {
    const [key, body] = [randomUUID(), { id: randomUUID(), company_name: 'Reece' }];
    const { manager } = firm.people;
    expect((await send({ path: '/suppliers', body }, key, manager)).statusCode).toBe(201);
    await test.owner.query(`update staff_members set role = 'staff' where profile_id = $1`, [manager.userId]);
    const refused = await send({ path: '/suppliers', body }, key, manager);
    expect([refused.statusCode, refused.body.includes('Reece')]).toEqual([403, false]);
    const { rows } = await test.owner.query<{ id: string }>('select id from staff_members where profile_id = $1', [manager.userId]);
    await admin().staff.remove({ id: rows[0]?.id ?? '' });
    expect((await send({ path: '/suppliers', body }, key, manager)).statusCode).toBe(401);
    await waitForQueue(test);
    expect(await countCommands(key)).toBe(0);
  });

  it('returns an answer without the fields that its person may no longer see', async () => {
    const { id: supplier_id } = await admin().suppliers.create(buildSupplier());
    const item = await admin().items.create(buildItem({ supplier_id }));
    const { id: job_id } = await createFirmJob(test, firm);
    const lines = [{ id: randomUUID(), supplier_item_id: item.id }];
    const [key, request] = [randomUUID(), { path: '/job-items', body: { job_id, lines, fixed_price: 'replace' } }];
    const { manager } = firm.people;
    expect((await send(request, key, manager)).body).toContain('"cost_price":"70.00"');
    await test.owner.query(`update staff_members set role = 'staff' where profile_id = $1`, [manager.userId]);
    const repeated = await send(request, key, manager);
    expect([repeated.statusCode < 300, repeated.body.includes(item.name), repeated.body.includes('cost_price')]).toEqual([
      true,
      true,
      false,
    ]);
  });

  it('of a refused command is evaluated again', async () => {
    const key = randomUUID();
    const { id: jobId } = await createFirmJob(test, firm, { status: 'complete' });
    const request = { path: '/time-entries', body: { id: randomUUID(), job_id: jobId } };
    expect((await send(request, key)).json()).toMatchObject({ code: 'JOB_FINISHED' });
    expect(await countCommands(key)).toBe(0);
    await admin().jobs.setStatus({ id: jobId, status: 'booked' });
    expect((await send(request, key)).statusCode).toBe(200);
    await admin().jobs.setStatus({ id: jobId, status: 'complete' });
    expect((await send(request, key)).json()).toMatchObject({ timer: { timer_status: 'started' } });
  });

  it('is kept as long as the setting says', async () => {
    const [old, recent] = [randomUUID(), randomUUID()];
    for (const key of [old, recent]) await send({ path: '/customers', body: buildCustomer() }, key);
    const age = (key: string, days: number) =>
      test.owner.query('update commands set created_at = now() - make_interval(days => $2) where id = $1', [key, days]);
    await age(old, 31);
    await age(recent, 29);
    await purgeCommands(test.app.platform.pools.system, 30);
    expect([await countCommands(old), await countCommands(recent)]).toEqual([0, 1]);
  });
});
