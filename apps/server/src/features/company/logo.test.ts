import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { LOGO_LIMIT_BYTES } from '@callout/domain/files/file-size';
import { can, ROLES } from '@callout/domain/roles/roles';
import sharp from 'sharp';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { waitUntilBlocked, withOwner } from '../../../test/database.ts';
import { createFirm, type Firm } from '../../../test/factories/people.ts';
import { pdf } from '../../../test/sample-files.ts';
import { startTestApp, type TestApp } from '../../../test/test-app.ts';
import { uploadTo } from '../../../test/upload.ts';

let test: TestApp;

beforeAll(async () => {
  test = await startTestApp();
});

const filesIn = async (folder: string): Promise<string[]> =>
  readdir(join(test.app.platform.config.dataDir, 'files', folder)).catch(() => []);

afterEach(async () => expect(await filesIn('incoming')).toEqual([]));

const picture = (width = 900, height = 300) =>
  sharp({ create: { width, height, channels: 4, background: { r: 15, g: 118, b: 110, alpha: 0.5 } } });

/** Very many pixels in very few bytes. */
const flat = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: 'white' } })
    .png({ compressionLevel: 4 })
    .toBuffer();

const uploadLogo = (firm: Firm, name: string, bytes: Buffer, cookie = firm.people.admin.cookie) =>
  uploadTo(test, '/api/company/logo', cookie, name, bytes);

const logoOf = async (firm: Firm) => (await firm.people.staff.client.company.me()).profile?.avatar_url ?? null;
const keptBy = (firm: Firm) => filesIn(join('kept', firm.companyId));

async function firmWithLogo(): Promise<Firm & { readonly url: string }> {
  const firm = await createFirm(test);
  const answer = await uploadLogo(firm, 'logo.png', await picture().png().toBuffer());
  return { ...firm, url: answer.json<{ avatar_url: string }>().avatar_url };
}

describe('a logo', () => {
  it.each(['png', 'jpeg', 'webp', 'gif'] as const)(
    'as %s is shown to everyone, resized, as PNG and without camera metadata',
    async (format) => {
      const firm = await createFirm(test);
      const bytes = await picture(2000, 1000)
        .toFormat(format)
        .withExif({ IFD0: { Copyright: 'secret place' } })
        .toBuffer();
      const answer = await uploadLogo(firm, `logo.${format}`, bytes);
      expect([answer.statusCode, answer.json()]).toEqual([200, { avatar_url: await logoOf(firm) }]);
      const shown = await test.request('GET', (await logoOf(firm)) ?? '');
      expect(shown.headers).toMatchObject({
        'content-type': 'image/png',
        'cache-control': 'public, max-age=31536000, immutable',
        // Web mail shows the image under its own URL.
        'cross-origin-resource-policy': 'cross-origin',
        'content-security-policy': "default-src 'none'; sandbox",
      });
      const { width, height, format: made, exif } = await sharp(shown.rawPayload).metadata();
      expect({ width, height, made, exif }).toEqual({ width: 512, height: 256, made: 'png', exif: undefined });
    },
  );

  it('that is already small is not enlarged, and keeps its transparency', async () => {
    const firm = await createFirm(test);
    await uploadLogo(firm, 'logo.png', await picture(40, 20).png().toBuffer());
    const { width, height, hasAlpha } = await sharp((await test.request('GET', (await logoOf(firm)) ?? '')).rawPayload).metadata();
    expect({ width, height, hasAlpha }).toEqual({ width: 40, height: 20, hasAlpha: true });
  });

  it('with an orientation tag is turned upright', async () => {
    const firm = await createFirm(test);
    await uploadLogo(firm, 'logo.jpg', await picture(400, 200).jpeg().withMetadata({ orientation: 6 }).toBuffer());
    expect(await sharp((await test.request('GET', (await logoOf(firm)) ?? '')).rawPayload).metadata()).toMatchObject({
      width: 200,
      height: 400,
    });
  });

  it('replaces the previous one, deletes its file, and gets a new URL, so that no cache shows the old one', async () => {
    const firm = await firmWithLogo();
    await uploadLogo(firm, 'logo.png', await picture(300, 300).png().toBuffer());
    const second = await logoOf(firm);
    expect(second).not.toBe(firm.url);
    expect((await test.request('GET', firm.url)).statusCode).toBe(404);
    await expect.poll(() => keptBy(firm), { timeout: 10_000 }).toEqual([second?.split('/').at(-1)]);
  });

  it('can be removed, with its file', async () => {
    const firm = await firmWithLogo();
    expect((await firm.people.admin.client.company.removeLogo()).profile?.avatar_url).toBeNull();
    expect((await test.request('GET', firm.url)).statusCode).toBe(404);
    await expect.poll(() => keptBy(firm), { timeout: 10_000 }).toEqual([]);
    expect((await firm.people.admin.client.company.removeLogo()).profile?.avatar_url).toBeNull();
  });

  it('uploaded three times at once is accepted each time and leaves one logo and one file', async () => {
    const firm = await createFirm(test);
    const bytes = await picture().png().toBuffer();
    const answers = await withOwner(test.database, async (owner) => {
      await owner.query('begin');
      await owner.query('select from companies where company_id = $1 for update', [firm.companyId]);
      const uploads = [1, 2, 3].map(() => uploadLogo(firm, 'logo.png', bytes));
      await waitUntilBlocked(test.database, uploads.length);
      await owner.query('commit');
      return Promise.all(uploads);
    });
    expect(answers.map((answer) => answer.statusCode)).toEqual([200, 200, 200]);
    const last = await logoOf(firm);
    await expect.poll(() => keptBy(firm), { timeout: 10_000 }).toEqual([last?.split('/').at(-1)]);
  });
});

