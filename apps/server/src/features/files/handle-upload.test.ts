import { randomUUID } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { beforeAll, describe, expect, it } from 'vitest';
import { buildMember } from '../../../test/factories/inputs.ts';
import { createFirm, type Firm } from '../../../test/factories/people.ts';
import { openRawConnection } from '../../../test/raw-connection.ts';
import { buildPdf } from '../../../test/sample-files.ts';
import { startTestApp, type TestApp } from '../../../test/test-app.ts';
import { buildMultipartBody, MULTIPART_HEADERS, uploadFile } from '../../../test/upload.ts';

const KB = 1024;
const QUOTA_EXCEEDED = [413, { code: 'QUOTA_EXCEEDED', message: expect.stringMatching(/storage/) as string }];
const DISK_FULL = [507, { code: 'DISK_FULL', message: expect.stringMatching(/disk space/) as string }];
const TOO_MANY = [429, { code: 'TOO_MANY_ATTEMPTS', data: { retry_after: expect.any(Number) as number } }];

const upload = (test: TestApp, firm: Firm, bytes: Buffer, id: string = randomUUID()) =>
  uploadFile(test, `/api/files/${id}`, firm.people.staff.cookie, 'plan.pdf', bytes);

/** Reads how much a company stores: its byte counter, its file rows and its bytes on disk. */
async function readStorage(test: TestApp, { companyId }: Firm) {
  const { rows } = await test.owner.query<{ counted: string; summed: string; files: number }>(
    `select coalesce(max(u.bytes), 0) as counted, coalesce(sum(f.file_size), 0) as summed, count(f.id)::int as files
      from companies c left join file_usage u using (company_id) left join files f using (company_id)
      where company_id = $1 group by company_id`,
    [companyId],
  );
  const folder = join(test.app.platform.config.dataDir, 'files');
  const countFiles = async (name: string) => (await readdir(join(folder, name)).catch(() => [])).length;
  const [row] = rows;
  return {
    counted: Number(row?.counted),
    summed: Number(row?.summed),
    files: row?.files,
    stored: await countFiles(join('kept', companyId)),
    incoming: await countFiles('incoming'),
  };
}

const buildStorage = (bytes: number, files: number) => ({ counted: bytes, summed: bytes, files, stored: files, incoming: 0 });

