import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { LOGO_LIMIT_BYTES } from '@callout/domain/files/file-size';
import { hasCapability, ROLES } from '@callout/domain/roles/roles';
import sharp from 'sharp';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { waitUntilBlocked, withOwnerClient } from '../../../test/database.ts';
import { createFirm, type Firm } from '../../../test/factories/people.ts';
import { buildPdf } from '../../../test/sample-files.ts';
import { startTestApp, type TestApp } from '../../../test/test-app.ts';
import { uploadFile } from '../../../test/upload.ts';

let test: TestApp;

beforeAll(async () => {
  test = await startTestApp();
});

const listFilesIn = async (folder: string): Promise<string[]> =>
  readdir(join(test.app.platform.config.dataDir, 'files', folder)).catch(() => []);

afterEach(async () => expect(await listFilesIn('incoming')).toEqual([]));

const createImage = (width = 900, height = 300) =>
  sharp({ create: { width, height, channels: 4, background: { r: 15, g: 118, b: 110, alpha: 0.5 } } });

/** Creates an image that has many pixels but few bytes. */
const createFlatImage = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: 'white' } })
    .png({ compressionLevel: 4 })
    .toBuffer();

const uploadLogo = (firm: Firm, name: string, bytes: Buffer, cookie = firm.people.admin.cookie) =>
  uploadFile(test, '/api/company/logo', cookie, name, bytes);

const readLogoUrl = async (firm: Firm) => (await firm.people.staff.client.company.me()).profile?.avatar_url ?? null;
const listStoredFiles = (firm: Firm) => listFilesIn(join('kept', firm.companyId));

async function createFirmWithLogo(): Promise<Firm & { readonly url: string }> {
  const firm = await createFirm(test);
  const response = await uploadLogo(firm, 'logo.png', await createImage().png().toBuffer());
  return { ...firm, url: response.json<{ avatar_url: string }>().avatar_url };
}

describe('a logo', () => {
  it.each(['png', 'jpeg', 'webp', 'gif'] as const)(
    'in %s format is served to everyone as a resized PNG without camera metadata',
    async (format) => {
      const firm = await createFirm(test);
      const bytes = await createImage(2000, 1000)
        .toFormat(format)
        .withExif({ IFD0: { Copyright: 'secret place' } })
        .toBuffer();
      const response = await uploadLogo(firm, `logo.${format}`, bytes);
      expect([response.statusCode, response.json()]).toEqual([200, { avatar_url: await readLogoUrl(firm) }]);
      const served = await test.request('GET', (await readLogoUrl(firm)) ?? '');
      expect(served.headers).toMatchObject({
        'content-type': 'image/png',
        'cache-control': 'public, max-age=31536000, immutable',
        // Webmail pages have another origin, so they couldn't load the logo without this header.
        'cross-origin-resource-policy': 'cross-origin',
        'content-security-policy': "default-src 'none'; sandbox",
      });
      const { width, height, format: servedFormat, exif } = await sharp(served.rawPayload).metadata();
      expect({ width, height, servedFormat, exif }).toEqual({ width: 512, height: 256, servedFormat: 'png', exif: undefined });
    },
  );

  it('keeps a small size and its transparency', async () => {
    const firm = await createFirm(test);
    await uploadLogo(firm, 'logo.png', await createImage(40, 20).png().toBuffer());
    const { width, height, hasAlpha } = await sharp((await test.request('GET', (await readLogoUrl(firm)) ?? '')).rawPayload).metadata();
    expect({ width, height, hasAlpha }).toEqual({ width: 40, height: 20, hasAlpha: true });
  });

  it('is rotated upright if it has an orientation tag', async () => {
    const firm = await createFirm(test);
    await uploadLogo(firm, 'logo.jpg', await createImage(400, 200).jpeg().withMetadata({ orientation: 6 }).toBuffer());
    expect(await sharp((await test.request('GET', (await readLogoUrl(firm)) ?? '')).rawPayload).metadata()).toMatchObject({
      width: 200,
      height: 400,
    });
  });

  it('replaces the previous one, deletes its file and gets a new URL, so that no cache serves the old one', async () => {
    const firm = await createFirmWithLogo();
    await uploadLogo(firm, 'logo.png', await createImage(300, 300).png().toBuffer());
    const second = await readLogoUrl(firm);
    expect(second).not.toBe(firm.url);
    expect((await test.request('GET', firm.url)).statusCode).toBe(404);
    await expect.poll(() => listStoredFiles(firm), { timeout: 10_000 }).toEqual([second?.split('/').at(-1)]);
  });

  it('can be removed together with its file', async () => {
    const firm = await createFirmWithLogo();
    expect((await firm.people.admin.client.company.removeLogo()).profile?.avatar_url).toBeNull();
    expect((await test.request('GET', firm.url)).statusCode).toBe(404);
    await expect.poll(() => listStoredFiles(firm), { timeout: 10_000 }).toEqual([]);
    expect((await firm.people.admin.client.company.removeLogo()).profile?.avatar_url).toBeNull();
  });

  it('is stored as a single file even if it is uploaded three times at once', async () => {
    const firm = await createFirm(test);
    const bytes = await createImage().png().toBuffer();
    const responses = await withOwnerClient(test.database, async (owner) => {
      await owner.query('begin');
      await owner.query('select from companies where company_id = $1 for update', [firm.companyId]);
      const uploads = [1, 2, 3].map(() => uploadLogo(firm, 'logo.png', bytes));
      // The third waits for one of the company's connections.
      await waitUntilBlocked(test.database, 2);
      await owner.query('commit');
      return Promise.all(uploads);
    });
    expect(responses.map((response) => response.statusCode)).toEqual([200, 200, 200]);
    const last = await readLogoUrl(firm);
    await expect.poll(() => listStoredFiles(firm), { timeout: 10_000 }).toEqual([last?.split('/').at(-1)]);
  });
});

