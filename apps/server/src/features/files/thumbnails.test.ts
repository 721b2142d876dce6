import { randomUUID } from 'node:crypto';
import { readdir, rm, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createFirm, createPerson, type Firm } from '../../../test/factories/people.ts';
import { buildPdf, buildPng } from '../../../test/sample-files.ts';
import { startTestApp, type TestApp } from '../../../test/test-app.ts';
import { uploadFile } from '../../../test/upload.ts';
import { createUnattachedFileSweep, sweepOrphanedBytes } from './remove-files.ts';

let test: TestApp;
let firm: Firm;

beforeAll(async () => {
  test = await startTestApp();
});

beforeEach(async () => {
  firm = await createFirm(test);
});

const getFolder = () => join(test.app.platform.config.dataDir, 'files', 'kept', firm.companyId);
const listStored = (): Promise<string[]> => readdir(getFolder()).catch(() => []);
const listIncoming = (): Promise<string[]> => readdir(join(test.app.platform.config.dataDir, 'files', 'incoming'));

const createImage = (width = 1200, height = 800) => sharp({ create: { width, height, channels: 3, background: 'teal' } });

async function upload(name: string, bytes: Buffer, id: string = randomUUID()) {
  const response = await uploadFile(test, `/api/files/${id}`, firm.people.staff.cookie, name, bytes);
  return { id, status: response.statusCode, body: response.json<{ code?: string; message?: string }>() };
}

const getThumbnail = (id: string, cookie: string | undefined = firm.people.accountant.cookie, headers = {}) =>
  test.request('GET', `/api/files/${id}/thumbnail`, { cookie, headers });

const readRows = async () =>
  (
    await test.owner.query<{ id: string; purpose: string; owner_kind: string | null; owner_id: string | null; file_size: number }>(
      'select id, purpose, owner_kind, owner_id, file_size::int from files where company_id = $1 order by purpose',
      [firm.companyId],
    )
  ).rows;
const readThumbnailId = async (fileId: string) => (await readRows()).find(({ owner_id }) => owner_id === fileId)?.id ?? '';

describe('an image’s thumbnail', () => {
  it.each([
    ['leak.png', () => createImage().png()],
    ['leak.jpg', () => createImage().jpeg()],
    ['leak.JPEG', () => createImage().jpeg()],
    ['leak.gif', () => createImage().gif()],
  ] as const)('%s is a WebP of at most 320 pixels, served with the same headers as a file', async (name, make) => {
    const { id, status } = await upload(name, await make().toBuffer());
    expect(status).toBe(201);
    const response = await getThumbnail(id);
    const { format, width, height } = await sharp(response.rawPayload).metadata();
    expect([response.statusCode, format, width, height]).toEqual([200, 'webp', 320, 213]);
    const thumbnailId = await readThumbnailId(id);
    expect(response.headers).toMatchObject({
      'content-type': 'image/webp',
      'content-length': String(response.rawPayload.length),
      'content-disposition': `inline; filename*=UTF-8''${name}.webp`,
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
      'cache-control': 'private, no-cache',
      etag: `"${firm.companyId}/${thumbnailId}"`,
    });
    const again = await getThumbnail(id, firm.people.staff.cookie, { 'if-none-match': response.headers.etag });
    expect([again.statusCode, again.rawPayload.length]).toEqual([304, 0]);
  });

  it('is rotated upright and contains no location data', async () => {
    const bytes = await createImage()
      .withExif({ IFD3: { GPSLatitude: '36/1 50/1 0/1' } })
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer();
    const { id } = await upload('leak.jpg', bytes);
    const { width, height, exif } = await sharp((await getThumbnail(id)).rawPayload).metadata();
    expect([width, height, exif]).toEqual([213, 320, undefined]);
  });

  it('is never larger than the image', async () => {
    const { id } = await upload('dot.png', buildPng());
    const { width, height } = await sharp((await getThumbnail(id)).rawPayload).metadata();
    expect([width, height]).toEqual([1, 1]);
  });

  it('is served only to members, and never through the public URL of logos', async () => {
    const { id } = await upload('leak.png', await createImage().png().toBuffer());
    const other = await createFirm(test, 'Other');
    const people = [firm.people.staff.cookie, other.people.admin.cookie, (await createPerson(test)).cookie, ''];
    expect(await Promise.all(people.map(async (cookie) => (await getThumbnail(id, cookie)).statusCode))).toEqual([200, 404, 403, 401]);
    for (const image of [id, await readThumbnailId(id)]) {
      expect((await test.request('GET', `/api/images/${image}`)).statusCode).toBe(404);
      expect((await test.request('GET', `/api/images/${image}`, { cookie: firm.people.admin.cookie })).statusCode).toBe(404);
    }
  });

  it('is not found for other file types and unknown ids', async () => {
    const { id } = await upload('plan.pdf', buildPdf());
    for (const requestedId of [id, randomUUID(), 'none', '%00']) expect((await getThumbnail(requestedId)).statusCode).toBe(404);
  });
});

