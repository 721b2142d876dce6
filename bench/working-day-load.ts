import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { handleParentMessages } from './child-worker.ts';
import { formatHttpRequest, type HttpConnection, openHttpConnection } from './http-connection.ts';
import { createRandomGenerator } from './random.ts';
import { type LoadResult, runLoad } from './run-load.ts';
import { buildNextCall, type Firm } from './working-day.ts';

interface DayStart {
  readonly kind: 'start';
  readonly host: string;
  readonly port: number;
  readonly firms: readonly Firm[];
  /** How many people of each firm have Callout open, each with a live stream. */
  readonly openPagesPerFirm: number;
}

interface DayLoad {
  readonly kind: 'load';
  readonly connections: number;
  readonly ms: number;
  /** Null sends back to back on each connection. */
  readonly callsPerSecond: number | null;
}

export type DayMessage = DayStart | DayLoad;

export interface DayResult extends LoadResult {
  /** How often each call got an unexpected status, such as `create job: 500`. */
  readonly failures: ReadonlyMap<string, number>;
  readonly liveUpdates: number;
}

const SEED = 40_000;
const STREAMS_PER_BATCH = 50;
const random = createRandomGenerator(SEED);

let start: DayStart | undefined;
let liveUpdates = 0;

handleParentMessages(async (message: DayMessage): Promise<DayResult | null> => {
  if (message.kind === 'load') return runDay(message);
  start = message;
  const cookies = message.firms.flatMap((firm) => firm.cookies.slice(0, message.openPagesPerFirm));
  for (let next = 0; next < cookies.length; next += STREAMS_PER_BATCH) {
    await Promise.all(cookies.slice(next, next + STREAMS_PER_BATCH).map((cookie) => openStream(message, cookie)));
  }
  return null;
});

/** Opens a live stream and keeps it open until the process exits. */
async function openStream({ host, port }: DayStart, cookie: string): Promise<void> {
  const socket = connect({ host, port });
  await once(socket, 'connect');
  socket.write(formatHttpRequest('GET', '/api/live', { cookie }));
  const [head] = (await once(socket, 'data')) as [Buffer];
  if (!head.includes(' 200 OK')) throw new Error(`A live stream was refused: ${head.toString().split('\r\n', 1)[0]}`);
  socket.on('data', (chunk: Buffer) => (liveUpdates += chunk.includes('event: change') ? 1 : 0));
}

async function runDay({ connections, ms, callsPerSecond }: DayLoad): Promise<DayResult> {
  if (!start) throw new Error('The day has not started');
  const { host, port, firms } = start;
  const open = await Promise.all(Array.from({ length: connections }, () => openHttpConnection(host, port)));
  // The server closes idle connections, as it does for browsers.
  const reopen = async () => {
    const connection = await openHttpConnection(host, port);
    open.push(connection);
    return connection;
  };
  const failures = new Map<string, number>();
  const send = async (connection: HttpConnection | undefined) => {
    const { title, request } = buildNextCall(firms, random);
    const status = await connection?.send(request);
    if (status === 200 || status === 201) return;
    const failure = `${title}: ${status}`;
    failures.set(failure, (failures.get(failure) ?? 0) + 1);
  };
  liveUpdates = 0;
  try {
    const result =
      callsPerSecond === null
        ? await runLoad(connections, ms, (connection) => send(open[connection]))
        : await runSteadyLoad(open, { callsPerSecond, ms }, { send, reopen });
    return { ...result, failures, liveUpdates };
  } finally {
    for (const connection of open) connection.close();
  }
}

/**
 * Sends calls at random times, on average `callsPerSecond`, whether or not earlier ones were answered. A call's latency counts from the time
 * at which it was due, so that waiting for a free connection isn't hidden.
 */
async function runSteadyLoad(
  open: readonly HttpConnection[],
  { callsPerSecond, ms }: { readonly callsPerSecond: number; readonly ms: number },
  { send, reopen }: { send: (connection: HttpConnection) => Promise<void>; reopen: () => Promise<HttpConnection> },
): Promise<LoadResult> {
  const latencies: number[] = [];
  const begin = performance.now();
  let nextDue = begin;
  const sendCalls = async (first: HttpConnection) => {
    let connection = first;
    for (;;) {
      nextDue += (-Math.log(1 - random.next()) * 1000) / callsPerSecond;
      const due = nextDue;
      if (due > begin + ms) return;
      await wait(Math.max(0, due - performance.now()));
      if (connection.isClosed()) connection = await reopen();
      await send(connection);
      latencies.push(performance.now() - due);
    }
  };
  await Promise.all([...open].map(sendCalls));
  return { ms: Math.max(ms, performance.now() - begin), latencies };
}
