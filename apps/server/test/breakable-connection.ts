import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import type { DatabaseConnection } from '../src/platform/db/pools.ts';
import { cleanUpAfterTests } from './clean-up.ts';

export interface BreakableConnection {
  readonly database: DatabaseConnection;
  /** Drops all connections and refuses new ones. */
  disconnect(): Promise<void>;
  reconnect(): Promise<void>;
}

/** Opens a proxy to the database, so that one test can lose its connection while other tests stay connected. */
export async function openBreakableConnection(database: DatabaseConnection): Promise<BreakableConnection> {
  const { host = '', port = 5432 } = database;
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = host.startsWith('/') ? connect(join(host, `.s.PGSQL.${port}`)) : connect(port, host);
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        sockets.delete(socket);
        client.destroy();
        upstream.destroy();
      });
    }
    client.pipe(upstream).pipe(client);
  });
  const listen = (listenPort: number) => new Promise<void>((resolve) => void server.listen(listenPort, '127.0.0.1', resolve));
  await listen(0);
  const { port: proxyPort } = server.address() as AddressInfo;
  const disconnect = async () => {
    if (!server.listening) return;
    const closed = new Promise((resolve) => void server.close(resolve));
    for (const socket of sockets) socket.destroy();
    await closed;
  };
  cleanUpAfterTests(disconnect);
  return { database: { ...database, host: '127.0.0.1', port: proxyPort }, disconnect, reconnect: () => listen(proxyPort) };
}
