import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { cleanUpAfterTests } from './clean-up.ts';

export interface PausableProxy {
  readonly url: string;
  /** Number of open connections to the server. */
  countConnections(): number;
  /** Number of connections whose requests wait for `resume`. */
  countHeldRequests(): number;
  /** From now on, connections are accepted and kept open, but nothing passes in either direction. */
  pause(): void;
  resume(): void;
}

interface Direction {
  readonly from: Socket;
  readonly to: Socket;
  readonly isRequest: boolean;
  held: Buffer[];
}

/** Opens a TCP proxy to a local server, so that a test can make the server hang. */
export async function openPausableProxy(targetUrl: string): Promise<PausableProxy> {
  const directions = new Set<Direction>();
  let isPaused = false;
  const pass = (direction: Direction) => {
    const { from, to, held } = direction;
    direction.held = [];
    for (const chunk of held) if (!to.write(chunk)) from.pause();
  };
  const server = createServer((client) => {
    const upstream = connect(Number(new URL(targetUrl).port), '127.0.0.1');
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      const direction: Direction = { from, to, isRequest: from === client, held: [] };
      directions.add(direction);
      from.on('data', (chunk: Buffer) => {
        direction.held.push(chunk);
        if (!isPaused) pass(direction);
      });
      to.on('drain', () => from.resume());
      from.on('error', () => undefined);
      from.on('close', () => {
        directions.delete(direction);
        to.destroy();
      });
    }
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const countWhere = (isCounted: (direction: Direction) => boolean) => [...directions].filter(isCounted).length;
  cleanUpAfterTests(async () => {
    for (const { from } of directions) from.destroy();
    await new Promise((resolve) => void server.close(resolve));
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    countConnections: () => countWhere(({ isRequest }) => isRequest),
    countHeldRequests: () => countWhere(({ isRequest, held }) => isRequest && held.length > 0),
    pause() {
      isPaused = true;
    },
    resume() {
      isPaused = false;
      for (const direction of directions) pass(direction);
    },
  };
}
