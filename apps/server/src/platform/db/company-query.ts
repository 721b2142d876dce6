import pg from 'pg';

/** Its condition is never true, so it returns no row that would have to be skipped. */
export const SET_COMPANY = { name: 'set-company', text: `select where set_config('app.company_id', $1, true) is null` };

/** Builds the same as a statement for the start of a transaction. */
export const buildSetCompanyStatement = (companyId: string) => `select set_config('app.company_id', ${pg.escapeLiteral(companyId)}, true)`;

export interface ConnectionWithStatements extends pg.Connection {
  /** The SQL of each statement that PostgreSQL has prepared on this connection, by name. */
  readonly parsedStatements: Readonly<Record<string, string>>;
}

/**
 * Sends the company ahead of a statement, in the same round trip. Without a transaction, PostgreSQL runs everything up to the next Sync
 * message as one, so the setting ends with the statement. Nothing stays set on the connection, which a pooler may give to another company.
 */
export function sendCompany(wire: pg.Connection, companyId: string): void {
  const connection = wire as ConnectionWithStatements;
  const isPrepared = connection.parsedStatements[SET_COMPANY.name] !== undefined;
  const statement = isPrepared ? SET_COMPANY.name : '';
  if (!isPrepared) connection.parse({ name: '', text: SET_COMPANY.text, types: [] }, true);
  connection.bind({ statement, values: [companyId] }, true);
  connection.execute(null, true);
}

interface QueryHandlers {
  handleCommandComplete(message: unknown, connection: pg.Connection): void;
}

/** pg's own query, for one company. */
class CompanyQuery extends pg.Query {
  readonly #companyId: string;
  #isCompanySet = false;

  constructor(
    companyId: string,
    config: pg.QueryConfig,
    values: unknown[],
    onEnd: (error: Error | undefined, result: pg.QueryResult) => void,
  ) {
    // Only the extended protocol can send several statements in one round trip.
    super({ ...config, queryMode: 'extended' } as pg.QueryConfig, values, onEnd);
    this.#companyId = companyId;
  }

  override submit = (connection: pg.Connection): Error | null => {
    connection.stream.cork();
    sendCompany(connection, this.#companyId);
    const error = (pg.Query.prototype.submit as (to: pg.Connection) => Error | null).call(this, connection);
    connection.stream.uncork();
    // pg refused to send the statement with its Sync, without which PostgreSQL doesn't answer.
    if (error) connection.stream.destroy();
    return error;
  };

  /** pg's client calls this for each statement, so for the company first. */
  handleCommandComplete(message: unknown, connection: pg.Connection): void {
    if (this.#isCompanySet) (pg.Query.prototype as pg.Query & QueryHandlers).handleCommandComplete.call(this, message, connection);
    this.#isCompanySet = true;
  }
}

/** Runs a statement outside a transaction for one company. */
export function queryForCompany(
  client: pg.PoolClient,
  companyId: string,
  config: pg.QueryConfig,
  values: unknown[] = [],
): Promise<pg.QueryResult> {
  const { promise, resolve, reject } = Promise.withResolvers<pg.QueryResult>();
  client.query(new CompanyQuery(companyId, config, values, (error, result) => (error ? reject(error) : resolve(result))));
  return promise;
}
