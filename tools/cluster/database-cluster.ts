import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { LOOPBACK_ADDRESS } from '@callout/embedded-postgres/endpoint';
import { listPostgresProcesses } from '@callout/embedded-postgres/processes';
import { type ClusterFolder, createPassword, findFreePorts } from './cluster-folder.ts';
import { type ClusterProcess, startProcess, waitFor } from './cluster-process.ts';
import { PROGRAMS } from './debian-packages.ts';

const NODE_NAMES = ['db1', 'db2', 'db3'] as const;
const ETCD_NAMES = ['etcd1', 'etcd2', 'etcd3'] as const;
const PORTS_PER_NODE = 2;
/** Small, because all nodes share one machine with the rest of the cluster. */
const SHARED_BUFFERS = '64MB';

export interface DatabaseNode {
  readonly name: string;
  readonly port: number;
  readonly restPort: number;
}

/** Which part of the primary is killed: its whole machine, or PostgreSQL alone while Patroni keeps running. */
export type KillKind = 'machine' | 'PostgreSQL';

export interface DatabaseCluster {
  readonly nodes: readonly DatabaseNode[];
  readonly superuserPassword: string;
  /** Kills the current primary and returns its name. */
  killPrimary(kind: KillKind): Promise<string>;
  /** Starts a killed node again, as its machine's boot would. */
  startNode(name: string): void;
  /** Waits until another node is the primary, and returns its name. */
  waitForSuccessor(killed: string): Promise<string>;
  /** Waits until one node is the primary, all others stream from it, and one of them confirms its commits. */
  waitUntilComplete(): Promise<string>;
  stop(): Promise<void>;
}

/** Starts three etcd servers, and three PostgreSQL servers under Patroni. */
export async function startDatabaseCluster(folder: ClusterFolder, postgresBin: string): Promise<DatabaseCluster> {
  const ports = await findFreePorts(PORTS_PER_NODE * (NODE_NAMES.length + ETCD_NAMES.length));
  const takePort = () => ports.shift() ?? 0;
  const { etcd, etcdHosts } = await startEtcd(folder, takePort);
  const nodes = NODE_NAMES.map((name): DatabaseNode => ({ name, port: takePort(), restPort: takePort() }));
  const superuserPassword = createPassword();
  const passwords = {
    SUPERUSER_PASSWORD: superuserPassword,
    REPLICATION_PASSWORD: createPassword(),
    REST_PASSWORD: createPassword(),
  };
  const patronis = new Map<string, ClusterProcess>();
  const settingsFiles = new Map<string, string>();
  const getDataDir = (name: string) => join(folder.path, name, 'data');
  const startNode = (name: string) => {
    const file = settingsFiles.get(name);
    if (file) patronis.set(name, startProcess(folder, `patroni-${name}`, { command: [PROGRAMS.patroni, file] }));
  };
  for (const { name, port, restPort } of nodes) {
    const nodeDir = await folder.createFolder(name);
    const file = await folder.fillIn(
      'patroni.yml',
      {
        NODE_NAME: name,
        NODE_HOST: LOOPBACK_ADDRESS,
        NODE_PORT: port,
        REST_PORT: restPort,
        NODE_DIR: nodeDir,
        ETCD_HOSTS: etcdHosts,
        POSTGRES_BIN: postgresBin,
        NETWORK: `${LOOPBACK_ADDRESS}/32`,
        SHARED_BUFFERS,
        ...passwords,
      },
      `patroni-${name}.yml`,
    );
    settingsFiles.set(name, file);
    startNode(name);
  }
  const database = { nodes, superuserPassword, startNode };
  const waitUntilComplete = () =>
    waitFor('the database has a primary and two standbys', () => findCompletePrimary(nodes), {
      timeoutMs: 180_000,
      needs: [...patronis.values()],
    });
  return {
    ...database,
    waitUntilComplete,
    waitForSuccessor: (killed) =>
      waitFor(`another node than ${killed} is the primary`, async () => {
        const leader = (await readMembers(nodes)).find(({ role }) => role === 'leader')?.name;
        return leader === killed ? undefined : leader;
      }),
    async killPrimary(kind) {
      const primary = (await readMembers(nodes)).find(({ role }) => role === 'leader');
      const name = primary?.name ?? '';
      const patroni = patronis.get(name);
      if (!patroni) throw new Error('There is no primary to kill');
      // All at once: what remains for a moment could otherwise still say goodbye in an orderly way.
      const killing = kind === 'machine' ? patroni.kill() : undefined;
      killPostgres(getDataDir(name));
      await killing;
      return name;
    },
    async stop() {
      // Patroni stops its PostgreSQL. The standbys first, so that none of them is promoted.
      const primary = (await readMembers(nodes).catch(() => [])).find(({ role }) => role === 'leader')?.name;
      const others = [...patronis].filter(([name]) => name !== primary).map(([, patroni]) => patroni.stop());
      await Promise.all(others);
      await patronis.get(primary ?? '')?.stop();
      for (const { name } of nodes) killPostgres(getDataDir(name));
      await Promise.all(etcd.map((server) => server.stop()));
    },
  };
}

