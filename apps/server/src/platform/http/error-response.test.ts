import { once } from 'node:events';
import { connect } from 'node:net';
import { finished } from 'node:stream/promises';
import fastify from 'fastify';
import { expect, it, onTestFinished } from 'vitest';
import { registerErrorHandler } from './error-response.ts';

it('logs a client disconnect only at debug level', async () => {
  const logged: { level: number; msg: string }[] = [];
  const write = (line: string) => void logged.push(JSON.parse(line) as { level: number; msg: string });
  const app = fastify({ logger: { level: 'debug', stream: { write } } });
  onTestFinished(() => app.close());
  registerErrorHandler(app);
  const received = Promise.withResolvers<void>();
  app.get('/slow', async (_request, reply) => {
    const responded = finished(reply.raw);
    received.resolve();
    await responded;
  });
  const { port } = new URL(await app.listen({ host: '127.0.0.1', port: 0 }));
  const socket = connect({ host: '127.0.0.1', port: Number(port) });
  await once(socket, 'connect');
  socket.write('GET /slow HTTP/1.1\r\nhost: localhost\r\n\r\n');
  await received.promise;
  socket.destroy();
  await expect.poll(() => logged.filter(({ msg }) => msg === 'Client disconnected')).toMatchObject([{ level: 20 }]);
  expect(logged.filter(({ level }) => level >= 40)).toEqual([]);
});
