import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { LOOPBACK_ADDRESS } from '@callout/embedded-postgres/endpoint';

export type ConnectionFault = 'request cut' | 'answer cut' | 'answer lost';

export interface ConnectionCut {
  readonly fault: ConnectionFault;
  /** How many bytes pass before the connection breaks. */
  readonly afterBytes: number;
}

export interface CuttingProxy {
  readonly url: string;
  /** From now on, nothing gets through, as in a basement. */
  disconnect(): void;
  reconnect(): void;
  /** Resolves once the server has answered everything that it got. */
  waitUntilAnswered(): Promise<void>;
  close(): Promise<void>;
}

interface CuttingProxyOptions {
  readonly serverPort: number;
  /** Decides for each new connection whether it will break. */
  readonly planCut: () => ConnectionCut | undefined;
  readonly onFault: (fault: ConnectionFault) => void;
}

const POLL_INTERVAL_MS = 10;
const MAX_ANSWER_WAIT_MS = 3_000;

/** A TCP proxy between one browser and the server, whose connections break in the middle of requests and answers. */
export async function openCuttingProxy({ serverPort, planCut, onFault }: CuttingProxyOptions): Promise<CuttingProxy> {
  const clients = new Set<Socket>();
  /** Connections to the server on which a request waits for its answer. */
  const unanswered = new Set<Socket>();
  let isConnected = true;

  const proxy = createServer((client) => {
    if (!isConnected) return void client.destroy();
    const upstream = connect(serverPort, LOOPBACK_ADDRESS);
    const cut = planCut();
    let isCut = false;
    const passed = { request: 0, answer: 0 };
    clients.add(client);

    /** Returns the part of the chunk that still gets through. */
    const take = (chunk: Buffer, direction: 'request' | 'answer'): Buffer => {
      const isAffected = cut !== undefined && (direction === 'request') === (cut.fault === 'request cut');
      const left = isAffected ? Math.max(0, cut.afterBytes - passed[direction]) : chunk.length;
      passed[direction] += chunk.length;
      return chunk.subarray(0, left);
    };
    const breakConnection = () => {
      isCut = true;
      if (cut) onFault(cut.fault);
      client.destroy();
      // A complete request is still carried out. Only its answer has nowhere to go.
      if (cut?.fault === 'request cut') upstream.destroy();
      else upstream.end();
    };
    client.on('data', (chunk: Buffer) => {
      const part = take(chunk, 'request');
      upstream.write(part);
      unanswered.add(upstream);
      if (part.length < chunk.length) breakConnection();
    });
    upstream.on('data', (chunk: Buffer) => {
      unanswered.delete(upstream);
      if (isCut) return;
      const part = take(chunk, 'answer');
      client.write(part);
      if (part.length < chunk.length) breakConnection();
    });
    client.on('close', () => {
      clients.delete(client);
      upstream.end();
    });
    upstream.on('close', () => {
      unanswered.delete(upstream);
      client.destroy();
    });
    client.on('error', () => undefined);
    upstream.on('error', () => undefined);
  });
  await once(proxy.listen(0, LOOPBACK_ADDRESS), 'listening');

  const disconnect = () => {
    isConnected = false;
    for (const client of clients) client.destroy();
  };
  return {
    url: `http://${LOOPBACK_ADDRESS}:${(proxy.address() as AddressInfo).port}`,
    disconnect,
    reconnect() {
      isConnected = true;
    },
    async waitUntilAnswered() {
      const deadline = performance.now() + MAX_ANSWER_WAIT_MS;
      while (unanswered.size > 0 && performance.now() < deadline) await pause(POLL_INTERVAL_MS);
    },
    async close() {
      disconnect();
      await new Promise((resolve) => void proxy.close(resolve));
    },
  };
}
