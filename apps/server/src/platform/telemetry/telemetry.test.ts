import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { beforeAll, describe, expect, it } from 'vitest';
import { openEventStream } from '../../../test/event-stream.ts';
import { buildCustomer, buildQuote } from '../../../test/factories/inputs.ts';
import { createFirm, type Firm } from '../../../test/factories/people.ts';
import { type Mailbox, startMailbox } from '../../../test/mailbox.ts';
import { postponeQueuedWork, waitForQueue } from '../../../test/queue.ts';
import { startTestApp, type TestApp } from '../../../test/test-app.ts';
import { nameStatement } from './tracing.ts';

const OPS_DIR = join(import.meta.dirname, '../../../../../ops');
const TRACE_ID = '4bf92f3577b34da6a3ce929d0e0e4736';
const REQUEST_ID = 'proxy-request-1';

interface ExportedSpan {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly attributes: readonly { readonly key: string; readonly value: object }[];
}

/** Starts an OpenTelemetry collector that keeps the spans it receives. */
async function startCollector() {
  const spans: ExportedSpan[] = [];
  const server = createServer((request, response) => {
    void json(request).then((body) => {
      const { resourceSpans } = body as { resourceSpans: { scopeSpans: { spans: ExportedSpan[] }[] }[] };
      spans.push(...resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans)));
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    });
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, spans, stop: () => server.close() };
}

let test: TestApp;
let firm: Firm;
let mailbox: Mailbox;
let collector: Awaited<ReturnType<typeof startCollector>>;

beforeAll(async () => {
  [mailbox, collector] = await Promise.all([startMailbox(), startCollector()]);
  test = await startTestApp({
    ...mailbox.environment,
    METRICS_PORT: '0',
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    TRUST_PROXY: '1',
  });
  firm = await createFirm(test);
  const { admin, staff } = firm.people;
  mailbox.beforeAccept(({ to }) => {
    if (to.includes(staff.email)) throw new Error(`The mailbox of ${staff.email} is full`);
  });
  const { client, cookie } = admin;
  const customer = await client.customers.create(buildCustomer({ name: 'Secret Customer' }));
  const quote = await client.quotes.create(buildQuote({ customer_id: customer.id }));
  await test.request('GET', `/api/quotes/${quote.id}/pdf`, { cookie });
  await test.request('GET', `/api/customers/${customer.id}`, {
    cookie,
    headers: { traceparent: `00-${TRACE_ID}-00f067aa0ba902b7-01`, 'x-request-id': REQUEST_ID },
  });
  await test.request('GET', '/api/customers', { cookie: '' });
  for (const path of ['/customers', `/invoice/${TRACE_ID}`, '/api/nothing', '/assets/old.js'])
    await test.request('GET', path, { cookie: '' });
  for (const { email } of [admin, staff]) await test.client().auth.requestPasswordReset({ email });
  await waitForQueue(test);
  await postponeQueuedWork(test);
  return async () => {
    await mailbox.stop();
    collector.stop();
  };
});

const getMetricsUrl = () => `http://127.0.0.1:${(test.app.metricsServer?.address() as AddressInfo | undefined)?.port}`;

async function scrape(): Promise<string> {
  const response = await fetch(`${getMetricsUrl()}/metrics`);
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/plain; version=0.0.4; charset=utf-8']);
  return response.text();
}

/** Returns the lines of one metric without its help, as `{labels} value`. */
const findSamples = (text: string, name: string) =>
  text.split('\n').flatMap((line) => (line.startsWith(`${name}{`) || line.startsWith(`${name} `) ? [line.slice(name.length)] : []));

