import { randomUUID } from 'node:crypto';
import { handleParentMessages } from './child-worker.ts';
import { openHttpConnection } from './http-connection.ts';
import { runLoad } from './run-load.ts';
import { NEW_ID } from './scenarios.ts';

export interface LoadTask {
  readonly host: string;
  readonly port: number;
  /** Raw HTTP requests, which are sent in rotation. */
  readonly requests: readonly string[];
  readonly status: number;
  readonly connections: number;
  readonly ms: number;
}

/** Runs in a separate process, so that the load generator's CPU time isn't counted as the server's. */
handleParentMessages(async ({ host, port, requests, status: expected, connections, ms }: LoadTask) => {
  const open = await Promise.all(Array.from({ length: connections }, () => openHttpConnection(host, port)));
  const packets = requests.map((request) => ({ bytes: Buffer.from(request), idOffset: Buffer.from(request).indexOf(NEW_ID) }));
  try {
    return await runLoad(connections, ms, async (connection, index) => {
      const packet = packets[index % packets.length];
      if (!packet) return;
      const status = await open[connection]?.send(packet.idOffset < 0 ? packet.bytes : withNewId(packet.bytes, packet.idOffset));
      if (status !== expected) throw new Error(`Received status ${status} instead of ${expected}`);
    });
  } finally {
    for (const connection of open) connection.close();
  }
});

function withNewId(request: Buffer, offset: number): Buffer {
  const copy = Buffer.from(request);
  copy.write(randomUUID(), offset, 'latin1');
  return copy;
}
