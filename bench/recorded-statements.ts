import type pg from 'pg';
import type { App } from '../apps/server/src/app.ts';

/** A statement as the product passed it to the driver. */
export interface Statement {
  /** Statements with a name are prepared once per connection. */
  readonly name?: string;
  readonly text: string;
  readonly values: readonly unknown[];
}

export interface RecordedCall {
  readonly status: number;
  readonly answer: unknown;
  /** Without those of the session check, which has its own connections. */
  readonly statements: readonly Statement[];
}

export interface RecordableRequest {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body?: object;
}

export type RecordRequest = (request: RecordableRequest) => Promise<RecordedCall>;

/**
 * Records the SQL that the product sends, so that the baselines always run the same statements. Create it before the first request:
 * it sees only connections opened after it.
 */
export function createRecorder({ server, platform }: App): (cookie: string) => Promise<RecordRequest> {
  let statements: Statement[] = [];
  platform.pools.app.on('connect', (client) => {
    client.query = new Proxy(client.query, {
      apply(query, self, args: unknown[]) {
        statements.push(statementOf(args));
        return Reflect.apply(query, self, args) as unknown;
      },
    });
  });
  return async (cookie) => {
    const record: RecordRequest = async ({ method, path, body }) => {
      statements = [];
      const reply = await server.inject({ method, url: path, headers: { cookie }, ...(body && { payload: body }) });
      return { status: reply.statusCode, answer: reply.json(), statements };
    };
    // Not recorded: the first request on a connection also sets its company.
    await record({ method: 'GET', path: '/api/customers' });
    return record;
  };
}

function statementOf([query, values]: unknown[]): Statement {
  const { name, text, values: own } = typeof query === 'string' ? { text: query } : (query as pg.QueryConfig);
  return { ...(name !== undefined && { name }), text, values: Array.isArray(values) ? values : (own ?? []) };
}
