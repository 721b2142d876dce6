/** What one stretch of time under load gave. */
export interface Slice {
  /** From the first request sent to the last answer. */
  readonly ms: number;
  readonly latencies: readonly number[];
}

/** Sends one after the other from each connection until the time is up; what is under way then still counts. */
export async function runSlice(connections: number, ms: number, send: (connection: number, turn: number) => Promise<void>): Promise<Slice> {
  const latencies: number[] = [];
  const began = performance.now();
  const until = began + ms;
  let turn = 0;
  const keepSending = async (connection: number) => {
    for (let sent = performance.now(); sent < until; ) {
      turn += 1;
      await send(connection, turn);
      const answered = performance.now();
      latencies.push(answered - sent);
      sent = answered;
    }
  };
  await Promise.all(Array.from({ length: connections }, (_, connection) => keepSending(connection)));
  return { ms: performance.now() - began, latencies };
}
