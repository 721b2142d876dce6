import type { DriverTask } from './bare-driver.ts';
import type { BareSetup } from './bare-sql.ts';
import type { BenchEnvironment } from './bench-environment.ts';
import { startChild } from './child-process.ts';
import type { LoadTask } from './load-generator.ts';
import { type RunningProduct, startProduct } from './product.ts';
import type { LoadResult } from './run-load.ts';
import type { Scenario } from './scenarios.ts';

export type TargetName = 'product' | 'bare http' | 'bare driver';

/** A process that answers scenarios and can be put under load. */
export interface Target {
  readonly name: TargetName;
  readonly pid: number;
  load(scenario: Scenario, connections: number, ms: number): Promise<LoadResult>;
}

export interface Targets {
  readonly all: readonly Target[];
  readonly product: RunningProduct;
  readonly bareUrl: string;
  /** The limit of the load generator: a server that returns a prepared page. */
  measureCeiling(connections: number, ms: number): Promise<LoadResult>;
  stop(): Promise<void>;
}

const HOST = '127.0.0.1';

/** Starts the three targets and the load generator, each as a process. */
export async function startTargets(environment: BenchEnvironment, profileDir: string | undefined): Promise<Targets> {
  const bare: BareSetup = { database: environment.database, poolSize: environment.poolSize, scenarios: environment.scenarios };
  const product = await startProduct({ env: environment.env, logFile: `${environment.folder}/product.log`, profileDir });
  const bareHttp = startChild<BareSetup, number>('bare-http.ts');
  const bareDriver = startChild<{ setup: BareSetup } | DriverTask, LoadResult>('bare-driver.ts');
  const generator = startChild<LoadTask, LoadResult>('load-generator.ts');
  const barePort = await bareHttp.ask(bare);
  await bareDriver.ask({ setup: bare });
  const loadOverHttp = (port: number, requests: readonly string[], status: number) => (connections: number, ms: number) =>
    generator.ask({ host: HOST, port, requests, status, connections, ms });
  return {
    all: [
      {
        name: 'product',
        pid: product.pid,
        load: (scenario, connections, ms) =>
          loadOverHttp(product.port, productRequests(scenario, environment.company.cookie), scenario.status)(connections, ms),
      },
      {
        name: 'bare http',
        pid: bareHttp.pid,
        load: (scenario, connections, ms) => loadOverHttp(barePort, bareRequests(scenario), scenario.status)(connections, ms),
      },
      { name: 'bare driver', pid: bareDriver.pid, load: ({ key }, connections, ms) => bareDriver.ask({ scenario: key, connections, ms }) },
    ],
    product,
    bareUrl: `http://${HOST}:${barePort}`,
    measureCeiling: loadOverHttp(barePort, [httpRequest('GET', '/constant', {})], 200),
    async stop() {
      await Promise.all([product.stop(), bareHttp.stop(), bareDriver.stop(), generator.stop()]);
    },
  };
}

function productRequests({ method, variants, encoding }: Scenario, cookie: string): string[] {
  return variants.map(({ path, body }) => httpRequest(method, path, { cookie, encoding, body }));
}

function bareRequests({ key, method, variants, encoding }: Scenario): string[] {
  return variants.map(({ body }, index) => httpRequest(method, `/${key}/${index}`, { encoding, body }));
}

interface RequestOptions {
  readonly cookie?: string;
  readonly encoding?: string | undefined;
  readonly body?: object | undefined;
}

function httpRequest(method: string, path: string, { cookie, encoding, body }: RequestOptions): string {
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