async function startEtcd(folder: ClusterFolder, takePort: () => number) {
  const servers = ETCD_NAMES.map((name) => ({ name, port: takePort(), peerPort: takePort() }));
  const cluster = servers.map(({ name, peerPort }) => `${name}=http://${LOOPBACK_ADDRESS}:${peerPort}`).join(',');
  const etcd: ClusterProcess[] = [];
  for (const { name, port, peerPort } of servers) {
    const values = {
      ETCD_NAME: name,
      ETCD_DIR: await folder.createFolder(name),
      ETCD_HOST: LOOPBACK_ADDRESS,
      ETCD_PORT: port,
      ETCD_PEER_PORT: peerPort,
      ETCD_CLUSTER: cluster,
    };
    const file = await folder.fillIn('etcd.yml', values, `${name}.yml`);
    etcd.push(startProcess(folder, name, { command: [PROGRAMS.etcd, '--config-file', file] }));
  }
  await waitFor(
    'etcd has a leader',
    async () => (await Promise.all(servers.map(({ port }) => isOk(`http://${LOOPBACK_ADDRESS}:${port}/health`)))).every(Boolean),
    { needs: etcd },
  );
  return { etcd, etcdHosts: servers.map(({ port }) => `${LOOPBACK_ADDRESS}:${port}`).join(',') };
}

/** PostgreSQL doesn't share the process group of the Patroni that started it, so its processes are found by their folder. */
function killPostgres(dataDir: string): void {
  for (const pid of listPostgresProcesses(dataDir)) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch (error) {
      // ESRCH: the process has already exited, because its parent is gone.
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
  }
}

interface Member {
  readonly name: string;
  readonly role: 'leader' | 'sync_standby' | 'replica';
  readonly state: string;
  readonly timeline?: number;
}

/** Asks one running Patroni for its view of the cluster. */
async function readMembers(nodes: readonly DatabaseNode[]): Promise<Member[]> {
  const answers = nodes.map(async ({ restPort }) => {
    const response = await fetch(`http://${LOOPBACK_ADDRESS}:${restPort}/cluster`, { signal: AbortSignal.timeout(2_000) });
    return ((await response.json()) as { members: Member[] }).members;
  });
  return Promise.any(answers);
}

async function findCompletePrimary(nodes: readonly DatabaseNode[]): Promise<string | undefined> {
  const members = await readMembers(nodes);
  const primary = members.find(({ role, state }) => role === 'leader' && state === 'running');
  // A server that was the primary until now may still be listed as running, but with its old timeline.
  const isStreaming = ({ state, timeline }: Member) => ['running', 'streaming'].includes(state) && timeline === primary?.timeline;
  const isComplete = members.length === nodes.length && members.every(isStreaming) && members.some(({ role }) => role === 'sync_standby');
  return isComplete ? primary?.name : undefined;
}

const isOk = async (url: string) => (await fetch(url, { signal: AbortSignal.timeout(2_000) })).ok;

/** Returns the PostgreSQL version from a node's folder, for the report. */
export const readPostgresVersion = (folder: ClusterFolder) =>
  readFileSync(join(folder.path, NODE_NAMES[0], 'data/PG_VERSION'), 'utf8').trim();
