import { randomUUID } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { urlOf } from '../../../test/event-stream.ts';
import { createFirm, type Firm } from '../../../test/factories/people.ts';
import { openRawConnection, type RawConnection } from '../../../test/raw-connection.ts';
import { png } from '../../../test/sample-files.ts';
import { startTestApp, type TestApp } from '../../../test/test-app.ts';
import { multipart, multipartHeaders } from '../../../test/upload.ts';

const JSON_HEAD = { 'content-type': 'application/json', 'content-length': 1000 };

const openMany = async (test: TestApp, count: number) => {
  const connections: RawConnection[] = [];
  for (let n = 0; n < count; n += 1) connections.push(await openRawConnection(test));
  return connections;
};
const allClosed = (connections: readonly RawConnection[]) =>
  expect.poll(() => connections.filter(({ closed }) => !closed), { timeout: 20_000 }).toEqual([]);
const health = (test: TestApp) => test.request('GET', '/api/health').then(({ statusCode }) => statusCode);

describe('an interrupted body', () => {
  let test: TestApp;

  beforeAll(async () => {
    test = await startTestApp({ LOG_LEVEL: 'debug' });
  });

  it('logs one debug line and no error', async () => {
    const connection = await openRawConnection(test);
    await connection.beginBody('POST', '/api/auth/sign-in', JSON_HEAD);
    connection.write('{"email":');
    const loud = () => test.logged.filter((line) => /"level":[456]0/.test(line));
    const before = loud();
    connection.destroy();
    await expect.poll(() => test.logged.filter((line) => /reset|abort/i.test(line))).toHaveLength(1);
    expect(loud()).toEqual(before);
  });
});

