import { randomUUID } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { listenOnLocalhost } from '../../../test/event-stream.ts';
import { createFirm, type Firm } from '../../../test/factories/people.ts';
import { openRawConnection, type RawConnection } from '../../../test/raw-connection.ts';
import { buildPdf, buildPng } from '../../../test/sample-files.ts';
import { startTestApp, type TestApp } from '../../../test/test-app.ts';
import { buildMultipartBody, MULTIPART_HEADERS, uploadFile } from '../../../test/upload.ts';

const JSON_HEADERS = { 'content-type': 'application/json', 'content-length': 1000 };

const openConnections = async (test: TestApp, count: number) => {
  const connections: RawConnection[] = [];
  for (let n = 0; n < count; n += 1) connections.push(await openRawConnection(test));
  return connections;
};
const expectAllClosed = (connections: readonly RawConnection[]) =>
  expect.poll(() => connections.filter(({ closed }) => !closed), { timeout: 20_000 }).toEqual([]);
const checkHealth = (test: TestApp) => test.request('GET', '/api/health').then(({ statusCode }) => statusCode);

describe('an interrupted request body', () => {
  let test: TestApp;

  beforeAll(async () => {
    test = await startTestApp({ LOG_LEVEL: 'debug' });
  });

  it('logs one debug line and no error', async () => {
    const connection = await openRawConnection(test);
    await connection.sendHead('POST', '/api/auth/sign-in', JSON_HEADERS);
    connection.write('{"email":');
    const listWarnings = () => test.logLines.filter((line) => /"level":[456]0/.test(line));
    const before = listWarnings();
    connection.destroy();
    await expect.poll(() => test.logLines.filter((line) => /reset|abort/i.test(line))).toHaveLength(1);
    expect(listWarnings()).toEqual(before);
  });
});

