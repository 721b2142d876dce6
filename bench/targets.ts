import type { BaselineDriverTask } from './baseline-driver.ts';
import type { BaselineSetup } from './baseline-query.ts';
import type { BenchEnvironment } from './bench-environment.ts';
import { startWorker } from './child-worker.ts';
import { formatHttpRequest } from './http-connection.ts';
import type { LoadTask } from './load-generator.ts';
import type { LoadResult } from './run-load.ts';
import type { Scenario } from './scenarios.ts';
import { type ServerProcess, startServerProcess } from './server-process.ts';

export type TargetName = 'product' | 'http baseline' | 'driver baseline' | 'small' | 'large';

/** A process that can run the scenarios under load. */
export interface LoadTarget {
  readonly name: TargetName;
  readonly pid: number;
  /** Folder of the PostgreSQL cluster that the target uses. */
  readonly clusterDir: string;
  /** Deletes the records that earlier loads of the scenario have created. */
  reset(scenario: Scenario): Promise<void>;
  load(scenario: Scenario, connections: number, ms: number): Promise<LoadResult>;
}

export interface LoadTargets {
  readonly all: readonly LoadTarget[];
  readonly server: ServerProcess;
  readonly baselineUrl: string;
  /** Measures the load generator's own limit against a server that returns a precomputed page. */
  measureCeiling(connections: number, ms: number): Promise<LoadResult>;
  stop(): Promise<void>;
}

const HOST = '127.0.0.1';

type MeasuredEnvironment = BenchEnvironment & { readonly scenarios: readonly Scenario[] };

/** Starts the three targets and the load generator, each in a separate process. */
export async function startTargets(environment: MeasuredEnvironment, profileDir: string | undefined): Promise<LoadTargets> {
  const { database, company, poolSize, scenarios } = environment;
  const setup: BaselineSetup = { database, companyId: company.companyId, poolSize, scenarios };
  const server = await startServer(environment, profileDir);
  const httpBaseline = startWorker<BaselineSetup, number>('baseline-http-server.ts');
  const driverBaseline = startWorker<{ setup: BaselineSetup } | BaselineDriverTask, LoadResult>('baseline-driver.ts');
  const generator = startLoadGenerator();
  const baselinePort = await httpBaseline.request(setup);
  await driverBaseline.request({ setup });
  const shared = buildDatabaseAccess(environment);
  return {
    all: [
      { ...shared, name: 'product', pid: server.pid, load: createServerLoad(generator, environment, server) },
      {
        ...shared,
        name: 'http baseline',
        pid: httpBaseline.pid,
        load: (scenario, connections, ms) =>
          generator.load({ port: baselinePort, requests: buildBaselineRequests(scenario), status: scenario.status, connections, ms }),
      },
      {
        ...shared,
        name: 'driver baseline',
        pid: driverBaseline.pid,
        load: ({ key }, connections, ms) => driverBaseline.request({ scenario: key, connections, ms }),
      },
    ],
    server,
    baselineUrl: `http://${HOST}:${baselinePort}`,
    measureCeiling: (connections, ms) =>
      generator.load({ port: baselinePort, requests: [formatHttpRequest('GET', '/constant', {})], status: 200, connections, ms }),
    async stop() {
      await Promise.all([server.stop(), httpBaseline.stop(), driverBaseline.stop(), generator.stop()]);
    },
  };
}

/** Starts one server on the small and one on the large database. Both get the same requests. */
export async function startGrowthTargets(small: BenchEnvironment, large: BenchEnvironment) {
  const generator = startLoadGenerator();
  const servers = { small: await startServer(small, undefined), large: await startServer(large, undefined) };
  const loadLarge = createServerLoad(generator, large, servers.large);
  const targets: { readonly small: LoadTarget; readonly large: LoadTarget } = {
    small: {
      ...buildDatabaseAccess(small),
      name: 'small',
      pid: servers.small.pid,
      load: createServerLoad(generator, small, servers.small),
    },
    large: {
      ...buildDatabaseAccess(large),
      name: 'large',
      pid: servers.large.pid,
      load: (scenario, connections, ms) => loadLarge(withStaffId(scenario, small.staffId, large.staffId), connections, ms),
    },
  };
  const stop = async () => void (await Promise.all([servers.small.stop(), servers.large.stop(), generator.stop()]));
  return { targets, stop };
}

/** Signing up gives the person another id in each database. All other ids are the same. */
function withStaffId(scenario: Scenario, from: string, to: string): Scenario {
  return { ...scenario, variants: scenario.variants.map((variant) => ({ ...variant, path: variant.path.replaceAll(from, to) })) };
}

const startServer = ({ env, folder }: BenchEnvironment, profileDir: string | undefined) =>
  startServerProcess({ env, logFile: `${folder}/server.log`, profileDir });

function buildDatabaseAccess({ clusterDir, execute }: BenchEnvironment): Pick<LoadTarget, 'clusterDir' | 'reset'> {
  return { clusterDir, reset: async ({ reset }) => void (reset !== undefined && (await execute(reset))) };
}

function startLoadGenerator() {
  const worker = startWorker<LoadTask, LoadResult>('load-generator.ts');
  return { load: (task: Omit<LoadTask, 'host'>) => worker.request({ host: HOST, ...task }), stop: () => worker.stop() };
}

type LoadGenerator = ReturnType<typeof startLoadGenerator>;

function createServerLoad(generator: LoadGenerator, { company }: BenchEnvironment, { port }: ServerProcess): LoadTarget['load'] {
  return (scenario, connections, ms) =>
    generator.load({ port, requests: buildServerRequests(scenario, company.cookie), status: scenario.status, connections, ms });
}

function buildServerRequests({ method, variants, encoding, isPublic }: Scenario, cookie: string): string[] {
  return variants.map(({ path, body }) => formatHttpRequest(method, path, { ...(!isPublic && { cookie }), encoding, body }));
}

function buildBaselineRequests({ key, method, variants, encoding }: Scenario): string[] {
  return variants.map(({ body }, index) => formatHttpRequest(method, `/${key}/${index}`, { encoding, body }));
}
