import { randomUUID } from 'node:crypto';
import { insertCustomers } from '../../../test/factories/customer-rows.ts';
import { insertJobs, type JobSeed } from '../../../test/factories/job-rows.ts';
import { testListPlans } from '../../../test/list-plans.ts';
import type { TestApp } from '../../../test/test-app.ts';
import { jobList } from './jobs.sql.ts';

const CUSTOMER_ID = '7b0f2c66-0f0c-4c37-9c5e-3b1f6a1d2e4f';
const STAFF_ID = '1d3c7f10-52c4-4a59-8a3c-4e0a9b6c7d8e';
const RARE_CATEGORY_ID = '0b8f3f0e-6b0c-4b87-8a37-6f7a1f0c9d11';
const CATEGORY_ID = 'c2a4b6d8-1e3f-4a5b-8c7d-9e0f1a2b3c4d';

async function insertYearsOfJobs(test: TestApp, companyId: string): Promise<void> {
  const { system } = test.app.platform.pools;
  const customers = Array.from({ length: 1000 }, (_, index) => ({
    id: index === 0 ? CUSTOMER_ID : randomUUID(),
    name: `Customer ${index}`,
  }));
  await insertCustomers(test, companyId, customers);
  const staff = [STAFF_ID, ...Array.from({ length: 20 }, () => randomUUID())];
  for (const [index, id] of staff.entries())
    await system.query(`insert into staff_members (company_id, id, name, email, role) values ($1, $2, $3, $4, 'staff')`, [
      companyId,
      id,
      `Plumber ${index}`,
      `${id}@example.com`,
    ]);
  for (const [id, name] of [
    [RARE_CATEGORY_ID, 'Solar'],
    [CATEGORY_ID, 'Drains'],
  ])
    await system.query('insert into categories (company_id, id, name) values ($1, $2, $3)', [companyId, id, name]);
  const buildJobSeed = (index: number): JobSeed => ({
    title: `Tap repair ${(index * 7919) % 5000}`,
    status: index % 25 === 0 ? 'contacted' : index % 100 === 1 ? 'complete' : index % 100 === 2 ? 'invoiced' : 'paid',
    created_at: new Date(Date.UTC(2026, 0, 1, 0, index)).toISOString(),
    // Every tenth job's customer has been deleted.
    customer_id: index % 10 === 9 ? null : (customers[index % 1000]?.id ?? null),
    staff_id: index % 300 === 0 ? STAFF_ID : index % 7 === 6 ? null : (staff[1 + (index % 20)] ?? null),
    // Every fifth job has no date.
    booking_date: index % 5 === 4 ? null : new Date(Date.UTC(2026, 1, 1, 0, (index * 7919) % 50_000)).toISOString(),
    category_id: index % 300 === 1 ? RARE_CATEGORY_ID : index % 2 === 0 ? CATEGORY_ID : null,
  });
  await insertJobs(test, companyId, [
    ...Array.from({ length: 5000 }, (_, index) => buildJobSeed(index)),
    { title: 'Xylophone', created_at: '2026-01-01T00:00:00.000Z' },
  ]);
  await test.owner.query('vacuum analyze');
}

testListPlans({
  list: jobList,
  insertRows: insertYearsOfJobs,
  rareFilters: [
    { group: 'active', sort: 'created_at', order: 'desc' },
    { booking: 'none', sort: 'created_at', order: 'desc' },
    { booking: 'none', sort: 'created_at', order: 'asc' },
    { booking: 'none', sort: 'booking_date', order: 'desc' },
    { booking: 'none', sort: 'booking_date', order: 'asc' },
    { group: 'uninvoiced', sort: 'created_at', order: 'desc' },
    { group: 'not-canceled', sort: 'created_at', order: 'desc' },
    { created_from: '2026-01-02T00:00:00.000Z', created_to: '2026-01-02T23:59:59.999Z', sort: 'created_at', order: 'desc' },
    { created_from: '2026-01-02T00:00:00.000Z', group: 'active', sort: 'created_at', order: 'desc' },
  ],
  sortedFilters: [
    { booked_from: '2026-02-10T00:00:00.000Z', booked_to: '2026-02-10T06:59:59.999Z', sort: 'booking_date', order: 'asc' },
    { booked_from: '2026-02-10T00:00:00.000Z', booked_to: '2026-02-10T06:59:59.999Z', sort: 'created_at', order: 'desc' },
    { booked_to: '2026-02-01T08:59:59.999Z', booking: 'unfinished', sort: 'booking_date', order: 'asc' },
  ],
  rareWord: 'xylophone',
  commonPrefix: 'tap',
  commonWord: 'repair',
});
