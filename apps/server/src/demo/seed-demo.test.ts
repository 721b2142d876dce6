import { JOB_STATUSES } from '@callout/domain/jobs/job';
import { beforeAll, expect, it } from 'vitest';
import { signIn } from '../../test/accounts.ts';
import { everyRow } from '../../test/every-row.ts';
import { startTestApp, type TestApp } from '../../test/test-app.ts';
import { DEMO_PASSWORD, seedDemo } from './seed-demo.ts';

let test: TestApp;
const as = async (name: string) => test.client(await signIn(test, `${name}@demo.example`, DEMO_PASSWORD));

beforeAll(async () => {
  test = await startTestApp();
  await seedDemo(test.app.platform);
});

it('the demo firm has a year of about 200 jobs, some of every status', async () => {
  const client = await as('mia');
  const counts = await Promise.all(JOB_STATUSES.map((status) => client.jobs.count({ status })));
  for (const { total } of counts) expect(total).toBeGreaterThan(3);
  const { total } = await client.jobs.count({});
  expect([total > 180, total < 220]).toEqual([true, true]);
});

it('whose photos have thumbnails, and whose finished hours are billed to the cent', async () => {
  const client = await as('mia');
  const { rows } = await client.jobs.list({ search: 'cylinder', order: 'asc', sort: 'created_at' });
  const jobs = await Promise.all(rows.map(({ id }) => client.jobs.get({ id })));
  const paid = jobs.find(({ status }) => status === 'paid');
  expect(paid?.timer).toMatchObject({ timer_status: 'paused', allocated_seconds: paid?.timer.finished_seconds });
  expect(paid?.items.map(({ sku }) => sku)).toEqual(['EC-180', 'TV-20', 'CU-22-3', 'BV-20', 'SV-HOUR']);
  const comments = await Promise.all(rows.map(({ id }) => client.comments.list({ job_id: id })));
  const photos = comments.flatMap((list) => list.rows.flatMap(({ attachments }) => attachments));
  expect(photos.length).toBeGreaterThan(0);
  for (const { thumbnail_url } of photos) expect(thumbnail_url).not.toBeNull();
});

it('where somebody is at work right now', async () => {
  const { timer } = await (await as('sam')).timer.active();
  expect(timer?.timer_status).toBe('started');
});

it('is made once', async () => {
  const before = await everyRow(test);
  await seedDemo(test.app.platform);
  expect(await everyRow(test)).toEqual(before);
});