describe('a logo upload', () => {
  const NO_IMAGE = { code: 'UNSUPPORTED_FILE', message: 'Please select an image file' };
  const TOO_LARGE = { code: 'TOO_LARGE', message: 'File size must be less than 2MB' };

  /** The refusal for a company with a logo, after checking that the logo is unchanged. */
  const answerTo = async (name: string, bytes: Buffer) => {
    const firm = await firmWithLogo();
    const { code, message } = (await uploadLogo(firm, name, bytes)).json<{ code: string; message: string }>();
    expect(await logoOf(firm)).toBe(firm.url);
    expect(await keptBy(firm)).toHaveLength(1);
    return { code, message };
  };

  it('refuses a document, whatever its name', async () => {
    expect(await answerTo('plan.pdf', pdf())).toEqual(NO_IMAGE);
    expect(await answerTo('plan.png', pdf())).toEqual(NO_IMAGE);
  });

  it('refuses an SVG, which can contain a script', async () => {
    expect(await answerTo('logo.svg', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>'))).toEqual(NO_IMAGE);
  });

  it('refuses a truncated image', async () => {
    const bytes = await picture(800, 800).jpeg().toBuffer();
    expect(await answerTo('logo.jpg', bytes.subarray(0, bytes.length / 2))).toEqual(NO_IMAGE);
  });

  it('a small file that decompresses to more pixels than a phone photo has', async () => {
    const bytes = await flat(7300, 7300);
    expect(bytes.length).toBeLessThan(LOGO_LIMIT_BYTES);
    expect(await answerTo('bomb.png', bytes)).toEqual({
      code: 'TOO_LARGE',
      message: 'This image has too many pixels. Please select a smaller one.',
    });
  });

  it('but not a photo of fifty megapixels', async () => {
    expect((await uploadLogo(await createFirm(test), 'logo.png', await flat(8160, 6144))).statusCode).toBe(200);
  });

  it('refuses two megabytes, and accepts one byte less', async () => {
    const png = await picture(10, 10).png().toBuffer();
    const padded = (size: number) => Buffer.concat([png, Buffer.alloc(size - png.length)]);
    expect(await answerTo('logo.png', padded(LOGO_LIMIT_BYTES))).toEqual(TOO_LARGE);
    expect((await uploadLogo(await createFirm(test), 'logo.png', padded(LOGO_LIMIT_BYTES - 1))).statusCode).toBe(200);
  });

  it.each(ROLES.filter((role) => !can(role, 'company.edit')))('is refused to the %s', async (role) => {
    const firm = await firmWithLogo();
    const answer = await uploadLogo(firm, 'logo.png', await picture().png().toBuffer(), firm.people[role].cookie);
    expect([answer.statusCode, answer.json()]).toMatchObject([
      403,
      { message: 'You do not have permission to change the company settings' },
    ]);
    expect(await logoOf(firm)).toBe(firm.url);
  });
});

it('an attachment is never served as an image to someone who only has its id', async () => {
  const firm = await createFirm(test);
  const id = '018f0000-0000-7000-8000-00000000abcd';
  await uploadTo(test, `/api/files/${id}`, firm.people.admin.cookie, 'leak.png', await picture().png().toBuffer());
  expect((await test.request('GET', `/api/images/${id}`)).statusCode).toBe(404);
  expect((await test.request('GET', '/api/images/nonsense')).statusCode).toBe(404);
});
