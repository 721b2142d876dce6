import type { BaselineDriverTask } from './baseline-driver.ts';
import type { BaselineSetup } from './baseline-query.ts';
import type { BenchEnvironment } from './bench-environment.ts';
import { startWorker } from './child-worker.ts';
import type { LoadTask } from './load-generator.ts';
import type { LoadResult } from './run-load.ts';
import type { Scenario } from './scenarios.ts';
import { type ServerProcess, startServerProcess } from './server-process.ts';

export type TargetName = 'product' | 'http baseline' | 'driver baseline';

/** A process that can run the scenarios under load. */
export interface LoadTarget {
  readonly name: TargetName;
  readonly pid: number;
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

/** Starts the three targets and the load generator, each in a separate process. */
export async function startTargets(environment: BenchEnvironment, profileDir: string | undefined): Promise<LoadTargets> {
  const setup: BaselineSetup = { database: environment.database, poolSize: environment.poolSize, scenarios: environment.scenarios };
  const server = await startServerProcess({ env: environment.env, logFile: `${environment.folder}/server.log`, profileDir });
  const httpBaseline = startWorker<BaselineSetup, number>('baseline-http-server.ts');
  const driverBaseline = startWorker<{ setup: BaselineSetup } | BaselineDriverTask, LoadResult>('baseline-driver.ts');
  const generator = startWorker<LoadTask, LoadResult>('load-generator.ts');
  const baselinePort = await httpBaseline.request(setup);
  await driverBaseline.request({ setup });
  const loadOverHttp = (port: number, requests: readonly string[], status: number) => (connections: number, ms: number) =>
    generator.request({ host: HOST, port, requests, status, connections, ms });
  return {
    all: [
      {
        name: 'product',
        pid: server.pid,
        load: (scenario, connections, ms) =>
          loadOverHttp(server.port, buildServerRequests(scenario, environment.company.cookie), scenario.status)(connections, ms),
      },
      {
        name: 'http baseline',
        pid: httpBaseline.pid,
        load: (scenario, connections, ms) => loadOverHttp(baselinePort, buildBaselineRequests(scenario), scenario.status)(connections, ms),
      },
      {
        name: 'driver baseline',
        pid: driverBaseline.pid,
        load: ({ key }, connections, ms) => driverBaseline.request({ scenario: key, connections, ms }),
      },
    ],
    server,
    baselineUrl: `http://${HOST}:${baselinePort}`,
    measureCeiling: loadOverHttp(baselinePort, [formatHttpRequest('GET', '/constant', {})], 200),
    async stop() {
      await Promise.all([server.stop(), httpBaseline.stop(), driverBaseline.stop(), generator.stop()]);
    },
  };
}

function buildServerRequests({ method, variants, encoding }: Scenario, cookie: string): string[] {
  return variants.map(({ path, body }) => formatHttpRequest(method, path, { cookie, encoding, body }));
}

function buildBaselineRequests({ key, method, variants, encoding }: Scenario): string[] {
  return variants.map(({ body }, index) => formatHttpRequest(method, `/${key}/${index}`, { encoding, body }));
}

interface RequestOptions {
  readonly cookie?: string;
  readonly encoding?: string | undefined;
  readonly body?: object | undefined;
}

function formatHttpRequest(method: string, path: string, { cookie, encoding, body }: RequestOptions): string {
  const text = body ? JSON.stringify(body) : '';
  const head = [
    `${method} ${path} HTTP/1.1`,
    'host: localhost',
    'accept: application/json',
    'user-agent: callout-bench',
    ...(cookie ? [`cookie: ${cookie}`] : []),
    ...(encoding ? [`accept-encoding: ${encoding}`] : []),
    ...(body ? ['content-type: application/json', `content-length: ${Buffer.byteLength(text)}`] : []),
  ];
  return `${head.join('\r\n')}\r\n\r\n${text}`;
}
