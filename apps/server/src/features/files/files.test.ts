import { randomUUID } from 'node:crypto';
import { readdir, rm } from 'node:fs/promises';
import { request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { MAX_FILE_BYTES } from '@callout/domain/files/file-size';
import sharp from 'sharp';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { withOwner } from '../../../test/database.ts';
import { createFirm, createPerson, type Firm, hire } from '../../../test/factories/people.ts';
import { doc, docx, pdf, png, zip } from '../../../test/sample-files.ts';
import { startTestApp, type TestApp } from '../../../test/test-app.ts';
import { BOUNDARY, multipart, multipartHeaders, uploadTo } from '../../../test/upload.ts';

let test: TestApp;
let firm: Firm;

beforeAll(async () => {
  test = await startTestApp();
  firm = await createFirm(test);
});

const filesIn = (folder: 'incoming' | 'kept') =>
  readdir(join(test.app.platform.config.dataDir, 'files', folder), { recursive: true, withFileTypes: true }).then(
    (entries) => entries.filter((entry) => entry.isFile()).map((entry) => entry.name),
    () => [],
  );

afterEach(async () => {
  expect(await filesIn('incoming')).toEqual([]);
});

interface Upload {
  readonly name?: string;
  readonly bytes?: Buffer;
  readonly id?: string;
  readonly cookie?: string;
}

function upload({ name = 'leak.png', bytes = png(), id = randomUUID(), cookie = firm.people.staff.cookie }: Upload) {
  return uploadTo(test, `/api/files/${id}`, cookie, name, bytes);
}

const download = (id: string, cookie: string | undefined = firm.people.accountant.cookie) =>
  test.request('GET', `/api/files/${id}`, { cookie });

describe('an uploaded file', () => {
  it.each([
    ['leak.png', png(), 'image/png', 'inline'],
    ['LEAK.PNG', png(), 'image/png', 'inline'],
    ['plan.pdf', pdf(), 'application/pdf', 'attachment'],
    ['letter.docx', docx(), 'application/vnd.openxmlformats-officedocument.wordprocessingml.document', 'attachment'],
    ['letter.doc', doc(), 'application/msword', 'attachment'],
  ])('%s is returned to every colleague byte for byte', async (name, bytes, type, disposition) => {
    const id = randomUUID();
    const stored = await upload({ id, name, bytes });
    expect([stored.statusCode, stored.json()]).toEqual([
      201,
      { id, file_name: name, file_size: bytes.length, file_type: type, url: `/api/files/${id}` },
    ]);
    const answer = await download(id);
    expect(answer.statusCode).toBe(200);
    expect(answer.rawPayload.equals(bytes)).toBe(true);
    expect(answer.headers).toMatchObject({
      'content-type': type,
      'content-length': String(bytes.length),
      'content-disposition': `${disposition}; filename*=UTF-8''${name}`,
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
      'cache-control': 'private, no-cache',
      etag: `"${firm.companyId}/${id}"`,
    });
  });

  it('is revalidated on each request, so that a cached copy is not resent and nobody sees it after signing out', async () => {
    const id = randomUUID();
    const { cookie } = await hire(test, firm.companyId, 'staff');
    await upload({ id, cookie });
    const again = (as: string) =>
      test.request('GET', `/api/files/${id}`, { cookie: as, headers: { 'if-none-match': `"${firm.companyId}/${id}"` } });
    const kept = await again(cookie);
    expect([kept.statusCode, kept.rawPayload.length, kept.headers]).toMatchObject([304, 0, { 'cache-control': 'private, no-cache' }]);
    const other = await createFirm(test, 'Other');
    expect((await again(other.people.admin.cookie)).statusCode).toBe(404);
    const signedOut = await test.request('POST', '/api/auth/sign-out', { cookie, body: {} });
    expect([signedOut.statusCode, signedOut.headers['clear-site-data']]).toEqual([200, '"cache"']);
    const refused = await again(cookie);
    expect([refused.statusCode, refused.headers['cache-control']]).toEqual([401, 'no-store']);
  });

  it('records who uploaded it', async () => {
    const id = randomUUID();
    await upload({ id });
    const { rows } = await test.app.platform.pools.system.query('select user_id, company_id from files where id = $1', [id]);
    expect(rows).toEqual([{ user_id: firm.people.staff.userId, company_id: firm.companyId }]);
  });

  it('answers 404 to other companies and people without one, and 401 to signed-out visitors', async () => {
    const id = randomUUID();
    await upload({ id });
    const other = await createFirm(test, 'Other');
    expect((await download(id, other.people.admin.cookie)).statusCode).toBe(404);
    expect((await download(id, (await createPerson(test)).cookie)).statusCode).toBe(403);
    expect((await download(id, '')).statusCode).toBe(401);
    expect((await upload({ cookie: '' })).statusCode).toBe(401);
  });

  it.each([randomUUID(), 'none', '..%2f..%2fsession-secret', '%00'])('answers 404 for the unknown id %s', async (id) => {
    expect((await download(id)).statusCode).toBe(404);
  });
});

describe('a file id', () => {
  it('is the same in upper case', async () => {
    const id = randomUUID();
    const sent = await upload({ id: id.toUpperCase() });
    expect([sent.statusCode, sent.json()]).toMatchObject([201, { id, url: `/api/files/${id}` }]);
    expect((await upload({ id })).json()).toEqual(sent.json());
    for (const asked of [id, id.toUpperCase()]) {
      const answer = await download(asked);
      expect([answer.statusCode, answer.rawPayload.equals(png())]).toEqual([200, true]);
    }
  });
});

describe('a file whose bytes are missing on disk', () => {
  const loseBytes = (id: string) => rm(join(test.app.platform.config.dataDir, 'files', 'kept', firm.companyId, id));

  it('answers 404', async () => {
    const id = randomUUID();
    await upload({ id });
    await loseBytes(id);
    const answer = await download(id);
    expect([answer.statusCode, answer.json()]).toMatchObject([404, { code: 'NOT_FOUND', message: 'File not found' }]);
    expect(answer.headers).toMatchObject({ 'content-type': expect.stringContaining('application/json'), 'cache-control': 'no-store' });
    expect(answer.headers['content-disposition']).toBeUndefined();
  });

  it('is restored by the same upload, and by no other', async () => {
    const id = randomUUID();
    const sent = await upload({ id });
    await loseBytes(id);
    expect((await upload({ id, name: 'other.png' })).statusCode).toBe(409);
    expect((await download(id)).statusCode).toBe(404);
    const again = await upload({ id });
    expect([again.statusCode, again.json()]).toEqual([201, sent.json()]);
    expect((await download(id)).rawPayload.equals(png())).toBe(true);
  });
});

describe('the size of a file', () => {
  it('may be 25 MB and not a byte more', async () => {
    const id = randomUUID();
    expect((await upload({ id, bytes: png(MAX_FILE_BYTES) })).statusCode).toBe(201);
    expect((await download(id)).rawPayload.length).toBe(MAX_FILE_BYTES);
    const larger = randomUUID();
    const refused = await upload({ id: larger, bytes: png(MAX_FILE_BYTES + 1) });
    expect([refused.statusCode, refused.json()]).toMatchObject([413, { code: 'TOO_LARGE' }]);
    expect((await download(larger)).statusCode).toBe(404);
  });
});

describe('the content of a file', () => {
  it.each<[string, string, Buffer]>([
    ['a program called .png', 'run.png', Buffer.concat([Buffer.from('MZ'), Buffer.alloc(200)])],
    ['svg called .png', 'logo.png', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')],
    ['svg', 'logo.svg', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')],
    ['html', 'page.html', Buffer.from('<!doctype html><script>alert(1)</script>')],
    ['html called .pdf', 'page.pdf', Buffer.from('<!doctype html><script>alert(1)</script>')],
    ['a picture called .pdf', 'leak.pdf', png()],
    ['any archive called .docx', 'letter.docx', zip({ 'run.exe': 'MZ' })],
    ['nothing', 'empty.png', Buffer.alloc(0)],
    ['a picture without an extension', 'leak', png()],
    ['a picture with two extensions', 'leak.png.exe', png()],
  ])('is refused when it is %s', async (_, name, bytes) => {
    const id = randomUUID();
    const answer = await upload({ id, name, bytes });
    expect([answer.statusCode, answer.json()]).toMatchObject([415, { code: 'UNSUPPORTED_FILE' }]);
    expect((await download(id)).statusCode).toBe(404);
  });
});

describe('the same upload twice', () => {
  it('is one file', async () => {
    const id = randomUUID();
    const [first, second] = [await upload({ id }), await upload({ id })];
    expect(second.json()).toEqual(first.json());
  });

  it('is one file when both arrive at once', async () => {
    const id = randomUUID();
    const answers = await Promise.all([1, 2, 3].map(() => upload({ id })));
    expect(answers.map((answer) => answer.statusCode)).toEqual([201, 201, 201]);
    expect((await filesIn('kept')).filter((name) => name === id)).toHaveLength(1);
  });

  it.each<[string, Upload]>([
    ['under another name', { name: 'other.png' }],
    ['with another size', { bytes: png(101) }],
    ['with other bytes of the same size', { bytes: Buffer.concat([png().subarray(0, 99), Buffer.from('!')]) }],
  ])('%s is refused and replaces nothing', async (_, other) => {
    const id = randomUUID();
    await upload({ id });
    const answer = await upload({ id, ...other });
    expect([answer.statusCode, answer.json()]).toMatchObject([409, { code: 'ID_TAKEN' }]);
    expect((await download(id)).rawPayload.equals(png())).toBe(true);
  });

  it('by two companies is two files', async () => {
    const id = randomUUID();
    const other = await createFirm(test, 'Other');
    await upload({ id });
    expect((await upload({ id, name: 'theirs.png', bytes: png(200), cookie: other.people.admin.cookie })).statusCode).toBe(201);
    expect((await download(id)).rawPayload.length).toBe(100);
    expect((await download(id, other.people.staff.cookie)).rawPayload.length).toBe(200);
  });
});

it('a collision other than the id is never reported as a taken id, and leaves no bytes', async () => {
  await upload({ name: 'twice.png' });
  await withOwner(test.database, (owner) =>
    owner.query(`create unique index files_by_name on files (company_id, file_name)
    where file_name = 'twice.png'`),
  );
  const id = randomUUID();
  const answer = await upload({ id, name: 'twice.png' });
  await withOwner(test.database, (owner) => owner.query('drop index files_by_name'));
  expect([answer.statusCode, answer.json()]).toMatchObject([500, { code: 'INTERNAL' }]);
  expect(await filesIn('kept')).not.toContain(id);
});

describe('an upload whose transaction lost to another', () => {
  beforeAll(async () => {
    // A sequence is not rolled back: the first commit after each reset fails, the next one succeeds.
    await test.owner.query(`
      create sequence commits;
      grant usage on sequence commits to callout_app;
      create function fail_first_commit() returns trigger language plpgsql as $$
      begin
        if nextval('commits') = 1 then raise exception 'lost' using errcode = 'serialization_failure'; end if;
        return null;
      end $$;
      create constraint trigger fail_first_commit after insert on files deferrable initially deferred
        for each row execute function fail_first_commit();`);
    return () => test.owner.query('drop trigger fail_first_commit on files; drop function fail_first_commit; drop sequence commits');
  });

  it.each(['file', 'logo'])('is retried with its bytes: a %s', async (kind) => {
    await test.owner.query('alter sequence commits restart');
    const id = randomUUID();
    const bytes = await sharp({ create: { width: 9, height: 9, channels: 3, background: 'white' } })
      .png()
      .toBuffer();
    const path = kind === 'file' ? `/api/files/${id}` : '/api/company/logo';
    const answer = await uploadTo(test, path, firm.people.admin.cookie, 'leak.png', bytes);
    expect([200, 201]).toContain(answer.statusCode);
    const stored = answer.json<{ url?: string; avatar_url?: string }>();
    const shown = await test.request('GET', stored.url ?? stored.avatar_url ?? '', { cookie: firm.people.admin.cookie });
    expect([shown.statusCode, shown.rawPayload.length > 0]).toEqual([200, true]);
    expect((await sharp(shown.rawPayload).metadata()).width).toBe(9);
  });
});

describe('the name of a file', () => {
  it.each([
    ['../../etc/passwd.png', 'passwd.png', 'passwd.png'],
    ['C:\\\\Users\\\\Ana\\\\leak.png', 'leak.png', 'leak.png'],
    ['Zoë’s leak (1).png', 'Zoë’s leak (1).png', 'Zo%C3%AB%E2%80%99s%20leak%20%281%29.png'],
    [`a'b*.png`, `a'b*.png`, 'a%27b%2A.png'],
    ['19%22 rack%0D%0A 50%.png', '19" rack 50%.png', '19%22%20rack%2050%25.png'],
    ['<script>.png', '<script>.png', '%3Cscript%3E.png'],
    [`${'x'.repeat(300)}.png`, `${'x'.repeat(196)}.png`, `${'x'.repeat(196)}.png`],
  ])('%s is kept as %s', async (sent, kept, header) => {
    const id = randomUUID();
    expect((await upload({ id, name: sent })).json()).toMatchObject({ file_name: kept });
    expect((await download(id)).headers['content-disposition']).toBe(`inline; filename*=UTF-8''${header}`);
  });

  it('is never cut within an emoji, and is the same when it is sent again', async () => {
    const id = randomUUID();
    const name = `${'🧰'.repeat(150)}a.png`;
    const kept = `${'🧰'.repeat(97)}a.png`;
    expect((await upload({ id, name })).json()).toMatchObject({ file_name: kept });
    expect((await upload({ id, name })).json()).toMatchObject({ file_name: kept });
    expect((await download(id)).statusCode).toBe(200);
  });
});

describe('an invalid upload', () => {
  const put = (type: string, body: string | Buffer) =>
    test.request('PUT', `/api/files/${randomUUID()}`, { cookie: firm.people.staff.cookie, headers: { 'content-type': type }, body });

  it.each<[string, string, string | Buffer]>([
    ['JSON', 'application/json', '{}'],
    ['a form without a file', multipartHeaders['content-type'], `--${BOUNDARY}--\r\n`],
    ['a form without a boundary', 'multipart/form-data', 'x'],
    ['an incomplete form', multipartHeaders['content-type'], multipart('leak.png', png(), '')],
    ['bare bytes', 'image/png', png()],
  ])('with %s is refused with a typed 4xx', async (_, type, body) => {
    const answer = await put(type, body);
    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toMatchObject({ code: 'UNREADABLE' });
  });

  it('that is interrupted leaves nothing behind', async () => {
    await test.app.server.listen({ port: 0, host: '127.0.0.1' });
    const { port } = test.app.server.server.address() as AddressInfo;
    const id = randomUUID();
    const sending = httpRequest({
      port,
      method: 'PUT',
      path: `/api/files/${id}`,
      headers: {
        cookie: firm.people.staff.cookie,
        'content-type': multipartHeaders['content-type'],
        'content-length': 1_000_000,
      },
    });
    sending.on('error', () => undefined);
    sending.write(multipart('leak.png', png(200_000), ''));
    await expect.poll(() => filesIn('incoming'), { timeout: 10_000 }).toHaveLength(1);
    sending.destroy();
    await expect.poll(() => filesIn('incoming'), { timeout: 10_000 }).toEqual([]);
    expect((await download(id)).statusCode).toBe(404);
  });
});

it('logs no errors except the provoked one', () => {
  expect(test.logged.filter((line) => line.includes('"level":50') && !line.includes('files_by_name'))).toEqual([]);
});
