import { randomUUID } from 'node:crypto';
import { readdir, rm, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createFirm, createPerson, type Firm } from '../../../test/factories/people.ts';
import { pdf, png } from '../../../test/sample-files.ts';
import { startTestApp, type TestApp } from '../../../test/test-app.ts';
import { uploadTo } from '../../../test/upload.ts';
import { createUnattachedSweep, removeStrayBytes } from './remove-files.ts';

let test: TestApp;
let firm: Firm;

beforeAll(async () => {
  test = await startTestApp();
});

beforeEach(async () => {
  firm = await createFirm(test);
});

const folder = () => join(test.app.platform.config.dataDir, 'files', 'kept', firm.companyId);
const kept = (): Promise<string[]> => readdir(folder()).catch(() => []);
const incoming = (): Promise<string[]> => readdir(join(test.app.platform.config.dataDir, 'files', 'incoming'));

const picture = (width = 1200, height = 800) => sharp({ create: { width, height, channels: 3, background: 'teal' } });

async function upload(name: string, bytes: Buffer, id: string = randomUUID()) {
  const answer = await uploadTo(test, `/api/files/${id}`, firm.people.staff.cookie, name, bytes);
  return { id, status: answer.statusCode, body: answer.json<{ code?: string; message?: string }>() };
}

const show = (id: string, cookie: string | undefined = firm.people.accountant.cookie, headers = {}) =>
  test.request('GET', `/api/files/${id}/thumbnail`, { cookie, headers });

const rows = async () =>
  (
    await test.owner.query<{ id: string; purpose: string; owner_kind: string | null; owner_id: string | null; file_size: number }>(
      'select id, purpose, owner_kind, owner_id, file_size::int from files where company_id = $1 order by purpose',
      [firm.companyId],
    )
  ).rows;
const thumbnailIdOf = async (fileId: string) => (await rows()).find(({ owner_id }) => owner_id === fileId)?.id ?? '';

describe('the thumbnail of an image', () => {
  it.each([
    ['leak.png', () => picture().png()],
    ['leak.jpg', () => picture().jpeg()],
    ['leak.JPEG', () => picture().jpeg()],
    ['leak.gif', () => picture().gif()],
  ] as const)('%s is a webp of at most 320 pixels, with the headers of a file', async (name, make) => {
    const { id, status } = await upload(name, await make().toBuffer());
    expect(status).toBe(201);
    const answer = await show(id);
    const { format, width, height } = await sharp(answer.rawPayload).metadata();
    expect([answer.statusCode, format, width, height]).toEqual([200, 'webp', 320, 213]);
    const thumbnailId = await thumbnailIdOf(id);
    expect(answer.headers).toMatchObject({
      'content-type': 'image/webp',
      'content-length': String(answer.rawPayload.length),
      'content-disposition': `inline; filename*=UTF-8''${name}.webp`,
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
      'cache-control': 'private, no-cache',
      etag: `"${firm.companyId}/${thumbnailId}"`,
    });
    const again = await show(id, firm.people.staff.cookie, { 'if-none-match': answer.headers.etag });
    expect([again.statusCode, again.rawPayload.length]).toEqual([304, 0]);
  });

  it('stands upright and has lost where the photo was taken', async () => {
    const bytes = await picture()
      .withExif({ IFD3: { GPSLatitude: '36/1 50/1 0/1' } })
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer();
    const { id } = await upload('leak.jpg', bytes);
    const { width, height, exif } = await sharp((await show(id)).rawPayload).metadata();
    expect([width, height, exif]).toEqual([213, 320, undefined]);
  });

  it('is never larger than the image', async () => {
    const { id } = await upload('dot.png', png());
    const { width, height } = await sharp((await show(id)).rawPayload).metadata();
    expect([width, height]).toEqual([1, 1]);
  });

  it('is shown to members only, and never through the open address of logos', async () => {
    const { id } = await upload('leak.png', await picture().png().toBuffer());
    const other = await createFirm(test, 'Other');
    const people = [firm.people.staff.cookie, other.people.admin.cookie, (await createPerson(test)).cookie, ''];
    expect(await Promise.all(people.map(async (cookie) => (await show(id, cookie)).statusCode))).toEqual([200, 404, 403, 401]);
    for (const image of [id, await thumbnailIdOf(id)]) {
      expect((await test.request('GET', `/api/images/${image}`)).statusCode).toBe(404);
      expect((await test.request('GET', `/api/images/${image}`, { cookie: firm.people.admin.cookie })).statusCode).toBe(404);
    }
  });

  it('does not exist for other files and unknown ids', async () => {
    const { id } = await upload('plan.pdf', pdf());
    for (const asked of [id, randomUUID(), 'none', '%00']) expect((await show(asked)).statusCode).toBe(404);
  });
});

