import { AsyncResource } from 'node:async_hooks';
import { context, ROOT_CONTEXT, type Span, SpanKind, SpanStatusCode, type Tracer, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { AlwaysOnSampler, BatchSpanProcessor, ParentBasedSampler, TracerProvider } from '@opentelemetry/sdk-trace';
import type pg from 'pg';
import packageJson from '../../../package.json' with { type: 'json' };

export interface RequestSpan {
  /** Continues the request inside the span, so that its statements and PDFs become the span's children. */
  enter(next: () => void): void;
  end(status: number): void;
}

export interface Tracing {
  runInSpan<Result>(name: string, work: () => Promise<Result>): Promise<Result>;
  /** `parent` is the traceparent header of a trusted proxy. */
  startRequest(name: string, requestId: string, parent: string | undefined): RequestSpan;
  /** Records the statements of a span's work on this pool. Call this before the pool's first connection. */
  traceStatements(pool: pg.Pool): void;
  stop(): Promise<void>;
}

/** A collector that doesn't respond must not delay a shutdown for long. */
const EXPORT_TIMEOUT_MS = 3_000;

/**
 * Sends spans to an OpenTelemetry collector. They contain names of calls, statements, tasks and documents, but no values, messages or ids of
 * people and companies.
 */
export function startTracing(collectorUrl: string): Tracing {
  const exporter = new OTLPTraceExporter({ url: `${collectorUrl.replace(/\/+$/, '')}/v1/traces`, timeoutMillis: EXPORT_TIMEOUT_MS });
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': 'callout', 'service.version': packageJson.version }),
    sampler: new ParentBasedSampler({ root: new AlwaysOnSampler() }),
    spanProcessors: [new BatchSpanProcessor({ exporter, exportTimeoutMillis: EXPORT_TIMEOUT_MS })],
  });
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  const tracer = provider.getTracer('callout');
  return {
    runInSpan: (name, work) =>
      tracer.startActiveSpan(name, async (span) => {
        try {
          const result = await work();
          span.end();
          return result;
        } catch (error) {
          endWithError(span, error);
          throw error;
        }
      }),
    startRequest(name, requestId, parent) {
      const options = { kind: SpanKind.SERVER, attributes: { 'callout.request_id': requestId } };
      const span = tracer.startSpan(name, options, readParent(parent));
      return {
        enter: (next) => context.with(trace.setSpan(context.active(), span), next),
        end(status) {
          span.setAttribute('http.response.status_code', status);
          if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
          span.end();
        },
      };
    },
    traceStatements(pool) {
      const connect = pool.connect.bind(pool) as (callback?: (...args: unknown[]) => void) => unknown;
      // While it waits for a connection, pool.query would otherwise continue in the span of whoever gave one back.
      const connectInContext = (callback?: (...args: unknown[]) => void) => (callback ? connect(AsyncResource.bind(callback)) : connect());
      Object.assign(pool, { connect: connectInContext });
      pool.on('connect', (client) => traceClient(client, tracer));
    },
    async stop() {
      await provider.shutdown().catch(() => undefined);
      context.disable();
    },
  };
}

/** Parses a traceparent header (W3C Trace Context). */
function readParent(header: string | undefined) {
  const [, traceId, spanId, flags] = /^00-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})$/.exec(header ?? '') ?? [];
  if (!traceId || !spanId || !flags) return ROOT_CONTEXT;
  return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & 1, isRemote: true });
}

/** Records the kind of error, but not its message, which may contain personal data. */
function endWithError(span: Span, error: unknown): void {
  const { code, name } = error as { code?: string; name?: string };
  span.setAttribute('error.type', code ?? name ?? typeof error);
  span.setStatus({ code: SpanStatusCode.ERROR });
  span.end();
}

type Query = (...args: unknown[]) => unknown;

/** The methods of a query object that the driver calls when the query ends. */
interface SubmittableEnd {
  handleReadyForQuery(...args: unknown[]): void;
  handleError(...args: unknown[]): void;
}

function traceClient(client: pg.PoolClient, tracer: Tracer): void {
  const query = client.query.bind(client) as Query;
  const tracedQuery: Query = (...args) => {
    // Leaves out the queue's polling, which belongs to no span.
    if (!trace.getActiveSpan()) return query(...args);
    const span = tracer.startSpan(`sql ${nameStatement(args[0])}`, {
      kind: SpanKind.CLIENT,
      attributes: { 'db.system.name': 'postgresql' },
    });
    const end = (error?: unknown) => (error ? endWithError(span, error) : span.end());
    const callback = args.at(-1);
    if (typeof callback === 'function') {
      const endAndCall: Query = (error, result) => {
        end(error);
        (callback as Query)(error, result);
      };
      return query(...args.slice(0, -1), endAndCall);
    }
    if (isSubmittable(args[0])) {
      endWithSubmittable(args[0], end);
      return query(...args);
    }
    const result = query(...args) as Promise<unknown>;
    result.then(() => end(), end);
    return result;
  };
  Object.assign(client, { query: tracedQuery });
}

function isSubmittable(query: unknown): query is SubmittableEnd {
  return typeof query === 'object' && query !== null && 'submit' in query && 'handleReadyForQuery' in query && 'handleError' in query;
}

function endWithSubmittable(query: SubmittableEnd, end: (error?: unknown) => void): void {
  const [handleReadyForQuery, handleError] = [query.handleReadyForQuery.bind(query), query.handleError.bind(query)];
  Object.assign(query, {
    handleReadyForQuery(...args: unknown[]) {
      end();
      handleReadyForQuery(...args);
    },
    handleError(...args: unknown[]) {
      end(args[0]);
      handleError(...args);
    },
  } satisfies SubmittableEnd);
}

/** Names a statement, such as 'update jobs', without its text, which may contain values. */
export function nameStatement(query: unknown): string {
  const { name, text = '' } = typeof query === 'string' ? { name: undefined, text: query } : (query as { name?: string; text?: string });
  if (name) return name;
  const verb = /^\s*(\w+)/.exec(text)?.[1] ?? 'statement';
  const table = /\b(?:from|into|update)\s+"?(\w+)/i.exec(text)?.[1];
  return [verb.toLowerCase(), table].filter(Boolean).join(' ');
}
