import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { brotliCompressSync, constants } from 'node:zlib';
import { type BareSetup, bareSql } from './bare-sql.ts';
import { answerParent } from './parent-channel.ts';

/** As the product packs its answers. */
const PACKING = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } };

/** The limit: node's own http server around the product's SQL, at /<scenario>/<variant>. At /constant it does nothing at all. */
answerParent(async (setup: BareSetup) => {
  const query = bareSql(setup);
  const page = JSON.stringify(await query('list', 0, () => ''));
  const server = createServer((request, response) => {
    const [, key = '', variant] = (request.url ?? '').split('/');
    const answer = async () => {
      if (key === 'constant') return page;
      const id = request.method === 'POST' ? await idIn(request) : '';
      return JSON.stringify(await query(key, Number(variant), () => id));
    };
    answer().then(
      (text) => {
        const status = request.method === 'POST' ? 201 : 200;
        if (request.headers['accept-encoding'] !== 'br') {
          response.writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }).end(text);
          return;
        }
        const packed = brotliCompressSync(text, PACKING);
        response
          .writeHead(status, { 'content-type': 'application/json', 'content-encoding': 'br', 'content-length': packed.length })
          .end(packed);
      },
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
});

async function idIn(request: IncomingMessage): Promise<string> {
  let body = '';
  for await (const chunk of request.setEncoding('utf8')) body += String(chunk);
  return (JSON.parse(body) as { id: string }).id;
}