describe('server with short deadlines', () => {
  let test: TestApp;
  let firm: Firm;

  beforeAll(async () => {
    test = await startTestApp(
      {},
      {
        requestLimits: {
          headersTimeoutMs: 2000,
          bodyTimeoutMs: 500,
          uploadIntervalMs: 1000,
          minUploadBytesPerInterval: 2000,
          stallTimeoutMs: 3000,
          lingerTimeoutMs: 100,
          checkIntervalMs: 50,
        },
      },
    );
    firm = await createFirm(test);
  });

  const listIncomingFiles = () => readdir(join(test.app.platform.config.dataDir, 'files', 'incoming')).catch(() => []);
  const buildUploadHeaders = (bytes: number) => ({ ...MULTIPART_HEADERS, 'content-length': bytes, cookie: firm.people.staff.cookie });

  it('closes connections that never finish their headers', async () => {
    const connections = await openConnections(test, 30);
    for (const [index, connection] of connections.entries()) if (index % 2) connection.write('POST /api/auth/sign-in HTTP/1.1\r\nhost: ');
    await expectAllClosed(connections);
    expect(await checkHealth(test)).toBe(200);
  });

  it('closes connections whose body never ends, even if data trickles in', async () => {
    const connections: RawConnection[] = [];
    for (let n = 0; n < 30; n += 1) {
      const connection = await openRawConnection(test);
      await connection.sendHead('POST', '/api/auth/sign-in', JSON_HEADERS);
      connections.push(connection);
    }
    const trickle = setInterval(() => {
      for (const connection of connections) connection.write(' ');
    }, 20);
    await expectAllClosed(connections);
    clearInterval(trickle);
    expect(await checkHealth(test)).toBe(200);
  });

  it('aborts a stalled upload and deletes its partial file', async () => {
    const connection = await openRawConnection(test);
    await connection.sendHead('PUT', `/api/files/${randomUUID()}`, buildUploadHeaders(1_000_000));
    connection.write(buildMultipartBody('leak.png', buildPng(50_000), ''));
    await expect.poll(listIncomingFiles).toHaveLength(1);
    await expectAllClosed([connection]);
    await expect.poll(listIncomingFiles).toEqual([]);
  });

  it('accepts a slow but steady upload that takes longer than the limit for other bodies', async () => {
    const connection = await openRawConnection(test);
    const body = buildMultipartBody('leak.png', buildPng(100_000));
    const path = `/api/files/${randomUUID()}`;
    await connection.sendHead('PUT', path, buildUploadHeaders(body.length));
    // Sends fifty chunks, 20 ms apart, which takes twice as long as a JSON body may take.
    for (let sent = 0; sent < body.length; sent += 2000) {
      connection.write(body.subarray(sent, sent + 2000));
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    await expect.poll(() => connection.received).toContain('HTTP/1.1 201');
    expect((await test.request('GET', path, { cookie: firm.people.staff.cookie })).rawPayload.length).toBe(100_000);
  });

  it('ends a download that the browser has stopped reading', async () => {
    const path = `/api/files/${randomUUID()}`;
    expect((await uploadFile(test, path, firm.people.staff.cookie, 'plan.pdf', buildPdf(20_000_000))).statusCode).toBe(201);
    const connection = await openRawConnection(test);
    const countConnections = () => new Promise<number>((resolve) => test.app.server.server.getConnections((_, count) => resolve(count)));
    connection.write(`GET ${path} HTTP/1.1\r\nhost: localhost\r\ncookie: ${firm.people.staff.cookie}\r\n\r\n`);
    await expect.poll(() => connection.received.length).toBeGreaterThan(0);
    connection.socket.pause();
    expect(await countConnections()).toBe(1);
    await expect.poll(countConnections, { timeout: 20_000 }).toBe(0);
  });

  it('does not wait for the rest of a rejected body', async () => {
    const connection = await openRawConnection(test);
    await connection.sendHead('PUT', `/api/files/${randomUUID()}`, { ...buildUploadHeaders(1_000_000), cookie: '' });
    await expectAllClosed([connection]);
    expect(connection.received).toContain('HTTP/1.1 401');
  });
});

describe('for each network, the server', () => {
  it('limits open connections, and accepts another connection once one has closed', async () => {
    const test = await startTestApp({}, { requestLimits: { maxConnectionsPerNetwork: 20 } });
    const connections = await openConnections(test, 20);
    const rejected = await openRawConnection(test);
    await expectAllClosed([rejected]);
    expect(connections.filter(({ closed }) => closed)).toEqual([]);
    connections[0]?.destroy();
    const requestHealth = async () => {
      const next = await openRawConnection(test);
      next.write('GET /api/health HTTP/1.1\r\nhost: localhost\r\n\r\n');
      await expect.poll(() => next.closed || next.received).toBeTruthy();
      return next.received;
    };
    await expect.poll(requestHealth, { timeout: 10_000 }).toContain('200 OK');
  });

  it('does not limit connections from a trusted proxy', async () => {
    const test = await startTestApp({ TRUST_PROXY: '1' }, { requestLimits: { maxConnectionsPerNetwork: 2 } });
    const connections = await openConnections(test, 10);
    for (const connection of connections) connection.write('GET /api/health HTTP/1.1\r\nhost: localhost\r\n\r\n');
    await expect.poll(() => connections.filter(({ received }) => received.includes('200 OK'))).toHaveLength(10);
  });

  it('limits concurrent request bodies per network, without affecting requests that have no body', async () => {
    const test = await startTestApp({ TRUST_PROXY: '1' }, { requestLimits: { maxBodiesPerNetwork: 5 } });
    const signInFrom = (ip: string) =>
      test.request('POST', '/api/auth/sign-in', { body: { email: 'a@b.co', password: 'secret-1' }, headers: { 'x-forwarded-for': ip } });
    const connections = await openConnections(test, 5);
    for (const connection of connections) {
      await connection.sendHead('POST', '/api/auth/sign-in', { ...JSON_HEADERS, 'x-forwarded-for': '203.0.113.9' });
    }
    const rejected = await signInFrom('203.0.113.9');
    expect([rejected.statusCode, rejected.json()]).toMatchObject([429, { code: 'TOO_MANY_ATTEMPTS', data: { retry_after: 5 } }]);
    expect(rejected.headers['retry-after']).toBe('5');
    expect(rejected.headers).toHaveProperty('content-security-policy');
    expect((await signInFrom('203.0.113.10')).statusCode).toBe(401);
    expect((await test.request('GET', '/api/health', { headers: { 'x-forwarded-for': '203.0.113.9' } })).statusCode).toBe(200);
    connections[0]?.destroy();
    await expect.poll(async () => (await signInFrom('203.0.113.9')).statusCode).toBe(401);
  });

  it.each([
    ['too large', { 'content-type': 'application/json' }, 'x'.repeat(300_000), 413],
    ['not JSON', { 'content-type': 'application/json' }, '{', 400],
    ['of another type', { 'content-type': 'text/xml' }, '<a/>', 400],
    ['from another site', { 'content-type': 'application/json', origin: 'http://evil.example' }, 'x'.repeat(300_000), 403],
    ['for an unknown call', { 'content-type': 'application/json', 'x-path': '/api/nothing' }, '{}', 404],
  ])('stops counting a body that was rejected: %s', async (_, headers, body, status) => {
    const test = await startTestApp({}, { requestLimits: { maxBodiesPerNetwork: 2, checkIntervalMs: 20 } });
    const url = await listenOnLocalhost(test);
    const path = 'x-path' in headers ? headers['x-path'] : '/api/customers';
    const send = async () => {
      const response = await fetch(`${url}${path}`, { method: 'POST', headers, body }).catch(() => null);
      await response?.text();
      return response?.status;
    };
    for (let n = 0; n < 4; n += 1) await expect.poll(send).toBe(status);
  });
});
