import { randomUUID } from 'node:crypto';
import { openConnection } from './http-connection.ts';
import { answerParent } from './parent-channel.ts';
import { NEW_ID } from './scenarios.ts';
import { runSlice } from './slice.ts';

export interface LoadTask {
  readonly host: string;
  readonly port: number;
  /** Whole requests, sent in turn. */
  readonly requests: readonly string[];
  readonly status: number;
  readonly connections: number;
  readonly ms: number;
}

/** A process of its own, so that what it costs does not count as the server's. */
answerParent(async ({ host, port, requests, status: expected, connections, ms }: LoadTask) => {
  const open = await Promise.all(Array.from({ length: connections }, () => openConnection(host, port)));
  const packets = requests.map((request) => ({ bytes: Buffer.from(request), idAt: Buffer.from(request).indexOf(NEW_ID) }));
  const slice = await runSlice(connections, ms, async (connection, turn) => {
    const packet = packets[turn % packets.length];
    if (!packet) return;
    const status = await open[connection]?.send(packet.idAt < 0 ? packet.bytes : withNewId(packet.bytes, packet.idAt));
    if (status !== expected) throw new Error(`Answered ${status} instead of ${expected}`);
  });
  for (const connection of open) connection.close();
  return slice;
});

function withNewId(request: Buffer, at: number): Buffer {
  const own = Buffer.from(request);
  own.write(randomUUID(), at, 'latin1');
  return own;
}
