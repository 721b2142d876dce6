import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { buildCustomer, buildJob } from '../../../test/factories/inputs.ts';
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

async function createJob(title: string, customer: string, description = 'As agreed.') {
  const { id } = await firm.people.admin.client.customers.create(buildCustomer({ name: customer }));
  return firm.people.admin.client.jobs.create(buildJob({ customer_id: id, staff_id: staffId, title, description }));
}

const searchTitles = async (search: string, person = firm.people.staff) =>
  (await person.client.jobs.find({ search })).rows.map(({ title }) => title);

describe('job search', () => {
  it('finds a job by its number, with or without a leading #', async () => {
    const roof = await createJob('Roof repair', 'Ana Rossi');
    await createJob('Tap', 'Ben Jones');
    for (const search of [roof.job_number, `#${roof.job_number}`, roof.job_number.toLowerCase()]) {
      expect((await searchTitles(search))[0]).toBe('Roof repair');
    }
  });

  it('ranks title matches first, then customers, then other text', async () => {
    await createJob('Tap', 'Ana Rossi', 'Left of the roof.');
    await createJob('Gutter', 'Roofers United');
    await createJob('Roof repair', 'Ben Jones');
    expect(await searchTitles('roof')).toEqual(['Roof repair', 'Gutter', 'Tap']);
    expect(await searchTitles('rossi')).toEqual(['Tap']);
    for (const search of ['nothing', '#', ' ']) expect(await searchTitles(search)).toEqual([]);
  });

  it('lists jobs with the same title newest first', async () => {
    for (const customer of ['First', 'Second']) await createJob('Boiler service', customer);
    const { rows } = await firm.people.staff.client.jobs.find({ search: 'boil' });
    expect(rows.map(({ customer }) => customer?.name)).toEqual(['Second', 'First']);
  });

  it('returns each job once, at most six, and none from another company', async () => {
    for (let count = 0; count < 8; count += 1) await createJob(`Roof ${count}`, 'Roofers United');
    const found = await searchTitles('roof');
    expect([found.length, new Set(found).size]).toEqual([6, 6]);
    expect(await searchTitles('roof', (await createFirm(test, 'Neighbor')).people.admin)).toEqual([]);
  });
});
