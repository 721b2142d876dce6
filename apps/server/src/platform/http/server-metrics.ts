import type { AllPools } from '../db/pools.ts';
import { getFairQueueCounts } from '../limits/fair-queue.ts';
import type { LiveUpdates } from '../live/live.ts';
import { countUnsentMails } from '../mail/outbox.sql.ts';
import { countQueuedTasks } from '../queue/queue.sql.ts';
import type { GaugeValue, MetricReadings, Metrics } from '../telemetry/metrics.ts';

interface MeasuredServer {
  readonly pools: AllPools;
  readonly live: Pick<LiveUpdates, 'countStreams'>;
}

/** Adds the metrics that are read at each scrape: those of this process, and those of the queue, which all processes share. */
export function addServerMetrics(metrics: Metrics, { pools, live }: MeasuredServer): void {
  const poolsByName = { app: pools.app, system: pools.system, work: pools.work, queue: pools.queue };
  metrics.addReadings(PROCESS_METRICS, () => {
    const connections = Object.entries(poolsByName).flatMap(([pool, { totalCount, idleCount }]) => [
      { labels: { pool, state: 'used' }, value: totalCount - idleCount },
      { labels: { pool, state: 'idle' }, value: idleCount },
    ]);
    const readPools = (read: (pool: AllPools['app']) => number) =>
      Object.entries(poolsByName).map(([pool, source]) => ({ labels: { pool }, value: read(source) }));
    return {
      callout_database_connections: connections,
      callout_database_connections_max: readPools(({ options }) => options.max),
      callout_database_requests_waiting: readPools(({ waitingCount }) => waitingCount),
      callout_fair_queue_waiting: readFairQueues('waiting'),
      callout_fair_queue_waits_total: readFairQueues('waits'),
      callout_fair_queue_wait_seconds_total: readFairQueues('waitedSeconds'),
      callout_fair_queue_refusals_total: readFairQueues('refusals'),
      callout_live_streams: [{ value: live.countStreams() }],
    };
  });
  metrics.addReadings(DATABASE_METRICS, () => readInTime(readDatabaseMetrics(pools)));
}

const PROCESS_METRICS = {
  callout_database_connections: { help: 'Open database connections by pool', labels: ['pool', 'state'] },
  callout_database_connections_max: { help: 'The most connections that a pool opens', labels: ['pool'] },
  callout_database_requests_waiting: { help: 'Requests that wait for a connection of a pool', labels: ['pool'] },
  callout_fair_queue_waiting: { help: 'Requests that wait for their turn at something that companies share', labels: ['queue'] },
  callout_fair_queue_waits_total: { help: 'Requests that had to wait for their turn', labels: ['queue'] },
  callout_fair_queue_wait_seconds_total: { help: 'Time that requests waited for their turn', labels: ['queue'] },
  callout_fair_queue_refusals_total: { help: 'Requests that waited in vain or were refused because too many waited', labels: ['queue'] },
  callout_live_streams: { help: 'Open live streams, about one per browser', labels: [] },
} as const;

const DATABASE_METRICS = {
  callout_database_up: { help: '1 if the database answered the scrape, else 0', labels: [] },
  callout_queue_tasks: { help: 'Tasks in the queue by name and state', labels: ['task', 'state'] },
  callout_queue_oldest_due_seconds: { help: 'How long the oldest task of a name is overdue', labels: ['task'] },
  callout_emails: { help: 'Emails that were not sent, by state; counted up to 10,000', labels: ['state'] },
} as const;

function readFairQueues(count: 'waiting' | 'waits' | 'waitedSeconds' | 'refusals'): GaugeValue[] {
  return [...getFairQueueCounts()].map(([queue, counts]) => ({ labels: { queue }, value: counts[count] }));
}

async function readDatabaseMetrics({ system }: AllPools): Promise<MetricReadings> {
  const [tasks, emails] = [await countQueuedTasks(system), await countUnsentMails(system)];
  const oldestByTask = new Map<string, number>();
  for (const { task, state, oldest_seconds } of tasks)
    if (state === 'due' || state === 'retrying') oldestByTask.set(task, Math.max(oldest_seconds, oldestByTask.get(task) ?? 0));
  return {
    callout_database_up: [{ value: 1 }],
    callout_queue_tasks: tasks.map(({ task, state, count }) => ({ labels: { task, state }, value: count })),
    callout_queue_oldest_due_seconds: [...oldestByTask].map(([task, value]) => ({ labels: { task }, value })),
    callout_emails: emails.map(({ status, count }) => ({ labels: { state: status }, value: count })),
  };
}

/** Prometheus gives up after ten seconds, and the other metrics matter most while the database is slow. */
const READ_TIMEOUT_MS = 3_000;

async function readInTime(reading: Promise<MetricReadings>): Promise<MetricReadings> {
  const timeout = Promise.withResolvers<MetricReadings>();
  const down = { callout_database_up: [{ value: 0 }] };
  const timer = setTimeout(() => timeout.resolve(down), READ_TIMEOUT_MS);
  try {
    return await Promise.race([reading, timeout.promise]);
  } catch {
    return down;
  } finally {
    clearTimeout(timer);
  }
}
