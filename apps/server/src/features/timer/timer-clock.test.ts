import { randomUUID } from 'node:crypto';
import { DAY_MS } from '@callout/domain/time/time-units';
import { expect, it } from 'vitest';
import { buildCustomer, buildJob } from '../../../test/factories/inputs.ts';
import { createFirm } from '../../../test/factories/people.ts';
import { startTestApp } from '../../../test/test-app.ts';

it.each([
  ['a day ahead', DAY_MS],
  ['a day behind', -DAY_MS],
])('a timer takes its times from the database while the clock of the server is %s', async (_, skewMs) => {
  const test = await startTestApp({}, { processClock: () => new Date(Date.now() + skewMs) });
  const { client } = (await createFirm(test)).people.admin;
  const customer = await client.customers.create(buildCustomer());
  const { rows: staff } = await test.owner.query<{ id: string }>('select id from staff_members limit 1');
  const job = buildJob({ customer_id: customer.id, staff_id: staff[0]?.id ?? '' });
  const { id: job_id } = await client.jobs.create(job);
  await client.timer.start({ job_id, id: randomUUID() });
  // Another server, with a correct clock, started the timer an hour ago.
  await test.owner.query(`update time_entries set started_at = started_at - interval '1 hour' where ended_at is null`);
  const { timer } = await client.timer.pause({ job_id });
  expect(Math.round(timer.finished_seconds / 60)).toBe(60);
  const { rows } = await test.owner.query<{ seconds: number }>(
    `select greatest(abs(extract(epoch from now() - ended_at)), abs(extract(epoch from now() - interval '1 hour' - started_at)))::float as seconds
      from time_entries`,
  );
  expect(rows).toEqual([{ seconds: expect.closeTo(0, -2) as number }]);
});
