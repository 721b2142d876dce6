import type pg from 'pg';
import type { App } from '../apps/server/src/app.ts';

/** A statement exactly as the server passed it to the driver. */
export interface SqlStatement {
  /** Named statements are prepared only once per connection. */
  readonly name?: string;
  readonly text: string;
  readonly values: readonly unknown[];
}

export interface RecordedResponse {
  readonly status: number;
  readonly body: unknown;
  /** Excludes the session check, which uses another connection pool. */
  readonly statements: readonly SqlStatement[];
}

export interface RecordableRequest {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body?: object;
}

export type RecordRequest = (request: RecordableRequest) => Promise<RecordedResponse>;

/**
 * Records the SQL that the server sends, so that the baselines always run the same statements. Create the recorder before the first
 * request, because it only records connections opened later.
 */
export function createSqlRecorder({ server, platform }: App): (cookie: string) => Promise<RecordRequest> {
  let statements: SqlStatement[] = [];
  platform.pools.app.on('connect', (client) => {
    client.query = new Proxy(client.query, {
      apply(query, self, args: unknown[]) {
        statements.push(toStatement(args));
        return Reflect.apply(query, self, args) as unknown;
      },
    });
  });
  return async (cookie) => {
    const record: RecordRequest = async ({ method, path, body }) => {
      statements = [];
      const reply = await server.inject({ method, url: path, headers: { cookie }, ...(body && { payload: body }) });
      return { status: reply.statusCode, body: reply.json(), statements };
    };
    // Discard the first request, because it also sets the company of the connection.
    await record({ method: 'GET', path: '/api/customers' });
    return record;
  };
}

function toStatement([query, values]: unknown[]): SqlStatement {
  const { name, text, values: configValues } = typeof query === 'string' ? { text: query } : (query as pg.QueryConfig);
  return { ...(name !== undefined && { name }), text, values: Array.isArray(values) ? values : (configValues ?? []) };
}
