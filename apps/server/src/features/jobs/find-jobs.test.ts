import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { newCustomer, newJob } from '../../../test/factories/inputs.ts';
import { createFirm, type Firm } from '../../../test/factories/people.ts';
import { startTestApp, type TestApp } from '../../../test/test-app.ts';

let test: TestApp;
let firm: Firm;
let staffId: string;

beforeAll(async () => {
  test = await startTestApp();
});

beforeEach(async () => {
  firm = await createFirm(test);
  const { rows } = await test.owner.query<{ id: string }>('select id from staff_members where profile_id = $1', [firm.people.admin.userId]);
  staffId = rows[0]?.id ?? '';
});

async function addJob(title: string, customer: string, description = 'As agreed.') {
  const { id } = await firm.people.admin.client.customers.create(newCustomer({ name: customer }));
  return firm.people.admin.client.jobs.create(newJob({ customer_id: id, staff_id: staffId, title, description }));
}

const titles = async (search: string, person = firm.people.staff) =>
  (await person.client.jobs.find({ search })).rows.map(({ title }) => title);

describe('finding a job', () => {
  it('goes by its number, with or without the sign before it', async () => {
    const roof = await addJob('Roof repair', 'Ana Rossi');
    await addJob('Tap', 'Ben Jones');
    for (const search of [roof.job_number, `#${roof.job_number}`, roof.job_number.toLowerCase()]) {
      expect((await titles(search))[0]).toBe('Roof repair');
    }
  });

  it('shows titles before customers, and what only mentions the word last', async () => {
    await addJob('Tap', 'Ana Rossi', 'Left of the roof.');
    await addJob('Gutter', 'Roofers United');
    await addJob('Roof repair', 'Ben Jones');
    expect(await titles('roof')).toEqual(['Roof repair', 'Gutter', 'Tap']);
    expect(await titles('rossi')).toEqual(['Tap']);
    for (const search of ['nothing', '#', ' ']) expect(await titles(search)).toEqual([]);
  });

  it('shows the newest of jobs with the same title first', async () => {
    for (const customer of ['First', 'Second']) await addJob('Boiler service', customer);
    const { rows } = await firm.people.staff.client.jobs.find({ search: 'boil' });
    expect(rows.map(({ customer }) => customer?.name)).toEqual(['Second', 'First']);
  });

  it('shows each job once, at most six, and none of another company', async () => {
    for (let count = 0; count < 8; count += 1) await addJob(`Roof ${count}`, 'Roofers United');
    const found = await titles('roof');
    expect([found.length, new Set(found).size]).toEqual([6, 6]);
    expect(await titles('roof', (await createFirm(test, 'Neighbor')).people.admin)).toEqual([]);
  });
});
