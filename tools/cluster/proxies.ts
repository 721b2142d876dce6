import { setTimeout as pause } from 'node:timers/promises';
import { LOOPBACK_ADDRESS } from '@callout/embedded-postgres/endpoint';
import pg from 'pg';
import { type ClusterFolder, createPassword, findFreePorts } from './cluster-folder.ts';
import { type ClusterProcess, runToEnd, startProcess, waitFor } from './cluster-process.ts';
import type { DatabaseCluster, DatabaseNode } from './database-cluster.ts';
import { PROGRAMS } from './debian-packages.ts';

const HAPROXY_CHECKS_MS = 1_500;

export interface DatabaseProxies {
  /** Connects to the current primary, through HAProxy alone, as the owner of Callout's database. */
  readonly directUrl: string;
  /** Connects to it through PgBouncer in transaction mode. */
  readonly pooledUrl: string;
  /** Connects to it directly as the superuser, to check what is stored. */
  readonly superuserUrl: string;
  stop(): Promise<void>;
}

/** Starts HAProxy, creates Callout's database with psql, and starts PgBouncer. */
export async function startDatabaseProxies(
  folder: ClusterFolder,
  database: DatabaseCluster,
  postgresBin: string,
): Promise<DatabaseProxies> {
  const [haproxyPort = 0, pgbouncerPort = 0] = await findFreePorts(2);
  const haproxyAddress = { HAPROXY_HOST: LOOPBACK_ADDRESS, HAPROXY_PORT: haproxyPort };
  const settings = await folder.fillIn('haproxy.cfg', { ...haproxyAddress, ...getNodeValues(database.nodes) });
  const haproxy = startProcess(folder, 'haproxy', { command: [PROGRAMS.haproxy, '-db', '-f', settings] });
  const [ownerPassword, pgbouncerPassword] = [createPassword(), createPassword()];
  const superuserUrl = `postgres://postgres:${database.superuserPassword}@${LOOPBACK_ADDRESS}:${haproxyPort}`;
  // HAProxy takes all servers for healthy until it has checked each of them, so the first connections may reach a standby.
  await pause(HAPROXY_CHECKS_MS);
  await waitForDatabase(superuserUrl + '/postgres', haproxy);
  const setup = await folder.fillIn('database.sql', { OWNER_PASSWORD: ownerPassword, PGBOUNCER_PASSWORD: pgbouncerPassword });
  await runToEnd(folder, 'psql', [`${postgresBin}/psql`, '-v', 'ON_ERROR_STOP=1', '-q', '-f', setup, `${superuserUrl}/postgres`]);
  const pgbouncerSettings = await folder.fillIn('pgbouncer.ini', {
    ...haproxyAddress,
    PGBOUNCER_HOST: LOOPBACK_ADDRESS,
    PGBOUNCER_PORT: pgbouncerPort,
    PGBOUNCER_USERLIST: await folder.write('userlist.txt', `"pgbouncer" "${pgbouncerPassword}"\n`),
  });
  const pgbouncer = startProcess(folder, 'pgbouncer', { command: [PROGRAMS.pgbouncer, pgbouncerSettings] });
  const buildUrl = (port: number) => `postgres://callout:${ownerPassword}@${LOOPBACK_ADDRESS}:${port}/callout`;
  return {
    directUrl: buildUrl(haproxyPort),
    pooledUrl: buildUrl(pgbouncerPort),
    superuserUrl: `${superuserUrl}/callout`,
    async stop() {
      await Promise.all([pgbouncer.stop(), haproxy.stop()]);
    },
  };
}

async function waitForDatabase(url: string, proxy: ClusterProcess): Promise<void> {
  await waitFor(
    `${proxy.name} reaches the primary`,
    async () => {
      const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2_000 });
      client.on('error', () => undefined);
      try {
        await client.connect();
        const { rows } = await client.query<{ is_standby: boolean }>('select pg_is_in_recovery() as is_standby');
        return rows[0]?.is_standby === false;
      } finally {
        await client.end();
      }
    },
    { needs: [proxy] },
  );
}

function getNodeValues(nodes: readonly DatabaseNode[]): Record<string, string | number> {
  return Object.fromEntries(
    nodes.flatMap(({ name, port, restPort }, index): [string, string | number][] => {
      const prefix = `NODE_${index + 1}`;
      return [
        [`${prefix}_NAME`, name],
        [`${prefix}_HOST`, LOOPBACK_ADDRESS],
        [`${prefix}_PORT`, port],
        [`${prefix}_REST_PORT`, restPort],
      ];
    }),
  );
}

export interface WebProxy {
  readonly url: string;
  stop(): Promise<void>;
}

/** Starts Caddy in front of the Callouts. Plain HTTP, because it listens on the loopback address only. */
export async function startWebProxy(folder: ClusterFolder, calloutPorts: readonly number[]): Promise<WebProxy> {
  const [port = 0, adminPort = 0] = await findFreePorts(2);
  const [first = 0, second = 0] = calloutPorts;
  const url = `http://${LOOPBACK_ADDRESS}:${port}`;
  const admin = `${LOOPBACK_ADDRESS}:${adminPort}`;
  const file = await folder.fillIn('Caddyfile', {
    CADDY_ADMIN: admin,
    SITE: url,
    CALLOUT_1: `${LOOPBACK_ADDRESS}:${first}`,
    CALLOUT_2: `${LOOPBACK_ADDRESS}:${second}`,
  });
  const caddy = startProcess(folder, 'caddy', { command: [PROGRAMS.caddy, 'run', '--adapter', 'caddyfile', '--config', file] });
  await waitFor('Caddy answers', async () => (await fetch(`http://${admin}/config/`)).ok, { needs: [caddy] });
  return { url, stop: () => caddy.stop() };
}
