import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { brotliCompressSync, constants } from 'node:zlib';
import { type BaselineSetup, createBaselineQuery } from './baseline-query.ts';
import { handleParentMessages } from './child-worker.ts';

/** The compression quality that the Callout server uses. */
const BROTLI_OPTIONS = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } };

/** Serves Callout's SQL with plain node:http at /<scenario>/<variant>. /constant returns a precomputed page. */
handleParentMessages(async (setup: BaselineSetup) => {
  const query = createBaselineQuery(setup);
  const page = JSON.stringify(await query(setup.scenarios[0]?.key ?? '', 0, () => ''));
  const server = createServer((request, response) => {
    const [, key = '', variant] = (request.url ?? '').split('/');
    const buildBody = async () => {
      if (key === 'constant') return page;
      const id = request.method === 'POST' ? await readId(request) : '';
      const rows = await query(key, Number(variant), () => id);
      return setup.scenarios.find((scenario) => scenario.key === key)?.variants[Number(variant)]?.response ?? JSON.stringify(rows);
    };
    buildBody().then(
      (body) => {
        const status = setup.scenarios.find((scenario) => scenario.key === key)?.status ?? 200;
        if (request.headers['accept-encoding'] !== 'br') {
          response.writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }).end(body);
          return;
        }
        const compressed = brotliCompressSync(body, BROTLI_OPTIONS);
        response
          .writeHead(status, { 'content-type': 'application/json', 'content-encoding': 'br', 'content-length': compressed.length })
          .end(compressed);
      },
      (error: unknown) => {
        process.stderr.write(`${key}: ${String(error)}\n`);
        response.writeHead(500).end();
      },
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
});

async function readId(request: IncomingMessage): Promise<string> {
  let body = '';
  for await (const chunk of request.setEncoding('utf8')) body += String(chunk);
  return (JSON.parse(body) as { id: string }).id;
}