describe('a company with a quota of one megabyte', () => {
  let test: TestApp;

  beforeAll(async () => {
    test = await startTestApp({ FILE_QUOTA_MB: '1' });
  });

  it('can use its whole quota, but a file that exceeds the quota is rejected without any change', async () => {
    const firm = await createFirm(test);
    expect((await upload(test, firm, buildPdf(600 * KB))).statusCode).toBe(201);
    const rejected = await upload(test, firm, buildPdf(424 * KB + 1));
    expect([rejected.statusCode, rejected.json()]).toMatchObject(QUOTA_EXCEEDED);
    expect(await readStorage(test, firm)).toEqual(buildStorage(600 * KB, 1));
    expect((await upload(test, firm, buildPdf(424 * KB))).statusCode).toBe(201);
    expect(await readStorage(test, firm)).toEqual(buildStorage(1024 * KB, 2));
    const other = await createFirm(test, 'Other');
    expect((await upload(test, other, buildPdf(600 * KB))).statusCode).toBe(201);
  });

  it('gets the same response to a retried upload when the quota is full', async () => {
    const firm = await createFirm(test);
    const id = randomUUID();
    const first = await upload(test, firm, buildPdf(1000 * KB), id);
    const retry = await upload(test, firm, buildPdf(1000 * KB), id);
    expect([retry.statusCode, retry.json()]).toEqual([201, first.json()]);
    const other = await upload(test, firm, buildPdf(1000 * KB + 1), id);
    expect([other.statusCode, other.json()]).toMatchObject([409, { code: 'ID_TAKEN' }]);
    expect(await readStorage(test, firm)).toEqual(buildStorage(1000 * KB, 1));
  });

  it('never exceeds its quota, even with concurrent uploads', async () => {
    const firm = await createFirm(test);
    const responses = await Promise.all(Array.from({ length: 8 }, () => upload(test, firm, buildPdf(300 * KB))));
    const byStatus = Map.groupBy(responses, ({ statusCode }) => statusCode);
    expect([byStatus.get(201)?.length, byStatus.get(413)?.length]).toEqual([3, 5]);
    expect(await readStorage(test, firm)).toEqual(buildStorage(900 * KB, 3));
  });

  it('cannot start an upload whose declared length exceeds the remaining quota', async () => {
    const firm = await createFirm(test);
    const connection = await openRawConnection(test);
    const head = { ...MULTIPART_HEADERS, cookie: firm.people.staff.cookie, 'content-length': 3_000_000 };
    await connection.sendHead('PUT', `/api/files/${randomUUID()}`, head);
    await expect.poll(() => connection.received).toContain('QUOTA_EXCEEDED');
    expect(await readStorage(test, firm)).toEqual(buildStorage(0, 0));
  });

  it('cannot finish an upload without a declared length that exceeds the quota', async () => {
    const firm = await createFirm(test);
    const connection = await openRawConnection(test);
    const head = { ...MULTIPART_HEADERS, cookie: firm.people.staff.cookie, 'transfer-encoding': 'chunked' };
    await connection.sendHead('PUT', `/api/files/${randomUUID()}`, head);
    const bytes = buildMultipartBody('plan.pdf', buildPdf(10_000_000), '');
    connection.write(`${bytes.length.toString(16)}\r\n`);
    connection.write(bytes);
    await expect.poll(() => connection.received, { timeout: 10_000 }).toContain('QUOTA_EXCEEDED');
    await expect.poll(() => readStorage(test, firm)).toEqual(buildStorage(0, 0));
  });

  it('can replace its logo when the quota is full', async () => {
    const firm = await createFirm(test);
    const logo = await sharp({ create: { width: 300, height: 300, channels: 3, background: 'teal' } })
      .png()
      .toBuffer();
    const sendLogo = () => uploadFile(test, '/api/company/logo', firm.people.admin.cookie, 'logo.png', logo);
    expect((await sendLogo()).statusCode).toBe(200);
    const { counted } = await readStorage(test, firm);
    expect((await upload(test, firm, buildPdf(1024 * KB - counted))).statusCode).toBe(201);
    expect((await sendLogo()).statusCode).toBe(200);
    await expect.poll(() => readStorage(test, firm)).toEqual(buildStorage(1024 * KB, 2));
  });

  it('can replace its logo with one of the same or a smaller size when it is above a lowered quota', async () => {
    const firm = await createFirm(test);
    const createLogo = (width: number) =>
      sharp({ create: { width, height: 300, channels: 3, background: 'teal' } })
        .png()
        .toBuffer();
    const sendLogo = async (width: number) =>
      uploadFile(test, '/api/company/logo', firm.people.admin.cookie, 'logo.png', await createLogo(width));
    expect((await sendLogo(200)).statusCode).toBe(200);
    await test.owner.query(
      `insert into files (company_id, id, file_name, file_size, file_type, purpose, owner_kind, unattached_since)
        values ($1, gen_random_uuid(), 'plan.pdf', 2 * 1024 * 1024, 'application/pdf', 'attachment', 'unknown', null)`,
      [firm.companyId],
    );
    const before = await readStorage(test, firm);
    const rejected = await sendLogo(300);
    expect([rejected.statusCode, rejected.json()]).toMatchObject(QUOTA_EXCEEDED);
    expect(await readStorage(test, firm)).toEqual(before);
    expect((await sendLogo(200)).statusCode).toBe(200);
    expect((await readStorage(test, firm)).counted).toBe(before.counted);
    expect((await sendLogo(100)).statusCode).toBe(200);
    expect((await readStorage(test, firm)).counted).toBeLessThan(before.counted);
  });
});

