import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { isDatabaseUnavailable, isPoolExhausted } from './database-errors.ts';

const PROBE_INTERVAL_MS = 200;
/** No timeout of PostgreSQL's ends the wait of a commit for a second server, so a single write would keep its connection until there is one. */
const STATEMENT_TIMEOUT_MS = 8_000;

interface WaitingPoolConfig extends pg.PoolConfig {
  /** How long to wait for a database that refuses connections, for example while another node becomes the primary. */
  readonly maxOutageMs: number;
}

type ConnectCallback = (error: Error | undefined, client: pg.PoolClient | undefined, done: (release?: unknown) => void) => void;

/** A pool that waits until the database accepts connections again. All callers wait for one probe, so that they don't flood it. */
export class WaitingPool extends pg.Pool {
  readonly #maxOutageMs: number;
  #recovery: Promise<void> | undefined;

  constructor({ maxOutageMs, ...config }: WaitingPoolConfig) {
    super(config);
    this.#maxOutageMs = maxOutageMs;
    this.query = limitStatements(this.query);
  }

  override connect(): Promise<pg.PoolClient>;
  override connect(callback: ConnectCallback): void;
  override connect(callback?: ConnectCallback): Promise<pg.PoolClient> | void {
    const connecting = this.#connectOrWait();
    if (!callback) return connecting;
    connecting.then(
      (client) => callback(undefined, client, (release) => client.release(release as boolean)),
      (error: Error) => callback(error, undefined, () => undefined),
    );
  }

  async #connectOrWait(): Promise<pg.PoolClient> {
    const deadline = performance.now() + this.#maxOutageMs;
    for (;;) {
      try {
        if (!this.#recovery) return await super.connect();
      } catch (error) {
        // While a replica is promoted, one connection may succeed and the next one fail.
        if (performance.now() >= deadline || !this.#isWorthWaiting(error)) throw error;
        this.#recovery ??= this.#waitForDatabase().finally(() => {
          this.#recovery = undefined;
        });
      }
      await this.#recovery;
    }
  }

  async #waitForDatabase(): Promise<void> {
    const deadline = performance.now() + this.#maxOutageMs;
    for (;;) {
      await pause(PROBE_INTERVAL_MS);
      try {
        (await super.connect()).release();
        return;
      } catch (error) {
        if (performance.now() >= deadline || !this.#isWorthWaiting(error)) throw error;
      }
    }
  }

  #isWorthWaiting(error: unknown): boolean {
    return !this.ending && isDatabaseUnavailable(error) && !isPoolExhausted(error);
  }
}

/** Fails a statement that takes too long, and closes its connection. */
const limitStatements = (query: pg.Pool['query']): pg.Pool['query'] =>
  new Proxy(query, {
    apply(target, self, [statement, ...rest]: [pg.QueryConfig | string, ...unknown[]]) {
      const config = typeof statement === 'string' ? { text: statement } : statement;
      return Reflect.apply(target, self, [{ ...config, query_timeout: STATEMENT_TIMEOUT_MS }, ...rest]) as unknown;
    },
  });