describe('a scrape', () => {
  it('counts calls by name and status, and measures their duration', async () => {
    const text = await scrape();
    expect(findSamples(text, 'callout_calls_total')).toEqual(
      expect.arrayContaining([
        '{call="customers.create",status="201"} 1',
        '{call="customers.get",status="200"} 1',
        '{call="customers.list",status="401"} 1',
        '{call="GET /api/quotes/:id/pdf",status="200"} 1',
      ]),
    );
    expect(findSamples(text, 'callout_call_duration_seconds_count')).toContain('{call="customers.create"} 1');
    expect(text).toContain('callout_call_duration_seconds_bucket{le="0.25",call="customers.create"}');
  });

  it('counts all pages together, apart from requests that nothing serves', async () => {
    const names = findSamples(await scrape(), 'callout_call_duration_seconds_count').map((sample) => /call="([^"]*)"/.exec(sample)?.[1]);
    expect(names).toEqual(expect.arrayContaining(['page', 'no route']));
    expect(findSamples(await scrape(), 'callout_call_duration_seconds_count')).toContain('{call="page"} 2');
  });

  it('counts tasks, emails and PDFs by outcome', async () => {
    const text = await scrape();
    expect(findSamples(text, 'callout_work_total')).toEqual(
      expect.arrayContaining([
        '{kind="email",name="delivery",outcome="failed"} 1',
        '{kind="task",name="send-mail",outcome="failed"} 1',
        expect.stringMatching(/^\{kind="email",name="delivery",outcome="succeeded"\} [1-9]/),
        expect.stringMatching(/^\{kind="pdf",name="\w+",outcome="succeeded"\} 1$/),
      ]),
    );
    expect(findSamples(text, 'callout_queue_tasks')).toContain('{task="send-mail",state="retrying"} 1');
    expect(findSamples(text, 'callout_emails')).toEqual(['{state="waiting"} 1', '{state="failed"} 0', '{state="kept"} 0']);
  });

  it('reports overdue tasks by age', async () => {
    await test.owner.query(`select graphile_worker.add_job('overdue-test', run_at => now() - interval '90 seconds')`);
    const samples = findSamples(await scrape(), 'callout_queue_oldest_due_seconds');
    expect(samples).toContainEqual(expect.stringMatching(/^\{task="overdue-test"\} (9\d|1\d\d)\b/));
  });

  it('reports connections, waits, streams, the event loop and memory', async () => {
    const stream = await openEventStream(test, firm.people.admin.cookie);
    const text = await scrape();
    expect(findSamples(text, 'callout_live_streams')).toEqual([' 1']);
    stream.close();
    expect(findSamples(text, 'callout_database_up')).toEqual([' 1']);
    expect(findSamples(text, 'callout_database_connections_max')).toContain('{pool="app"} 8');
    for (const pool of ['app', 'system', 'work', 'queue'])
      expect(text).toMatch(new RegExp(`callout_database_connections\\{pool="${pool}",state="(used|idle)"\\} [1-9]`));
    expect(findSamples(text, 'callout_fair_queue_waiting')).toContain('{queue="PDFs"} 0');
    for (const name of ['nodejs_eventloop_lag_p99_seconds', 'process_resident_memory_bytes', 'callout_build_info'])
      expect(findSamples(text, name)).toHaveLength(1);
  });

  it('contains no ids and no data of people or companies', async () => {
    const text = await scrape();
    expect(text).not.toMatch(/[\da-f]{8}-[\da-f]{4}-|@|Secret/i);
    expect(text).not.toContain(firm.companyId);
  });

  it('is served on its own port only', async () => {
    expect((await test.request('GET', '/metrics')).headers['content-type']).not.toContain('text/plain');
    expect((await fetch(`${getMetricsUrl()}/api/health`)).status).toBe(404);
  });

  it.each(['alerts.yml', 'grafana-dashboard.json'])('has every metric that ops/%s mentions', async (file) => {
    const mentioned = new Set((await readFile(join(OPS_DIR, file), 'utf8')).match(/\b(?:callout|nodejs|process)_[a-z\d_]+/g));
    const types = (await scrape()).matchAll(/^# TYPE (\S+) (\S+)$/gm);
    const existing = new Set([...types].flatMap(([, name, type]) => (type === 'histogram' ? [`${name}_bucket`, `${name}_count`] : [name])));
    expect(mentioned.size).toBeGreaterThan(4);
    expect([...mentioned].filter((name) => !existing.has(name))).toEqual([]);
  });
});

it('a failed task is logged with its job and without email addresses', () => {
  const lines = test.logLines.map((line) => JSON.parse(line) as Record<string, unknown>);
  const failures = lines.filter(({ msg }) => msg === 'Task failed');
  expect(failures).toMatchObject([
    {
      part: 'queue',
      task: 'send-mail',
      job: expect.stringMatching(/^\d+$/),
      attempt: 1,
      err: { message: expect.stringContaining('[email]') },
    },
  ]);
  expect(JSON.stringify(failures)).not.toContain('@');
});

describe('a trace', () => {
  beforeAll(() => test.app.close());

  const findSpan = (name: string) => collector.spans.find((span) => span.name === name);
  const listChildren = ({ spanId }: ExportedSpan) => collector.spans.filter(({ parentSpanId }) => parentSpanId === spanId);

  it('contains the call and its statements, as part of the trace of a trusted proxy', () => {
    const call = findSpan('customers.get');
    expect(call).toMatchObject({ traceId: TRACE_ID, parentSpanId: '00f067aa0ba902b7' });
    expect(call?.attributes).toContainEqual({ key: 'callout.request_id', value: { stringValue: REQUEST_ID } });
    const statements = call ? listChildren(call) : [];
    expect(statements.length).toBeGreaterThanOrEqual(2);
    expect(statements.every(({ traceId }) => traceId === TRACE_ID)).toBe(true);
    const command = findSpan('customers.create');
    expect(command && listChildren(command).map(({ name }) => name)).toEqual(
      expect.arrayContaining(['sql insert customers', 'sql commit']),
    );
  });

  it('contains queue tasks, emails and PDFs', () => {
    const pdf = collector.spans.find(({ name }) => name.startsWith('pdf '));
    expect(pdf?.parentSpanId).toBe(findSpan('GET /api/quotes/:id/pdf')?.spanId);
    const mailTasks = collector.spans.filter(({ name }) => name === 'task send-mail').map(({ spanId }) => spanId);
    expect(mailTasks).toContain(findSpan('email delivery')?.parentSpanId);
  });

  it('contains no values, error messages or ids of people and companies', () => {
    const exported = JSON.stringify(collector.spans);
    for (const secret of [firm.companyId, firm.people.admin.email, 'Secret Customer', 'is full']) expect(exported).not.toContain(secret);
  });
});

it.each([
  [{ name: 'find-session', text: 'select 1' }, 'find-session'],
  ['begin; select from companies where company_id = current_company_id()', 'begin companies'],
  [{ text: 'insert into "customers" ("id") values ($1)' }, 'insert customers'],
  ["update jobs set title = 'from Ana'", 'update jobs'],
  ['  COMMIT', 'commit'],
])('a statement such as %j is named %s', (query, name) => {
  expect(nameStatement(query)).toBe(name);
});