describe('a company’s byte counter', () => {
  let test: TestApp;

  beforeAll(async () => {
    test = await startTestApp();
  });

  it('equals the total size of the file rows after concurrent uploads and removals', async () => {
    const [firm, other] = [await createFirm(test), await createFirm(test, 'Other')];
    const { member } = await firm.people.admin.client.staff.invite(buildMember());
    const picture = await sharp({ create: { width: 400, height: 400, channels: 3, background: 'teal' } })
      .png()
      .toBuffer();
    const sendImage = (path: string) => uploadFile(test, path, firm.people.admin.cookie, 'a.png', picture);
    const responses = await Promise.all([
      ...[1, 2, 3].map((size) => upload(test, firm, buildPdf(size * KB))),
      ...[1, 2].map((size) => upload(test, other, buildPdf(size * KB))),
      sendImage('/api/company/logo'),
      sendImage('/api/company/logo'),
      sendImage(`/api/staff/${member.id}/avatar`),
    ]);
    for (const { statusCode } of responses) expect(statusCode).toBeLessThan(300);
    const before = await readStorage(test, firm);
    expect([before.files, before.counted]).toEqual([5, before.summed]);
    await Promise.all([firm.people.admin.client.company.removeLogo(), firm.people.admin.client.staff.remove({ id: member.id })]);
    await expect.poll(() => readStorage(test, firm)).toEqual(buildStorage(6 * KB, 3));
    await test.owner.query('delete from files where company_id = any ($1)', [[firm.companyId, other.companyId]]);
    expect([(await readStorage(test, firm)).counted, (await readStorage(test, other)).counted]).toEqual([0, 0]);
  });

  it('cannot be bypassed, because the application cannot change a file’s size', async () => {
    const firm = await createFirm(test);
    await upload(test, firm, buildPdf());
    for (const pool of [test.app.platform.pools.system]) {
      await expect(pool.query('update files set file_size = 0')).rejects.toMatchObject({ code: '42501' });
    }
    expect(await readStorage(test, firm)).toEqual(buildStorage(100, 1));
  });
});

describe('a nearly full disk', () => {
  let test: TestApp;

  beforeAll(async () => {
    test = await startTestApp({ MIN_FREE_DISK_MB: '999999999' });
  });

  it('rejects uploads with a clear message and logs a warning', async () => {
    const firm = await createFirm(test);
    const rejected = [
      await upload(test, firm, buildPdf()),
      await uploadFile(test, '/api/company/logo', firm.people.admin.cookie, 'logo.png', buildPdf()),
    ];
    for (const response of rejected) expect([response.statusCode, response.json()]).toMatchObject(DISK_FULL);
    expect(await readStorage(test, firm)).toEqual(buildStorage(0, 0));
    const warnings = test.logLines.filter((line) => line.includes('the disk is nearly full'));
    expect(warnings.map((line) => JSON.parse(line) as object)).toMatchObject([{ level: 40, part: 'files' }, { level: 40 }]);
  });

  it('does not affect other calls', async () => {
    const firm = await createFirm(test);
    expect((await firm.people.admin.client.customers.list({})).rows).toEqual([]);
  });
});

describe('a person with an unconfirmed email address', () => {
  it.each([
    ['has 100 MB if email addresses can be confirmed', { SMTP_URL: 'smtp://127.0.0.1:1', MAIL_FROM: 'callout@localhost' }, 100, 0, 413],
    ['has 500 MB on the first day if email addresses cannot be confirmed', {}, 499, 0, 201],
    ['has no more than 500 MB on the first day', {}, 500, 0, 413],
    ['has another 500 MB a day later', {}, 500, 1, 201],
  ])('%s', async (_, environment, usedMegabytes, days, status) => {
    const test = await startTestApp(environment);
    const firm = await createFirm(test);
    await test.owner.query('update users set email_verified = false');
    await test.owner.query('update companies set created_at = now() - make_interval(days => $1, mins => 1)', [days]);
    await test.owner.query('insert into file_usage select company_id, $1::bigint * 1024 * 1024 from companies', [usedMegabytes]);
    expect((await upload(test, firm, buildPdf())).statusCode).toBe(status);
  });
});