describe('a logo upload', () => {
  const NOT_AN_IMAGE = { code: 'UNSUPPORTED_FILE', message: 'Please select an image file' };
  const TOO_LARGE = { code: 'TOO_LARGE', message: 'File size must be less than 2MB' };

  /** Uploads a file that must be rejected, checks that the previous logo is unchanged, and returns the error. */
  const getUploadError = async (name: string, bytes: Buffer) => {
    const firm = await createFirmWithLogo();
    const { code, message } = (await uploadLogo(firm, name, bytes)).json<{ code: string; message: string }>();
    expect(await readLogoUrl(firm)).toBe(firm.url);
    expect(await listStoredFiles(firm)).toHaveLength(1);
    return { code, message };
  };

  it('rejects a document, even if it is named .png', async () => {
    expect(await getUploadError('plan.pdf', buildPdf())).toEqual(NOT_AN_IMAGE);
    expect(await getUploadError('plan.png', buildPdf())).toEqual(NOT_AN_IMAGE);
  });

  it('rejects an SVG, which can contain a script', async () => {
    expect(await getUploadError('logo.svg', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>'))).toEqual(NOT_AN_IMAGE);
  });

  it('rejects a truncated image', async () => {
    const bytes = await createImage(800, 800).jpeg().toBuffer();
    expect(await getUploadError('logo.jpg', bytes.subarray(0, bytes.length / 2))).toEqual(NOT_AN_IMAGE);
  });

  it('rejects a small file that decompresses to more pixels than a phone photo has', async () => {
    const bytes = await createFlatImage(7300, 7300);
    expect(bytes.length).toBeLessThan(LOGO_LIMIT_BYTES);
    expect(await getUploadError('bomb.png', bytes)).toEqual({
      code: 'TOO_LARGE',
      message: 'This image has too many pixels. Please select a smaller one.',
    });
  });

  it('accepts a photo of fifty megapixels', async () => {
    expect((await uploadLogo(await createFirm(test), 'logo.png', await createFlatImage(8160, 6144))).statusCode).toBe(200);
  });

  it('rejects a file of two megabytes and accepts one that is a byte smaller', async () => {
    const png = await createImage(10, 10).png().toBuffer();
    const padded = (size: number) => Buffer.concat([png, Buffer.alloc(size - png.length)]);
    expect(await getUploadError('logo.png', padded(LOGO_LIMIT_BYTES))).toEqual(TOO_LARGE);
    expect((await uploadLogo(await createFirm(test), 'logo.png', padded(LOGO_LIMIT_BYTES - 1))).statusCode).toBe(200);
  });

  it.each(ROLES.filter((role) => !hasCapability(role, 'company.edit')))('is forbidden for the %s', async (role) => {
    const firm = await createFirmWithLogo();
    const response = await uploadLogo(firm, 'logo.png', await createImage().png().toBuffer(), firm.people[role].cookie);
    expect([response.statusCode, response.json()]).toMatchObject([
      403,
      { message: 'You do not have permission to change the company settings' },
    ]);
    expect(await readLogoUrl(firm)).toBe(firm.url);
  });
});

it('never serves an attachment as an image to someone who only has its id', async () => {
  const firm = await createFirm(test);
  const id = '018f0000-0000-7000-8000-00000000abcd';
  await uploadFile(test, `/api/files/${id}`, firm.people.admin.cookie, 'leak.png', await createImage().png().toBuffer());
  expect((await test.request('GET', `/api/images/${id}`)).statusCode).toBe(404);
  expect((await test.request('GET', '/api/images/nonsense')).statusCode).toBe(404);
});