describe('an image', () => {
  it.each<[string, string, () => Promise<Buffer>]>([
    ['that ends in the middle', 'leak.png', async () => (await picture().png().toBuffer()).subarray(0, 200)],
    ['that is only the start of one', 'leak.jpg', async () => (await picture().jpeg().toBuffer()).subarray(0, 60)],
    ['with damaged content', 'leak.gif', async () => Buffer.concat([Buffer.from('GIF89a'), Buffer.alloc(300, 7)])],
  ])('%s is refused and nothing is stored', async (_, name, bytes) => {
    expect(await upload(name, await bytes())).toMatchObject({
      status: 415,
      body: { code: 'UNSUPPORTED_FILE', message: 'This image is damaged. Please select another one.' },
    });
    expect([await rows(), await kept(), await incoming()]).toEqual([[], [], []]);
  });

  it('with too many pixels is kept without a thumbnail', async () => {
    const bytes = await picture(10_000, 6_000).png({ compressionLevel: 1 }).toBuffer();
    const { id, status } = await upload('plan.png', bytes);
    expect(status).toBe(201);
    expect((await show(id)).statusCode).toBe(404);
    expect(await kept()).toEqual([id]);
    expect(await incoming()).toEqual([]);
  });

  it('counts with its thumbnail against the quota', async () => {
    const { id } = await upload('leak.png', await picture().png().toBuffer());
    const stored = await rows();
    expect(stored).toMatchObject([
      { id, purpose: 'attachment', owner_kind: null },
      { purpose: 'thumbnail', owner_kind: 'file', owner_id: id },
    ]);
    const { rows: counted } = await test.owner.query('select file_bytes::int as bytes from companies where company_id = $1', [
      firm.companyId,
    ]);
    expect(counted).toEqual([{ bytes: stored.reduce((sum, { file_size }) => sum + file_size, 0) }]);
  });

  it('that exceeds the quota only with its thumbnail is refused and nothing is stored', async () => {
    const small = await startTestApp({ FILE_QUOTA_MB: '1' });
    const { companyId, people } = await createFirm(small);
    const answer = await uploadTo(small, `/api/files/${randomUUID()}`, people.staff.cookie, 'dot.png', png(1024 * 1024));
    expect([answer.statusCode, answer.json()]).toMatchObject([413, { code: 'QUOTA_EXCEEDED' }]);
    expect((await small.owner.query('select from files')).rowCount).toBe(0);
    await expect(readdir(join(small.app.platform.config.dataDir, 'files', 'kept', companyId))).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it('sent again, also three times at once, has one thumbnail', async () => {
    const bytes = await picture().png().toBuffer();
    const id = randomUUID();
    const answers = await Promise.all([1, 2, 3].map(() => upload('leak.png', bytes, id)));
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201]);
    expect(await rows()).toHaveLength(2);
    expect(await kept()).toHaveLength(2);
  });

  it('sent again restores a thumbnail whose bytes were lost', async () => {
    const bytes = await picture().png().toBuffer();
    const { id } = await upload('leak.png', bytes);
    await rm(join(folder(), await thumbnailIdOf(id)));
    expect((await show(id)).statusCode).toBe(404);
    await upload('leak.png', bytes, id);
    expect((await show(id)).statusCode).toBe(200);
    expect(await rows()).toHaveLength(2);
  });

  it('uploaded ten at a time is never refused because others wait', async () => {
    const bytes = await picture(3000, 2000).jpeg().toBuffer();
    const answers = await Promise.all(Array.from({ length: 10 }, () => upload('leak.jpg', bytes)));
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 201));
  });

  it('that nobody attached is swept with its thumbnail, and a thumbnail never before its image', async () => {
    const bytes = await picture().png().toBuffer();
    const [attached, old] = [await upload('a.png', bytes), await upload('b.png', bytes)];
    await test.owner.query(`update files set owner_kind = 'job_comment', owner_id = $2, unattached_since = null where id = $1`, [
      attached.id,
      randomUUID(),
    ]);
    const longAgo = new Date(Date.now() - 48 * 60 * 60 * 1000);
    await test.owner.query('update files set unattached_since = $2 where id = $1', [old.id, longAgo]);
    for (const name of await kept()) await utimes(join(folder(), name), longAgo, longAgo);
    const { files, log, pools } = test.app.platform;
    const parts = { files, log, pool: pools.system };
    let uptimeMs = 0;
    const sweep = createUnattachedSweep(parts, () => uptimeMs);
    const before = new Date(Date.now() - 24 * 60 * 60 * 1000);
    await sweep(before);
    uptimeMs = 7 * 60 * 60 * 1000;
    await sweep(before);
    await removeStrayBytes(parts, before);
    const left = [attached.id, await thumbnailIdOf(attached.id)].toSorted();
    expect((await rows()).map(({ id }) => id).toSorted()).toEqual(left);
    expect((await kept()).toSorted()).toEqual(left);
  });
});

it('logs no errors', () => {
  expect(test.logged.filter((line) => line.includes('"level":50'))).toEqual([]);
});
