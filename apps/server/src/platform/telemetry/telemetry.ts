import type { Metrics } from './metrics.ts';
import type { Tracing } from './tracing.ts';

/** Work that people don't wait for directly: a queue task, the delivery of an email, or the rendering of a PDF. */
export type WorkKind = 'task' | 'email' | 'pdf';

export interface Telemetry {
  /** Null unless metrics are turned on. */
  readonly metrics: Metrics | null;
  /** Null unless traces are turned on. */
  readonly tracing: Tracing | null;
  /** Runs work and records how long it took and whether it succeeded. Names must be few, because each becomes a time series. */
  measureWork<Result>(kind: WorkKind, name: string, work: () => Promise<Result>): Promise<Result>;
  /** Sends the spans that are still waiting. */
  stop(): Promise<void>;
}

export const TELEMETRY_OFF: Telemetry = {
  metrics: null,
  tracing: null,
  measureWork: (_kind, _name, work) => work(),
  stop: () => Promise.resolve(),
};

export interface TelemetrySettings {
  readonly metricsPort: number | undefined;
  readonly traceCollectorUrl: string | undefined;
}

/** Loads only what is turned on, so that a server without telemetry pays nothing for it. */
export async function startTelemetry({ metricsPort, traceCollectorUrl }: TelemetrySettings): Promise<Telemetry> {
  if (metricsPort === undefined && traceCollectorUrl === undefined) return TELEMETRY_OFF;
  const metrics = metricsPort === undefined ? null : (await import('./metrics.ts')).createMetrics();
  const tracing = traceCollectorUrl === undefined ? null : (await import('./tracing.ts')).startTracing(traceCollectorUrl);
  return {
    metrics,
    tracing,
    measureWork(kind, name, work) {
      const measured = metrics ? () => metrics.measureWork(kind, name, work) : work;
      return tracing ? tracing.runInSpan(`${kind} ${name}`, measured) : measured();
    },
    stop: async () => tracing?.stop(),
  };
}
