import { setTimeout } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import type { Platform } from './platform.ts';

/** Succeeds while the process runs. A supervisor restarts a process that doesn't respond, which wouldn't help during a database outage. */
const LIVENESS_PATH = '/api/health';
/**
 * `/api/health?accepting` fails as soon as the server begins to stop. It is for load balancers in front of several servers: all of these lose
 * the database at the same moment, and each of them waits for it itself.
 */
const ACCEPTING = 'accepting';
/** Succeeds while calls can be served. A load balancer sends calls only to servers that are ready. */
const READINESS_PATH = '/api/ready';

export const PROBE_PATHS: readonly string[] = [LIVENESS_PATH, READINESS_PATH];

/** Registers the probes, which aren't logged. The schema needs no check here, because a server with an older schema doesn't start. */
export function registerHealthRoutes(app: FastifyInstance, { pools }: Pick<Platform, 'pools'>, isShuttingDown: () => boolean): void {
  app.get(LIVENESS_PATH, { logLevel: 'warn' }, async ({ query }, reply) =>
    ACCEPTING in (query as object) && isShuttingDown() ? reply.status(503).send({ status: 'shutting down' }) : { status: 'ok' },
  );
  app.get(READINESS_PATH, { logLevel: 'warn' }, async (_request, reply) => {
    const problem = isShuttingDown() ? 'shutting down' : await findDatabaseProblem(pools);
    return problem === null ? { status: 'ready' } : reply.status(503).send({ status: problem });
  });
}

/** The pool waits longer for a database that is down, but a load balancer wants to know soon. */
const DATABASE_TIMEOUT_MS = 2000;

const IS_STANDBY = { text: 'select pg_is_in_recovery() as is_standby', query_timeout: DATABASE_TIMEOUT_MS };

async function findDatabaseProblem({ probe }: Platform['pools']): Promise<string | null> {
  try {
    const { rows } = await Promise.race([
      // The timeout closes the connection, so that the next probe doesn't wait behind this one.
      probe.query<{ is_standby: boolean }>(IS_STANDBY),
      setTimeout(DATABASE_TIMEOUT_MS, { rows: [] }, { ref: false }),
    ]);
    if (rows.length === 0) return 'database unavailable';
    return rows[0]?.is_standby === false ? null : 'database is read-only';
  } catch {
    return 'database unavailable';
  }
}