describe('uploads', () => {
  it('are limited to twenty at a time per network, across companies', async () => {
    const test = await startTestApp();
    const [one, two, third] = [await createFirm(test, 'One'), await createFirm(test, 'Two'), await createFirm(test, 'Three')];
    const connections = [];
    for (const firm of [one, two]) {
      for (let n = 0; n < 10; n += 1) {
        const connection = await openRawConnection(test);
        const head = { ...MULTIPART_HEADERS, cookie: firm.people.staff.cookie, 'content-length': 1_000_000 };
        await connection.sendHead('PUT', `/api/files/${randomUUID()}`, head);
        connection.write(buildMultipartBody('plan.pdf', buildPdf(50_000), ''));
        connections.push(connection);
      }
      await expect.poll(async () => (await readStorage(test, firm)).incoming).toBe(connections.length);
    }
    expect((await upload(test, third, buildPdf())).statusCode).toBe(429);
    for (const connection of connections) connection.destroy();
    await expect.poll(async () => (await upload(test, third, buildPdf())).statusCode).toBe(201);
  });

  it('are limited to ten at a time per company, without affecting other companies', async () => {
    const test = await startTestApp();
    const [firm, other] = [await createFirm(test), await createFirm(test, 'Other')];
    const connections = [];
    for (let n = 0; n < 10; n += 1) {
      const connection = await openRawConnection(test);
      const head = { ...MULTIPART_HEADERS, cookie: firm.people.staff.cookie, 'content-length': 1_000_000 };
      await connection.sendHead('PUT', `/api/files/${randomUUID()}`, head);
      connection.write(buildMultipartBody('plan.pdf', buildPdf(50_000), ''));
      connections.push(connection);
    }
    await expect.poll(async () => (await readStorage(test, firm)).incoming).toBe(10);
    const rejected = await upload(test, firm, buildPdf());
    expect([rejected.statusCode, rejected.json()]).toMatchObject(TOO_MANY);
    expect((await upload(test, other, buildPdf())).statusCode).toBe(201);
    for (const connection of connections) connection.destroy();
    await expect.poll(async () => (await upload(test, firm, buildPdf())).statusCode).toBe(201);
  });

  it.each([
    ['per company', (one: Firm) => one, '203.0.113.'],
    ['per network', (_: Firm, other: Firm) => other, '2001:db8::'],
  ])('are limited to two hundred every ten minutes %s', async (_, getLastSender, networkStart) => {
    const test = await startTestApp({ TRUST_PROXY: '1' });
    const [firm, other] = [await createFirm(test), await createFirm(test, 'Other')];
    const send = (by: Firm, from: string) =>
      test.request('PUT', `/api/files/${randomUUID()}`, {
        cookie: by.people.staff.cookie,
        headers: { ...MULTIPART_HEADERS, 'x-forwarded-for': from },
        body: buildMultipartBody('plan.pdf', Buffer.from('not an image')),
      });
    expect((await send(firm, `${networkStart}1`)).statusCode).toBe(415);
    await test.owner.query(`update rate_limits set attempts = attempts + 198 where key like 'uploads %'`);
    expect((await send(firm, `${networkStart}2`)).statusCode).toBe(415);
    const rejected = await send(getLastSender(firm, other), `${networkStart}3`);
    expect([rejected.statusCode, rejected.json()]).toMatchObject(TOO_MANY);
    expect((await send(other, '198.51.100.1')).statusCode).toBe(415);
  });
});
