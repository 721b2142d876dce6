import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRunningServer } from './running-server.ts';

/** Starts a proxy to the server. A test can stop it, restart it or switch it to a newer build without affecting other tests. */
export async function startProxy() {
  const target = new URL(getRunningServer().url);
  let isNewerBuild = false;

  const forward = (incoming: IncomingMessage, reply: ServerResponse) => {
    const { method, url = '/', headers } = incoming;
    const isWorker = url === '/sw.js';
    const forwarded = { ...headers, ...(isWorker && { 'accept-encoding': 'identity', 'if-none-match': '', 'if-modified-since': '' }) };
    const outgoing = request({ host: target.hostname, port: target.port, method, path: url, headers: forwarded }, (response) => {
      const isChanged = isWorker && isNewerBuild;
      const { 'content-length': length, ...rest } = response.headers;
      reply.writeHead(response.statusCode ?? 502, isChanged || length === undefined ? rest : response.headers);
      response.pipe(reply, { end: !isChanged });
      if (isChanged) response.on('end', () => reply.end('\n// A newer build.'));
    });
    outgoing.on('error', () => reply.destroy());
    reply.on('close', () => outgoing.destroy());
    incoming.pipe(outgoing);
  };

  const server = createServer(forward).listen(0, 'localhost');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://localhost:${port}`,
    deployNewerBuild: () => {
      isNewerBuild = true;
    },
    start: async () => {
      server.listen(port, 'localhost');
      await once(server, 'listening');
    },
    stop: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
