export interface LoadResult {
  /** Milliseconds between the first request and the last response. */
  readonly ms: number;
  readonly latencies: readonly number[];
}

/** Sends requests back to back on each connection for `ms` milliseconds. Requests still pending at that point are counted. */
export async function runLoad(
  connections: number,
  ms: number,
  send: (connection: number, index: number) => Promise<void>,
): Promise<LoadResult> {
  const latencies: number[] = [];
  const start = performance.now();
  const end = start + ms;
  let count = 0;
  const keepSending = async (connection: number) => {
    for (let sent = performance.now(); sent < end; ) {
      count += 1;
      await send(connection, count);
      const received = performance.now();
      latencies.push(received - sent);
      sent = received;
    }
  };
  await Promise.all(Array.from({ length: connections }, (_, connection) => keepSending(connection)));
  return { ms: performance.now() - start, latencies };
}
