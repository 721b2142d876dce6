import { once } from 'node:events';
import { connect } from 'node:net';
import { finished } from 'node:stream/promises';
import fastify from 'fastify';
import { expect, it, onTestFinished } from 'vitest';
import { answerErrors } from './error-reply.ts';

it('a client that hangs up while its answer is on the way is no error of ours', async () => {
  const logged: { level: number; msg: string }[] = [];
  const write = (line: string) => void logged.push(JSON.parse(line) as { level: number; msg: string });
  const app = fastify({ logger: { level: 'debug', stream: { write } } });
  onTestFinished(() => app.close());
  answerErrors(app);
  const asked = Promise.withResolvers<void>();
  app.get('/answer', async (_request, reply) => {
    const answered = finished(reply.raw);
    asked.resolve();
    await answered;
  });
  const { port } = new URL(await app.listen({ host: '127.0.0.1', port: 0 }));
  const socket = connect({ host: '127.0.0.1', port: Number(port) });
  await once(socket, 'connect');
  socket.write('GET /answer HTTP/1.1\r\nhost: localhost\r\n\r\n');
  await asked.promise;
  socket.destroy();
  await expect.poll(() => logged.filter(({ msg }) => msg === 'request broke off')).toMatchObject([{ level: 20 }]);
  expect(logged.filter(({ level }) => level >= 40)).toEqual([]);
});
