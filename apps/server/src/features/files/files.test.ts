import { randomUUID } from 'node:crypto';
import { readdir, rm } from 'node:fs/promises';
import { request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { MAX_FILE_BYTES } from '@callout/domain/files/file-size';
import sharp from 'sharp';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { withOwnerClient } from '../../../test/database.ts';
import { listenOnLocalhost } from '../../../test/event-stream.ts';
import { addStaffMember, createFirm, createPerson, type Firm } from '../../../test/factories/people.ts';
import { buildDoc, buildDocx, buildPdf, buildPng, buildZip } from '../../../test/sample-files.ts';
import { startTestApp, type TestApp } from '../../../test/test-app.ts';
import { buildMultipartBody, MULTIPART_BOUNDARY, MULTIPART_HEADERS, uploadFile } from '../../../test/upload.ts';

const MAX_DOWNLOADS_PER_DEVICE = 20;

let test: TestApp;
let firm: Firm;

beforeAll(async () => {
  test = await startTestApp();
  firm = await createFirm(test);
});

const listFilesIn = (folder: 'incoming' | 'kept') =>
  readdir(join(test.app.platform.config.dataDir, 'files', folder), { recursive: true, withFileTypes: true }).then(
    (entries) => entries.filter((entry) => entry.isFile()).map((entry) => entry.name),
    () => [],
  );

afterEach(async () => {
  expect(await listFilesIn('incoming')).toEqual([]);
});

interface UploadOverrides {
  readonly name?: string;
  readonly bytes?: Buffer;
  readonly id?: string;
  readonly cookie?: string;
}

function upload({ name = 'leak.png', bytes = buildPng(), id = randomUUID(), cookie = firm.people.staff.cookie }: UploadOverrides) {
  return uploadFile(test, `/api/files/${id}`, cookie, name, bytes);
}

const download = (id: string, cookie: string | undefined = firm.people.accountant.cookie) =>
  test.request('GET', `/api/files/${id}`, { cookie });

describe('an uploaded file', () => {
  it.each([
    ['leak.png', buildPng(), 'image/png', 'inline'],
    ['LEAK.PNG', buildPng(), 'image/png', 'inline'],
    ['plan.pdf', buildPdf(), 'application/pdf', 'attachment'],
    ['letter.docx', buildDocx(), 'application/vnd.openxmlformats-officedocument.wordprocessingml.document', 'attachment'],
    ['letter.doc', buildDoc(), 'application/msword', 'attachment'],
  ])('%s is returned to colleagues byte for byte', async (name, bytes, type, disposition) => {
    const id = randomUUID();
    const stored = await upload({ id, name, bytes });
    expect([stored.statusCode, stored.json()]).toEqual([
      201,
      { id, file_name: name, file_size: bytes.length, file_type: type, url: `/api/files/${id}` },
    ]);
    const response = await download(id);
    expect(response.statusCode).toBe(200);
    expect(response.rawPayload.equals(bytes)).toBe(true);
    expect(response.headers).toMatchObject({
      'content-type': type,
      'content-length': String(bytes.length),
      'content-disposition': `${disposition}; filename*=UTF-8''${name}`,
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
      'cache-control': 'private, no-cache',
      etag: `"${firm.companyId}/${id}"`,
    });
  });

  it('is revalidated on each request, so it is neither resent if cached nor served after signing out', async () => {
    const id = randomUUID();
    const { cookie } = await addStaffMember(test, firm.companyId, 'staff');
    await upload({ id, cookie });
    const revalidate = (as: string) =>
      test.request('GET', `/api/files/${id}`, { cookie: as, headers: { 'if-none-match': `"${firm.companyId}/${id}"` } });
    const cached = await revalidate(cookie);
    expect([cached.statusCode, cached.rawPayload.length, cached.headers]).toMatchObject([304, 0, { 'cache-control': 'private, no-cache' }]);
    const other = await createFirm(test, 'Other');
    expect((await revalidate(other.people.admin.cookie)).statusCode).toBe(404);
    const signedOut = await test.request('POST', '/api/auth/sign-out', { cookie, body: {} });
    expect([signedOut.statusCode, signedOut.headers['clear-site-data']]).toEqual([200, '"cache"']);
    const rejected = await revalidate(cookie);
    expect([rejected.statusCode, rejected.headers['cache-control']]).toEqual([401, 'no-store']);
  });

  it('records who uploaded it', async () => {
    const id = randomUUID();
    await upload({ id });
    const { rows } = await test.app.platform.pools.system.query('select user_id, company_id from files where id = $1', [id]);
    expect(rows).toEqual([{ user_id: firm.people.staff.userId, company_id: firm.companyId }]);
  });

  it('is hidden from other companies, people without a company and signed-out visitors', async () => {
    const id = randomUUID();
    await upload({ id });
    const other = await createFirm(test, 'Other');
    expect((await download(id, other.people.admin.cookie)).statusCode).toBe(404);
    expect((await download(id, (await createPerson(test)).cookie)).statusCode).toBe(403);
    expect((await download(id, '')).statusCode).toBe(401);
    expect((await upload({ cookie: '' })).statusCode).toBe(401);
  });

  it.each([randomUUID(), 'none', '..%2f..%2fsession-secret', '%00'])('responds with 404 for the unknown id %s', async (id) => {
    expect((await download(id)).statusCode).toBe(404);
  });
});

describe('a file id', () => {
  it('is case-insensitive', async () => {
    const id = randomUUID();
    const sent = await upload({ id: id.toUpperCase() });
    expect([sent.statusCode, sent.json()]).toMatchObject([201, { id, url: `/api/files/${id}` }]);
    expect((await upload({ id })).json()).toEqual(sent.json());
    for (const requestedId of [id, id.toUpperCase()]) {
      const response = await download(requestedId);
      expect([response.statusCode, response.rawPayload.equals(buildPng())]).toEqual([200, true]);
    }
  });
});

describe('a file whose bytes are missing on disk', () => {
  const loseBytes = (id: string) => rm(join(test.app.platform.config.dataDir, 'files', 'kept', firm.companyId, id));

  it('responds with 404', async () => {
    const id = randomUUID();
    await upload({ id });
    await loseBytes(id);
    const response = await download(id);
    expect([response.statusCode, response.json()]).toMatchObject([404, { code: 'NOT_FOUND', message: 'File not found' }]);
    expect(response.headers).toMatchObject({ 'content-type': expect.stringContaining('application/json'), 'cache-control': 'no-store' });
    expect(response.headers['content-disposition']).toBeUndefined();
  });

  it('is restored by a retry of the same upload, but not by a different one', async () => {
    const id = randomUUID();
    const sent = await upload({ id });
    await loseBytes(id);
    expect((await upload({ id, name: 'other.png' })).statusCode).toBe(409);
    expect((await download(id)).statusCode).toBe(404);
    const again = await upload({ id });
    expect([again.statusCode, again.json()]).toEqual([201, sent.json()]);
    expect((await download(id)).rawPayload.equals(buildPng())).toBe(true);
  });
});

describe('stalled downloads', () => {
  it('take only a part of all downloads, so that colleagues still get files', async () => {
    const url = await listenOnLocalhost(test);
    const { cookie } = await addStaffMember(test, firm.companyId, 'staff');
    const id = randomUUID();
    await upload({ id, bytes: buildPng(MAX_FILE_BYTES) });
    const fetchFile = (as: string) => fetch(`${url}/api/files/${id}`, { headers: { cookie: as } });
    const stalled = await Promise.all(Array.from({ length: MAX_DOWNLOADS_PER_DEVICE }, () => fetchFile(cookie)));
    let isNextServed = false;
    const next = fetchFile(cookie).finally(() => (isNextServed = true));
    const colleague = await fetchFile(firm.people.admin.cookie);
    expect([(await colleague.arrayBuffer()).byteLength, isNextServed]).toEqual([MAX_FILE_BYTES, false]);
    await Promise.all(stalled.map(async (response) => response.body?.cancel()));
    expect((await (await next).arrayBuffer()).byteLength).toBe(MAX_FILE_BYTES);
  });
});

describe('a file’s size', () => {
  it('can be up to 25 MB but not a byte more', async () => {
    const id = randomUUID();
    expect((await upload({ id, bytes: buildPng(MAX_FILE_BYTES) })).statusCode).toBe(201);
    expect((await download(id)).rawPayload.length).toBe(MAX_FILE_BYTES);
    const larger = randomUUID();
    const rejected = await upload({ id: larger, bytes: buildPng(MAX_FILE_BYTES + 1) });
    expect([rejected.statusCode, rejected.json()]).toMatchObject([413, { code: 'TOO_LARGE' }]);
    expect((await download(larger)).statusCode).toBe(404);
  });
});

describe('a file’s content', () => {
  it('decides the type of an image that has another image’s extension', async () => {
    const id = randomUUID();
    const response = await upload({ id, name: 'photo.jpg', bytes: buildPng() });
    expect([response.statusCode, response.json()]).toMatchObject([201, { file_name: 'photo.jpg', file_type: 'image/png' }]);
    expect((await download(id)).headers['content-type']).toBe('image/png');
  });

  it.each<[string, string, Buffer]>([
    ['a program named .png', 'run.png', Buffer.concat([Buffer.from('MZ'), Buffer.alloc(200)])],
    ['an SVG named .png', 'logo.png', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')],
    ['an SVG', 'logo.svg', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')],
    ['HTML', 'page.html', Buffer.from('<!doctype html><script>alert(1)</script>')],
    ['HTML named .pdf', 'page.pdf', Buffer.from('<!doctype html><script>alert(1)</script>')],
    ['a picture named .pdf', 'leak.pdf', buildPng()],
    ['an archive named .docx', 'letter.docx', buildZip({ 'run.exe': 'MZ' })],
    ['empty', 'empty.png', Buffer.alloc(0)],
    ['a picture without an extension', 'leak', buildPng()],
    ['a picture with two extensions', 'leak.png.exe', buildPng()],
  ])('is rejected if it is %s', async (_, name, bytes) => {
    const id = randomUUID();
    const response = await upload({ id, name, bytes });
    expect([response.statusCode, response.json()]).toMatchObject([415, { code: 'UNSUPPORTED_FILE' }]);
    expect((await download(id)).statusCode).toBe(404);
  });
});

describe('uploading twice under one id', () => {
  it('stores one file', async () => {
    const id = randomUUID();
    const [first, second] = [await upload({ id }), await upload({ id })];
    expect(second.json()).toEqual(first.json());
  });

  it('stores one file even if the uploads are concurrent', async () => {
    const id = randomUUID();
    const responses = await Promise.all([1, 2, 3].map(() => upload({ id })));
    expect(responses.map((response) => response.statusCode)).toEqual([201, 201, 201]);
    expect((await listFilesIn('kept')).filter((name) => name === id)).toHaveLength(1);
  });

  it.each<[string, UploadOverrides]>([
    ['with another name', { name: 'other.png' }],
    ['with another size', { bytes: buildPng(101) }],
    ['with other bytes of the same size', { bytes: Buffer.concat([buildPng().subarray(0, 99), Buffer.from('!')]) }],
  ])('rejects a second upload %s and replaces nothing', async (_, other) => {
    const id = randomUUID();
    await upload({ id });
    const response = await upload({ id, ...other });
    expect([response.statusCode, response.json()]).toMatchObject([409, { code: 'ID_TAKEN' }]);
    expect((await download(id)).rawPayload.equals(buildPng())).toBe(true);
  });

  it('stores two files if the uploads belong to two companies', async () => {
    const id = randomUUID();
    const other = await createFirm(test, 'Other');
    await upload({ id });
    expect((await upload({ id, name: 'theirs.png', bytes: buildPng(200), cookie: other.people.admin.cookie })).statusCode).toBe(201);
    expect((await download(id)).rawPayload.length).toBe(100);
    expect((await download(id, other.people.staff.cookie)).rawPayload.length).toBe(200);
  });
});

it('does not report other unique violations as a taken id, and leaves no bytes behind', async () => {
  await upload({ name: 'twice.png' });
  await withOwnerClient(test.database, (owner) =>
    owner.query(`create unique index files_by_name on files (company_id, file_name)
    where file_name = 'twice.png'`),
  );
  const id = randomUUID();
  const response = await upload({ id, name: 'twice.png' });
  await withOwnerClient(test.database, (owner) => owner.query('drop index files_by_name'));
  expect([response.statusCode, response.json()]).toMatchObject([500, { code: 'INTERNAL' }]);
  expect(await listFilesIn('kept')).not.toContain(id);
});

describe('an upload with a serialization conflict', () => {
  beforeAll(async () => {
    // Fail only the first commit after each reset. A rollback doesn't undo `nextval`, so the retry succeeds.
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

  it.each(['file', 'logo'])('is retried with the same bytes if it is a %s', async (kind) => {
    await test.owner.query('alter sequence commits restart');
    const id = randomUUID();
    const bytes = await sharp({ create: { width: 9, height: 9, channels: 3, background: 'white' } })
      .png()
      .toBuffer();
    const path = kind === 'file' ? `/api/files/${id}` : '/api/company/logo';
    const response = await uploadFile(test, path, firm.people.admin.cookie, 'leak.png', bytes);
    expect([200, 201]).toContain(response.statusCode);
    const stored = response.json<{ url?: string; avatar_url?: string }>();
    const downloaded = await test.request('GET', stored.url ?? stored.avatar_url ?? '', { cookie: firm.people.admin.cookie });
    expect([downloaded.statusCode, downloaded.rawPayload.length > 0]).toEqual([200, true]);
    expect((await sharp(downloaded.rawPayload).metadata()).width).toBe(9);
  });
});

describe('a file’s name', () => {
  it.each([
    ['../../etc/passwd.png', 'passwd.png', 'passwd.png'],
    ['C:\\\\Users\\\\Ana\\\\leak.png', 'leak.png', 'leak.png'],
    ['Zoë’s leak (1).png', 'Zoë’s leak (1).png', 'Zo%C3%AB%E2%80%99s%20leak%20%281%29.png'],
    [`a'b*.png`, `a'b*.png`, 'a%27b%2A.png'],
    ['19%22 rack%0D%0A 50%.png', '19" rack 50%.png', '19%22%20rack%2050%25.png'],
    ['<script>.png', '<script>.png', '%3Cscript%3E.png'],
    [`${'x'.repeat(300)}.png`, `${'x'.repeat(196)}.png`, `${'x'.repeat(196)}.png`],
  ])('%s is stored as %s', async (sent, stored, header) => {
    const id = randomUUID();
    expect((await upload({ id, name: sent })).json()).toMatchObject({ file_name: stored });
    expect((await download(id)).headers['content-disposition']).toBe(`inline; filename*=UTF-8''${header}`);
  });

  it('is never cut inside an emoji and stays the same when the upload is retried', async () => {
    const id = randomUUID();
    const name = `${'🧰'.repeat(150)}a.png`;
    const stored = `${'🧰'.repeat(97)}a.png`;
    expect((await upload({ id, name })).json()).toMatchObject({ file_name: stored });
    expect((await upload({ id, name })).json()).toMatchObject({ file_name: stored });
    expect((await download(id)).statusCode).toBe(200);
  });
});

describe('an invalid upload', () => {
  const put = (type: string, body: string | Buffer) =>
    test.request('PUT', `/api/files/${randomUUID()}`, { cookie: firm.people.staff.cookie, headers: { 'content-type': type }, body });

  it.each<[string, string, string | Buffer]>([
    ['JSON', 'application/json', '{}'],
    ['a form without a file', MULTIPART_HEADERS['content-type'], `--${MULTIPART_BOUNDARY}--\r\n`],
    ['a form without a boundary', 'multipart/form-data', 'x'],
    ['an incomplete form', MULTIPART_HEADERS['content-type'], buildMultipartBody('leak.png', buildPng(), '')],
    ['bare bytes', 'image/png', buildPng()],
  ])('is rejected as UNREADABLE if it is %s', async (_, type, body) => {
    const response = await put(type, body);
    expect(response.statusCode).toBe(400);
    expect(response.json()).toMatchObject({ code: 'UNREADABLE' });
  });

  it('leaves nothing behind if it is interrupted', async () => {
    await listenOnLocalhost(test);
    const { port } = test.app.server.server.address() as AddressInfo;
    const id = randomUUID();
    const sending = httpRequest({
      port,
      method: 'PUT',
      path: `/api/files/${id}`,
      headers: {
        cookie: firm.people.staff.cookie,
        'content-type': MULTIPART_HEADERS['content-type'],
        'content-length': 1_000_000,
      },
    });
    sending.on('error', () => undefined);
    sending.write(buildMultipartBody('leak.png', buildPng(200_000), ''));
    await expect.poll(() => listFilesIn('incoming'), { timeout: 10_000 }).toHaveLength(1);
    sending.destroy();
    await expect.poll(() => listFilesIn('incoming'), { timeout: 10_000 }).toEqual([]);
    expect((await download(id)).statusCode).toBe(404);
  });
});

it('no upload or download logs an error, except the one provoked by these tests', () => {
  expect(test.logLines.filter((line) => line.includes('"level":50') && !line.includes('files_by_name'))).toEqual([]);
});
