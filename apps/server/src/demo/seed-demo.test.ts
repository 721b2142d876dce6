import { JOB_STATUSES } from '@callout/domain/jobs/job';
import { QUOTE_STATUSES } from '@callout/domain/quotes/quote';
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
  expect([total > 180, total < 230]).toEqual([true, true]);
});

it('and sixty quotes, some of every status, with the jobs of those that were accepted', async () => {
  const client = await as('mia');
  const counts = await Promise.all(QUOTE_STATUSES.map((status) => client.quotes.count({ status })));
  for (const { total } of counts) expect(total).toBeGreaterThan(9);
  expect((await client.quotes.count({})).total).toBe(60);
  const { rows } = await client.quotes.list({ status: 'accepted' });
  const { acceptance, total_amount, mails, first_opened_at } = await client.quotes.get({ id: rows[0]?.id ?? '' });
  const job = await client.jobs.get({ id: acceptance?.job_id ?? '' });
  expect(job).toMatchObject({ status: 'pending', job_number: acceptance?.job_number, totals: { total_amount: acceptance?.total_amount } });
  expect([mails[0]?.status, first_opened_at === null, Number(total_amount) >= Number(acceptance?.total_amount)]).toEqual([
    'sent',
    false,
    true,
  ]);
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
