import { randomUUID } from 'node:crypto';
import { readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { buildCustomer, buildQuote } from '../../../test/factories/inputs.ts';
import { createFirm, type Firm } from '../../../test/factories/people.ts';
import { waitForQueue } from '../../../test/queue.ts';
import { startTestApp, type TestApp } from '../../../test/test-app.ts';
import { uploadFile } from '../../../test/upload.ts';

const EXIF = { IFD0: { Make: 'PhoneMaker' }, IFD3: { GPSLatitudeRef: 'S', GPSLatitude: '36/1 50/1 54/1' } };

let test: TestApp;
let firm: Firm;
let photo: Buffer;

beforeAll(async () => {
  test = await startTestApp();
  photo = await sharp({ create: { width: 40, height: 20, channels: 3, background: 'teal' } })
    .withExif(EXIF)
    .jpeg()
    .toBuffer();
});

beforeEach(async () => {
  firm = await createFirm(test);
});

async function createQuoteWithPhoto(bytes: Buffer) {
  const { client, cookie } = firm.people.admin;
  const id = randomUUID();
  expect((await uploadFile(test, `/api/files/${id}`, cookie, 'photo.jpg', bytes)).statusCode).toBe(201);
  const { id: customer_id } = await client.customers.create(buildCustomer());
  const quote = await client.quotes.create(buildQuote({ customer_id, attachment_ids: [id] }));
  const url = `/api/public${quote.public_path.replace('/quote/', '/quotes/')}/files/${id}`;
  return { id, quoteId: quote.id, download: () => test.request('GET', url) };
}

const getFolder = () => join(test.app.platform.config.dataDir, 'files', 'kept', firm.companyId);
const listCopies = async () =>
  (
    await test.owner.query<{ id: string; file_size: number }>(
      `select id, file_size::int from files where company_id = $1 and purpose = 'public_copy'`,
      [firm.companyId],
    )
  ).rows;

describe('a photo of a public quote', () => {
  it('shows no location or camera, and the company still gets it unchanged', async () => {
    const { id, download } = await createQuoteWithPhoto(photo);
    const { rawPayload, headers, statusCode } = await download();
    expect(statusCode).toBe(200);
    expect([(await sharp(rawPayload).metadata()).exif, rawPayload.includes('PhoneMaker')]).toEqual([undefined, false]);
    expect(headers).toMatchObject({
      'content-type': 'image/jpeg',
      'content-length': String(rawPayload.length),
      'content-disposition': "inline; filename*=UTF-8''photo.jpg",
    });
    const { cookie } = firm.people.admin;
    expect((await test.request('GET', `/api/files/${id}`, { cookie })).rawPayload).toEqual(photo);
  });

  it('is copied once, even if it is opened twelve times at once, and then served from the copy', async () => {
    const { id, download } = await createQuoteWithPhoto(photo);
    const responses = await Promise.all(Array.from({ length: 12 }, download));
    expect(new Set(responses.map(({ rawPayload }) => rawPayload.toString('hex'))).size).toBe(1);
    expect(await listCopies()).toMatchObject([{ file_size: responses[0]?.rawPayload.length }]);
    await rm(join(getFolder(), id));
    expect((await download()).rawPayload).toEqual(responses[0]?.rawPayload);
  });

  it('gets a new copy if the bytes of the first were lost', async () => {
    const { download } = await createQuoteWithPhoto(photo);
    const { rawPayload } = await download();
    const [lost] = await listCopies();
    await rm(join(getFolder(), lost?.id ?? ''));
    expect((await download()).rawPayload).toEqual(rawPayload);
    expect(await listCopies()).toHaveLength(1);
  });

  it('is re-encoded if it consists of too many parts', async () => {
    const emptySegments = Buffer.alloc(4 * 20_000, Buffer.of(0xff, 0xe0, 0, 2));
    const { download } = await createQuoteWithPhoto(Buffer.concat([photo.subarray(0, 2), emptySegments, photo.subarray(2)]));
    const { rawPayload, statusCode } = await download();
    expect([statusCode, rawPayload.includes('PhoneMaker'), rawPayload.length < photo.length]).toEqual([200, false, true]);
    expect(await sharp(rawPayload).metadata()).toMatchObject({ format: 'jpeg', width: 40, height: 20 });
  });

  it('is shown even if its end marker is missing', async () => {
    const { id, download } = await createQuoteWithPhoto(photo);
    // Uploads of small images without the marker are rejected, but those of large ones are not.
    await writeFile(join(getFolder(), id), photo.subarray(0, -2));
    const { rawPayload, statusCode } = await download();
    expect(statusCode).toBe(200);
    expect(await sharp(rawPayload, { failOn: 'none' }).metadata()).toMatchObject({ width: 40, height: 20 });
  });

  it('is not found if it is damaged, and only three attempts are made to copy it', async () => {
    const { id, download } = await createQuoteWithPhoto(photo);
    await writeFile(join(getFolder(), id), Buffer.alloc(100, 7));
    for (let count = 0; count < 5; count += 1) expect((await download()).statusCode).toBe(404);
    const warnings = test.logLines.filter((line) => line.includes('A damaged image was not shown') && line.includes(id));
    expect(warnings).toHaveLength(3);
  });

  it('is deleted together with its copy', async () => {
    const { quoteId, download } = await createQuoteWithPhoto(photo);
    await download();
    expect(await readdir(getFolder())).toHaveLength(3);
    await firm.people.admin.client.quotes.remove({ id: quoteId });
    await waitForQueue(test);
    expect([await listCopies(), await readdir(getFolder())]).toEqual([[], []]);
  });
});
