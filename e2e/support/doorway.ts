import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { product } from './running-product.ts';

/** A server in front of the product that one test can stop, start again and have answer as a newer build, while others use the product. */
export async function openDoorway() {
  const home = new URL(product().url);
  let isNewerBuild = false;

  const pass = (incoming: IncomingMessage, answer: ServerResponse) => {
    const { method, url = '/', headers } = incoming;
    const isWorker = url === '/sw.js';
    const passed = { ...headers, ...(isWorker && { 'accept-encoding': 'identity', 'if-none-match': '', 'if-modified-since': '' }) };
    const outgoing = request({ host: home.hostname, port: home.port, method, path: url, headers: passed }, (response) => {
      const isChanged = isWorker && isNewerBuild;
      const { 'content-length': length, ...rest } = response.headers;
      answer.writeHead(response.statusCode ?? 502, isChanged || length === undefined ? rest : response.headers);
      response.pipe(answer, { end: !isChanged });
      if (isChanged) response.on('end', () => answer.end('\n// A newer build.'));
    });
    outgoing.on('error', () => answer.destroy());
    answer.on('close', () => outgoing.destroy());
    incoming.pipe(outgoing);
  };

  const server = createServer(pass).listen(0, 'localhost');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://localhost:${port}`,
    publishNewerBuild: () => {
      isNewerBuild = true;
    },
    open: async () => {
      server.listen(port, 'localhost');
      await once(server, 'listening');
    },
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
