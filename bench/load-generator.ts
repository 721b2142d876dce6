import { randomUUID } from 'node:crypto';
import { answerParent } from './child-process.ts';
import { openConnection } from './http-connection.ts';
import { runLoad } from './run-load.ts';
import { NEW_ID } from './scenarios.ts';

export interface LoadTask {
  readonly host: string;
  readonly port: number;
  /** Complete HTTP requests, sent one after the other. */
  readonly requests: readonly string[];
  readonly status: number;
  readonly connections: number;
  readonly ms: number;
}

/** Runs in a separate process, so that its CPU time does not count as the server's. */
answerParent(async ({ host, port, requests, status: expected, connections, ms }: LoadTask) => {
  const open = await Promise.all(Array.from({ length: connections }, () => openConnection(host, port)));
  const packets = requests.map((request) => ({ bytes: Buffer.from(request), idAt: Buffer.from(request).indexOf(NEW_ID) }));
  const result = await runLoad(connections, ms, async (connection, index) => {
    const packet = packets[index % packets.length];
    if (!packet) return;
    const status = await open[connection]?.send(packet.idAt < 0 ? packet.bytes : withNewId(packet.bytes, packet.idAt));
    if (status !== expected) throw new Error(`Answered ${status} instead of ${expected}`);
  });
  for (const connection of open) connection.close();
  return result;
});

function withNewId(request: Buffer, at: number): Buffer {
  const copy = Buffer.from(request);
  copy.write(randomUUID(), at, 'latin1');
  return copy;
}
