import type pg from 'pg';
import type { App } from '../apps/server/src/app.ts';

/** What went to the driver, without how its rows were to come back. */
export interface Statement {
  /** Statements with a name are prepared once per connection. */
  readonly name?: string;
  readonly text: string;
  readonly values: readonly unknown[];
}

export interface RecordedCall {
  readonly status: number;
  readonly answer: unknown;
  /** Those of the feature: sign-in has its own connections. */
  readonly statements: readonly Statement[];
}

export interface RecordableRequest {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body?: object;
}

export type Record = (request: RecordableRequest) => Promise<RecordedCall>;

/**
 * Writes down the SQL that the product sends, so that what is measured beside it cannot drift from it. To be made before the
 * first call: connections that are open already would not be heard.
 */
export function createRecorder({ server, platform }: App): (cookie: string) => Promise<Record> {
  let statements: Statement[] = [];
  platform.pools.app.on('connect', (client) => {
    client.query = new Proxy(client.query, {
      apply(query, self, given: unknown[]) {
        statements.push(statementOf(given));
        return Reflect.apply(query, self, given) as unknown;
      },
    });
  });
  return async (cookie) => {
    const record: Record = async ({ method, path, body }) => {
      statements = [];
      const reply = await server.inject({ method, url: path, headers: { cookie }, ...(body && { payload: body }) });
      return { status: reply.statusCode, answer: reply.json(), statements };
    };
    // Once for nothing: the first call on a connection also tells it its company.
    await record({ method: 'GET', path: '/api/customers' });
    return record;
  };
}

function statementOf([query, values]: unknown[]): Statement {
  const { name, text, values: own } = typeof query === 'string' ? { text: query } : (query as pg.QueryConfig);
  return { ...(name !== undefined && { name }), text, values: Array.isArray(values) ? values : (own ?? []) };
}
