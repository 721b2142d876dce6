import { createServer, type Server } from 'node:http';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import packageJson from '../../../package.json' with { type: 'json' };
import type { WorkKind } from './telemetry.ts';

/** In seconds. The page stops waiting after 20. */
const CALL_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20];
const WORK_BUCKETS = [0.05, 0.25, 1, 5, 15, 60, 300, 1800];

/** One value of a gauge. Labels must have few possible values and never contain a company's or person's data. */
export interface GaugeValue {
  readonly labels?: Readonly<Record<string, string>>;
  readonly value: number;
}

/** Gauges and counters by name, read anew for each scrape. */
export type MetricReadings = Readonly<Record<string, readonly GaugeValue[]>>;

export interface MetricDefinition {
  readonly help: string;
  readonly labels: readonly string[];
}

export interface Metrics {
  observeCall(call: string, status: number, seconds: number): void;
  measureWork<Result>(kind: WorkKind, name: string, work: () => Promise<Result>): Promise<Result>;
  /** Adds metrics that `read` reads at each scrape. A name that ends with `_total` is a counter, any other a gauge. */
  addReadings(definitions: Readonly<Record<string, MetricDefinition>>, read: () => MetricReadings | Promise<MetricReadings>): void;
  scrape(): Promise<string>;
  /** Serves the metrics at /metrics until `close` is called on the returned server. */
  listen(port: number, host: string): Promise<Server>;
}

export function createMetrics(): Metrics {
  const register = new Registry();
  const registers = [register];
  collectDefaultMetrics({ register });
  const labelNames = ['call', 'status'] as const;
  const calls = new Counter({ name: 'callout_calls_total', help: 'Requests by call and HTTP status', labelNames, registers });
  const callDurations = new Histogram({
    name: 'callout_call_duration_seconds',
    help: 'Time from the first byte of a request to the last byte of its response, by call',
    labelNames: ['call'] as const,
    buckets: CALL_BUCKETS,
    registers,
  });
  const works = new Counter({
    name: 'callout_work_total',
    help: 'Queue tasks, email deliveries and PDFs by outcome; a task that fails and is retried counts each time',
    labelNames: ['kind', 'name', 'outcome'] as const,
    registers,
  });
  const workDurations = new Histogram({
    name: 'callout_work_duration_seconds',
    help: 'Duration of queue tasks, email deliveries and PDFs',
    labelNames: ['kind', 'name'] as const,
    buckets: WORK_BUCKETS,
    registers,
  });
  new Gauge({ name: 'callout_build_info', help: 'Always 1; the label has the version', labelNames: ['version'], registers }).set(
    { version: packageJson.version },
    1,
  );
  const updates: (() => Promise<void>)[] = [];
  const metrics: Metrics = {
    observeCall(call, status, seconds) {
      calls.inc({ call, status });
      callDurations.observe({ call }, seconds);
    },
    async measureWork(kind, name, work) {
      const startedAt = performance.now();
      let outcome = 'failed';
      try {
        const result = await work();
        outcome = 'succeeded';
        return result;
      } finally {
        works.inc({ kind, name, outcome });
        workDurations.observe({ kind, name }, (performance.now() - startedAt) / 1000);
      }
    },
    addReadings(definitions, read) {
      const metricsByName = Object.entries(definitions).map(([name, { help, labels }]) => {
        const options = { name, help, labelNames: [...labels], registers };
        return [name, name.endsWith('_total') ? new Counter(options) : new Gauge(options)] as const;
      });
      updates.push(async () => {
        const readings = await read();
        for (const [name, metric] of metricsByName) {
          metric.reset();
          for (const { labels = {}, value } of readings[name] ?? []) metric.inc(labels, value);
        }
      });
    },
    async scrape() {
      for (const update of updates) await update();
      return register.metrics();
    },
    async listen(port, host) {
      const server = createServer((request, response) => {
        if (request.method !== 'GET' || request.url?.split('?', 1)[0] !== '/metrics') return void response.writeHead(404).end();
        metrics.scrape().then(
          (text) => response.writeHead(200, { 'content-type': register.contentType }).end(text),
          () => response.writeHead(500).end(),
        );
      });
      await new Promise<void>((resolve, reject) => void server.once('error', reject).listen(port, host, resolve));
      return server;
    },
  };
  return metrics;
}