describe('an uploaded image', () => {
  it.each<[string, string, () => Promise<Buffer>]>([
    ['if it is cut off in the middle', 'leak.png', async () => (await createImage().png().toBuffer()).subarray(0, 200)],
    ['if it is cut off in its header', 'leak.jpg', async () => (await createImage().jpeg().toBuffer()).subarray(0, 60)],
    ['if its content is damaged', 'leak.gif', async () => Buffer.concat([Buffer.from('GIF89a'), Buffer.alloc(300, 7)])],
  ])('is rejected %s, and nothing is stored', async (_, name, bytes) => {
    expect(await upload(name, await bytes())).toMatchObject({
      status: 415,
      body: { code: 'UNSUPPORTED_FILE', message: 'This image is damaged. Please select another one.' },
    });
    expect([await readRows(), await listStored(), await listIncoming()]).toEqual([[], [], []]);
  });

  it('is stored without a thumbnail if it has too many pixels', async () => {
    const bytes = await createImage(10_000, 6_000).png({ compressionLevel: 1 }).toBuffer();
    const { id, status } = await upload('plan.png', bytes);
    expect(status).toBe(201);
    expect((await getThumbnail(id)).statusCode).toBe(404);
    expect(await listStored()).toEqual([id]);
    expect(await listIncoming()).toEqual([]);
  });

  it('counts against the quota together with its thumbnail', async () => {
    const { id } = await upload('leak.png', await createImage().png().toBuffer());
    const stored = await readRows();
    expect(stored).toMatchObject([
      { id, purpose: 'attachment', owner_kind: null },
      { purpose: 'thumbnail', owner_kind: 'file', owner_id: id },
    ]);
    const { rows: counted } = await test.owner.query('select bytes::int from file_usage where company_id = $1', [firm.companyId]);
    expect(counted).toEqual([{ bytes: stored.reduce((sum, { file_size }) => sum + file_size, 0) }]);
  });

  it('is rejected if it exceeds the quota only with its thumbnail, and nothing is stored', async () => {
    const smallApp = await startTestApp({ FILE_QUOTA_MB: '1' });
    const { companyId, people } = await createFirm(smallApp);
    const response = await uploadFile(smallApp, `/api/files/${randomUUID()}`, people.staff.cookie, 'dot.png', buildPng(1024 * 1024));
    expect([response.statusCode, response.json()]).toMatchObject([413, { code: 'QUOTA_EXCEEDED' }]);
    expect((await smallApp.owner.query('select from files')).rowCount).toBe(0);
    await expect(readdir(join(smallApp.app.platform.config.dataDir, 'files', 'kept', companyId))).rejects.toMatchObject({
      code: 'ENOENT',
    });
  });

  it('has one thumbnail, even if it is uploaded three times at once', async () => {
    const bytes = await createImage().png().toBuffer();
    const id = randomUUID();
    const responses = await Promise.all([1, 2, 3].map(() => upload('leak.png', bytes, id)));
    expect(responses.map(({ status }) => status)).toEqual([201, 201, 201]);
    expect(await readRows()).toHaveLength(2);
    expect(await listStored()).toHaveLength(2);
  });

  it('restores a thumbnail whose bytes were lost when it is uploaded again', async () => {
    const bytes = await createImage().png().toBuffer();
    const { id } = await upload('leak.png', bytes);
    await rm(join(getFolder(), await readThumbnailId(id)));
    expect((await getThumbnail(id)).statusCode).toBe(404);
    await upload('leak.png', bytes, id);
    expect((await getThumbnail(id)).statusCode).toBe(200);
    expect(await readRows()).toHaveLength(2);
  });

  it('is accepted even if ten images are uploaded at once', async () => {
    const bytes = await createImage(3000, 2000).jpeg().toBuffer();
    const responses = await Promise.all(Array.from({ length: 10 }, () => upload('leak.jpg', bytes)));
    expect(responses.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 201));
  });

  it('is swept together with its thumbnail, but only if it is not attached', async () => {
    const bytes = await createImage().png().toBuffer();
    const [attached, unattached] = [await upload('a.png', bytes), await upload('b.png', bytes)];
    await test.owner.query(`update files set owner_kind = 'job_comment', owner_id = $2, unattached_since = null where id = $1`, [
      attached.id,
      randomUUID(),
    ]);
    const longAgo = new Date(Date.now() - 48 * 60 * 60 * 1000);
    await test.owner.query('update files set unattached_since = $2 where id = $1', [unattached.id, longAgo]);
    for (const name of await listStored()) await utimes(join(getFolder(), name), longAgo, longAgo);
    const { files, log, pools } = test.app.platform;
    const services = { files, log, pool: pools.system };
    let uptimeMs = 0;
    const sweep = createUnattachedFileSweep(services, () => uptimeMs);
    const before = new Date(Date.now() - 24 * 60 * 60 * 1000);
    await sweep(before);
    uptimeMs = 7 * 60 * 60 * 1000;
    await sweep(before);
    await sweepOrphanedBytes(services, before);
    const remaining = [attached.id, await readThumbnailId(attached.id)].toSorted();
    expect((await readRows()).map(({ id }) => id).toSorted()).toEqual(remaining);
    expect((await listStored()).toSorted()).toEqual(remaining);
  });
});

it('no upload or download of an image logs an error', () => {
  expect(test.logLines.filter((line) => line.includes('"level":50'))).toEqual([]);
});
