import type { DriverTask } from './bare-driver.ts';
import type { BareSetup } from './bare-sql.ts';
import { startChild } from './child-process.ts';
import type { LoadTask } from './load-generator.ts';
import { type RunningProduct, startProduct } from './product.ts';
import type { Scenario } from './scenarios.ts';
import type { Slice } from './slice.ts';
import type { Stage } from './stage.ts';

export type SourceName = 'product' | 'bare http' | 'bare driver';

/** Something that answers a scenario, and can be put under load for a while. */
export interface Source {
  readonly name: SourceName;
  /** The process that answers. */
  readonly pid: number;
  load(scenario: Scenario, connections: number, ms: number): Promise<Slice>;
}

export interface Sources {
  readonly all: readonly Source[];
  readonly product: RunningProduct;
  readonly bareUrl: string;
  /** How fast the load generator is when the server does nothing but answer with a page it has ready. */
  ceiling(connections: number, ms: number): Promise<Slice>;
  stop(): Promise<void>;
}

const HOST = '127.0.0.1';

/** Three processes that answer and one that asks. */
export async function startSources(stage: Stage, profileDir: string | undefined): Promise<Sources> {
  const bare: BareSetup = { database: stage.database, poolSize: stage.poolSize, scenarios: stage.scenarios };
  const product = await startProduct({ environment: stage.environment, logFile: `${stage.folder}/product.log`, profileDir });
  const bareHttp = startChild<BareSetup, number>('bare-http.ts');
  const bareDriver = startChild<{ setup: BareSetup } | DriverTask, Slice>('bare-driver.ts');
  const generator = startChild<LoadTask, Slice>('load-generator.ts');
  const barePort = await bareHttp.ask(bare);
  await bareDriver.ask({ setup: bare });
  const overHttp = (port: number, requests: readonly string[], status: number) => (connections: number, ms: number) =>
    generator.ask({ host: HOST, port, requests, status, connections, ms });
  return {
    all: [
      {
        name: 'product',
        pid: product.pid,
        load: (scenario, connections, ms) =>
          overHttp(product.port, productRequests(scenario, stage.company.cookie), scenario.status)(connections, ms),
      },
      {
        name: 'bare http',
        pid: bareHttp.pid,
        load: (scenario, connections, ms) => overHttp(barePort, bareRequests(scenario), scenario.status)(connections, ms),
      },
      { name: 'bare driver', pid: bareDriver.pid, load: ({ key }, connections, ms) => bareDriver.ask({ scenario: key, connections, ms }) },
    ],
    product,
    bareUrl: `http://${HOST}:${barePort}`,
    ceiling: overHttp(barePort, [httpRequest('GET', '/constant', {})], 200),
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

interface Extras {
  readonly cookie?: string;
  readonly encoding?: string | undefined;
  readonly body?: object | undefined;
}

function httpRequest(method: string, path: string, { cookie, encoding, body }: Extras): string {
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