describe('with short deadlines', () => {
  let test: TestApp;
  let firm: Firm;

  beforeAll(async () => {
    test = await startTestApp(
      {},
      {
        requestLimits: { headersMs: 2000, bodyMs: 500, uploadStallMs: 1000, uploadStallBytes: 2000, lingerMs: 100, checkEveryMs: 50 },
      },
    );
    firm = await createFirm(test);
  });

  const incoming = () => readdir(join(test.app.platform.config.dataDir, 'files', 'incoming')).catch(() => []);
  const uploadHead = (bytes: number) => ({ ...multipartHeaders, 'content-length': bytes, cookie: firm.people.staff.cookie });

  it('connections that never finish their headers are closed', async () => {
    const connections = await openMany(test, 30);
    for (const [index, connection] of connections.entries()) if (index % 2) connection.write('POST /api/auth/sign-in HTTP/1.1\r\nhost: ');
    await allClosed(connections);
    expect(await health(test)).toBe(200);
  });

  it('bodies that never end are cut off, even if they trickle', async () => {
    const connections: RawConnection[] = [];
    for (let n = 0; n < 30; n += 1) {
      const connection = await openRawConnection(test);
      await connection.beginBody('POST', '/api/auth/sign-in', JSON_HEAD);
      connections.push(connection);
    }
    const trickle = setInterval(() => {
      for (const connection of connections) connection.write(' ');
    }, 20);
    await allClosed(connections);
    clearInterval(trickle);
    expect(await health(test)).toBe(200);
  });

  it('a stalled upload is cut off and leaves nothing behind', async () => {
    const connection = await openRawConnection(test);
    await connection.beginBody('PUT', `/api/files/${randomUUID()}`, uploadHead(1_000_000));
    connection.write(multipart('leak.png', png(50_000), ''));
    await expect.poll(incoming).toHaveLength(1);
    await allClosed([connection]);
    await expect.poll(incoming).toEqual([]);
  });

  it('a slow but steady upload arrives, however much longer it takes than other bodies may', async () => {
    const connection = await openRawConnection(test);
    const body = multipart('leak.png', png(100_000));
    const path = `/api/files/${randomUUID()}`;
    await connection.beginBody('PUT', path, uploadHead(body.length));
    // Fifty chunks, 20 ms apart: twice as long as a JSON body may take.
    for (let sent = 0; sent < body.length; sent += 2000) {
      connection.write(body.subarray(sent, sent + 2000));
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    await expect.poll(() => connection.received).toContain('HTTP/1.1 201');
    expect((await test.request('GET', path, { cookie: firm.people.staff.cookie })).rawPayload.length).toBe(100_000);
  });

  it('the rest of a refused body is not waited for', async () => {
    const connection = await openRawConnection(test);
    await connection.beginBody('PUT', `/api/files/${randomUUID()}`, { ...uploadHead(1_000_000), cookie: '' });
    await allClosed([connection]);
    expect(connection.received).toContain('HTTP/1.1 401');
  });
});

describe('per network', () => {
  it('open connections are limited, and the next is accepted when one has closed', async () => {
    const test = await startTestApp({}, { requestLimits: { connectionsPerNetwork: 20 } });
    const connections = await openMany(test, 20);
    const refused = await openRawConnection(test);
    await allClosed([refused]);
    expect(connections.filter(({ closed }) => closed)).toEqual([]);
    connections[0]?.destroy();
    const ask = async () => {
      const next = await openRawConnection(test);
      next.write('GET /api/health HTTP/1.1\r\nhost: localhost\r\n\r\n');
      await expect.poll(() => next.closed || next.received).toBeTruthy();
      return next.received;
    };
    await expect.poll(ask, { timeout: 10_000 }).toContain('200 OK');
  });

  it('the limit does not apply to the trusted proxy', async () => {
    const test = await startTestApp({ TRUST_PROXY: '1' }, { requestLimits: { connectionsPerNetwork: 2 } });
    const connections = await openMany(test, 10);
    for (const connection of connections) connection.write('GET /api/health HTTP/1.1\r\nhost: localhost\r\n\r\n');
    await expect.poll(() => connections.filter(({ received }) => received.includes('200 OK'))).toHaveLength(10);
  });

  it('bodies in progress are limited, without affecting other networks and requests without a body', async () => {
    const test = await startTestApp({ TRUST_PROXY: '1' }, { requestLimits: { bodiesPerNetwork: 5 } });
    const ask = (from: string) =>
      test.request('POST', '/api/auth/sign-in', { body: { email: 'a@b.co', password: 'secret-1' }, headers: { 'x-forwarded-for': from } });
    const connections = await openMany(test, 5);
    for (const connection of connections) {
      await connection.beginBody('POST', '/api/auth/sign-in', { ...JSON_HEAD, 'x-forwarded-for': '203.0.113.9' });
    }
    const refused = await ask('203.0.113.9');
    expect([refused.statusCode, refused.json()]).toMatchObject([429, { code: 'TOO_MANY_ATTEMPTS', data: { retry_after: 5 } }]);
    expect(refused.headers['retry-after']).toBe('5');
    expect(refused.headers).toHaveProperty('content-security-policy');
    expect((await ask('203.0.113.10')).statusCode).toBe(401);
    expect((await test.request('GET', '/api/health', { headers: { 'x-forwarded-for': '203.0.113.9' } })).statusCode).toBe(200);
    connections[0]?.destroy();
    await expect.poll(async () => (await ask('203.0.113.9')).statusCode).toBe(401);
  });

  it.each([
    ['too large', { 'content-type': 'application/json' }, 'x'.repeat(300_000), 413],
    ['not JSON', { 'content-type': 'application/json' }, '{', 400],
    ['of another type', { 'content-type': 'text/xml' }, '<a/>', 400],
    ['from another site', { 'content-type': 'application/json', origin: 'http://evil.example' }, 'x'.repeat(300_000), 403],
    ['no such call', { 'content-type': 'application/json', 'x-path': '/api/nothing' }, '{}', 404],
  ])('a body refused as %s no longer counts', async (_, headers, body, status) => {
    const test = await startTestApp({}, { requestLimits: { bodiesPerNetwork: 2, checkEveryMs: 20 } });
    const url = await urlOf(test);
    const path = 'x-path' in headers ? headers['x-path'] : '/api/customers';
    const send = async () => {
      const answer = await fetch(`${url}${path}`, { method: 'POST', headers, body }).catch(() => null);
      await answer?.text();
      return answer?.status;
    };
    for (let n = 0; n < 4; n += 1) await expect.poll(send).toBe(status);
  });
});
