import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { onTestFinished, vi } from 'vitest';
import { listenOnLocalhost } from './event-stream.ts';
import type { HttpMethod, TestApp } from './test-app.ts';

export interface RawConnection {
  readonly socket: Socket;
  /** All text that the server has sent so far. */
  readonly received: string;
  readonly closed: boolean;
  /** Sends the request line and the headers, then waits for the server's `100 Continue`. */
  sendHead(method: HttpMethod, path: string, headers: Readonly<Record<string, string | number>>): Promise<void>;
  write(text: string | Buffer): void;
  /** Drops the connection without closing it properly, like a phone that enters a tunnel. */
  destroy(): void;
}

/** Opens a TCP connection to the server, for requests that an HTTP client would refuse to send. */
export async function openRawConnection(test: TestApp): Promise<RawConnection> {
  const { port } = new URL(await listenOnLocalhost(test));
  const socket = connect({ host: '127.0.0.1', port: Number(port), noDelay: true });
  await once(socket, 'connect');
  const state = { received: '', closed: false };
  socket.on('data', (chunk) => {
    state.received += chunk.toString('latin1');
  });
  socket.on('error', () => undefined);
  socket.on('close', () => {
    state.closed = true;
  });
  onTestFinished(() => void socket.destroy());
  return {
    socket,
    get received() {
      return state.received;
    },
    get closed() {
      return state.closed;
    },
    async sendHead(method, path, headers) {
      const lines = Object.entries({ host: 'localhost', ...headers, expect: '100-continue' }).map(([name, value]) => `${name}: ${value}`);
      socket.write(`${[`${method} ${path} HTTP/1.1`, ...lines].join('\r\n')}\r\n\r\n`);
      await vi.waitUntil(() => state.received.includes('100 Continue'), { timeout: 10_000 });
    },
    write: (text) => void socket.write(text),
    destroy: () => void socket.destroy(),
  };
}
