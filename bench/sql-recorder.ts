import type pg from 'pg';
import type { App } from '../apps/server/src/app.ts';

/** A statement exactly as the server passes it to the driver. */
export interface SqlStatement {
  /** If set, the statement is prepared only once per connection. */
  readonly name?: string;
  readonly text: string;
  readonly values: readonly unknown[];
}

export interface RecordedResponse {
  readonly status: number;
  readonly body: unknown;
  /** The SQL that the request ran, without the session check. */
  readonly statements: readonly SqlStatement[];
}

export interface RecordableRequest {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body?: object;
  /** True for a request without a session, such as a customer's. */
  readonly isPublic?: boolean;
}

export type RecordRequest = (request: RecordableRequest) => Promise<RecordedResponse>;

/** Records the SQL that the server runs, so that the baselines run the same statements. */
export function createSqlRecorder({ server, platform }: App): (cookie: string) => Promise<RecordRequest> {
  let statements: SqlStatement[] = [];
  const recorded = new WeakSet<pg.PoolClient>();
  const recordStatements = (client: pg.PoolClient, isRecorded: () => boolean) => {
    if (recorded.has(client)) return;
    recorded.add(client);
    client.query = new Proxy(client.query, {
      apply(query, self, args: unknown[]) {
        if (isRecorded()) statements.push(toStatement(args));
        return Reflect.apply(query, self, args) as unknown;
      },
    });
  };
  let isPublicRequest = false;
  platform.pools.app.on('acquire', (client) => recordStatements(client, () => true));
  // Public links are opened by the system pool, which also checks sessions and serves the queue.
  platform.pools.system.on('acquire', (client) => recordStatements(client, () => isPublicRequest));
  return async (cookie) => {
    const record: RecordRequest = async ({ method, path, body, isPublic = false }) => {
      statements = [];
      isPublicRequest = isPublic;
      const headers = isPublic ? {} : { cookie };
      const reply = await server.inject({ method, url: path, headers, ...(body && { payload: body }) });
      isPublicRequest = false;
      return { status: reply.statusCode, body: reply.json(), statements };
    };
    // Discard the first request, because it also prepares the connection.
    await record({ method: 'GET', path: '/api/customers' });
    return record;
  };
}

function toStatement([query, values]: unknown[]): SqlStatement {
  const { name, text, values: configValues } = typeof query === 'string' ? { text: query } : (query as pg.QueryConfig);
  return { ...(name !== undefined && { name }), text, values: Array.isArray(values) ? values : (configValues ?? []) };
}
