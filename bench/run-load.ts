/** The result of a period under load. */
export interface LoadResult {
  /** From the first request to the last answer. */
  readonly ms: number;
  readonly latencies: readonly number[];
}

/** Sends one request after the other on each connection until the time is up; requests still open then count as well. */
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
      const answered = performance.now();
      latencies.push(answered - sent);
      sent = answered;
    }
  };
  await Promise.all(Array.from({ length: connections }, (_, connection) => keepSending(connection)));
  return { ms: performance.now() - start, latencies };
}
