import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import Fastify from 'fastify';
import { beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { withOwnerClient } from '../../../test/database.ts';
import { listenOnLocalhost } from '../../../test/event-stream.ts';
import { createFirm, type Firm } from '../../../test/factories/people.ts';
import { readAllFiles } from '../../../test/stored-data.ts';
import { startTestApp, type TestApp } from '../../../test/test-app.ts';
import { registerCsvExport } from './csv-export.ts';

let test: TestApp;

beforeAll(async () => {
  test = await startTestApp();
});

it('a company runs two CSV exports at a time; more are refused until one has ended, while other companies still export', async () => {
  const [firm, neighbor] = [await createFirm(test), await createFirm(test, 'Neighbor')];
  const download = ({ people }: typeof firm) => test.request('GET', '/api/invoices.csv', { cookie: people.accountant.cookie });
  const refused: unknown[] = [];
  await withOwnerClient(test.database, async (owner) => {
    // Exports wait for this lock, so that none of them ends early.
    await owner.query('begin');
    await owner.query('lock table invoices');
    const downloads = Array.from({ length: 60 }, async () => {
      const response = await download(firm);
      if (response.statusCode === 429) refused.push([response.json<{ message: string }>().message, response.headers['retry-after']]);
      return response.statusCode;
    });
    await expect.poll(() => refused.length, { timeout: 20_000 }).toBe(58);
    const other = download(neighbor);
    await owner.query('commit');
    expect((await Promise.all(downloads)).filter((status) => status === 200)).toHaveLength(2);
    expect((await other).statusCode).toBe(200);
  });
  expect(refused[0]).toEqual(['Other exports are still running. Please try again in a moment.', '10']);
  expect((await download(firm)).statusCode).toBe(200);
});

it('an export that the browser cancels during the sign-in check does not count as running', async () => {
  const { people } = await createFirm(test);
  const { cookie } = people.accountant;
  const url = `${await listenOnLocalhost(test)}/api/invoices.csv`;
  const canceling = new AbortController();
  await withOwnerClient(test.database, async (owner) => {
    await owner.query('begin');
    await owner.query('lock table sessions');
    const downloads = [1, 2].map(() => fetch(url, { headers: { cookie }, signal: canceling.signal }).catch(() => 'canceled'));
    const countWaiting = async () => (await test.owner.query('select from pg_locks where not granted')).rowCount;
    await expect.poll(countWaiting, { timeout: 10_000 }).toBe(2);
    canceling.abort();
    expect(await Promise.all(downloads)).toEqual(['canceled', 'canceled']);
    const countConnections = () => new Promise((resolve) => test.app.server.server.getConnections((_error, count) => resolve(count)));
    await expect.poll(countConnections, { timeout: 10_000 }).toBe(0);
    await owner.query('commit');
  });
  for (let repetition = 0; repetition < 3; repetition += 1)
    expect((await test.request('GET', '/api/invoices.csv', { cookie })).statusCode).toBe(200);
});

/** Exports the names of the categories twice, as two pages, and calls `betweenPages` after the first. */
async function exportCategories({ people }: Firm, betweenPages: () => Promise<unknown>) {
  const app = Fastify();
  registerCsvExport(app, test.app.platform, {
    path: '/categories.csv',
    needs: 'payments.manage',
    input: z.object({}),
    prepare: async (scope) => ({
      fileName: 'categories.csv',
      readPage: async ({ cursor }) => {
        if (cursor) await betweenPages();
        const { rows } = await scope.db.execute<{ name: string }>(sql`select name from categories order by name`);
        return { rows, next_cursor: cursor ? null : 'second' };
      },
    }),
    columns: { Name: ({ name }) => name },
  });
  return app.inject({ path: '/categories.csv', headers: { cookie: people.admin.cookie } });
}

it('all rows of an export are as they were at one moment, even if others change them during the export', async () => {
  const firm = await createFirm(test);
  const { client } = firm.people.admin;
  const drains = await client.categories.create({ id: randomUUID(), name: 'Drains' });
  const { body } = await exportCategories(firm, async () => {
    await client.categories.create({ id: randomUUID(), name: 'Bathrooms' });
    await client.categories.remove({ id: drains.id });
  });
  expect(body.split('\r\n').slice(1, -1)).toEqual(['"Drains"', '"Drains"']);
});

it('an export that fails on a later page returns an error and leaves no file behind', async () => {
  const firm = await createFirm(test);
  const response = await exportCategories(firm, () => Promise.reject(new Error('The disk is full')));
  expect(response.statusCode).toBe(500);
  expect(Object.keys(await readAllFiles(test)).filter((name) => name.startsWith('files/incoming/'))).toEqual([]);
});

it('someone who is signed out while their export is written does not get it, and no file is left behind', async () => {
  const firm = await createFirm(test);
  const { client } = firm.people.admin;
  await client.categories.create({ id: randomUUID(), name: 'Drains' });
  const response = await exportCategories(firm, () => client.auth.signOut({}));
  expect([response.statusCode, response.body.includes('Drains')]).toEqual([401, false]);
  const listIncoming = async () => Object.keys(await readAllFiles(test)).filter((name) => name.startsWith('files/incoming/'));
  await expect.poll(listIncoming).toEqual([]);
});
