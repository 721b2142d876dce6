import { once } from 'node:events';
import { connect } from 'node:net';

export interface HttpConnection {
  /** Sends a request, waits for the complete response and returns its status. */
  send(request: Buffer): Promise<number>;
  close(): void;
}

const HEAD_END = '\r\n\r\n';
const LAST_CHUNK = '0\r\n\r\n';

/** A keep-alive connection with one request at a time and only the HTTP this needs: the load generator must cost little CPU time. */
export async function openConnection(host: string, port: number): Promise<HttpConnection> {
  const socket = connect({ host, port, noDelay: true });
  await once(socket, 'connect');
  let waiting: { resolve: (status: number) => void; reject: (error: Error) => void } | undefined;
  let received: Buffer[] = [];
  let size = 0;
  let expected = 0;

  socket.on('data', (chunk) => {
    received.push(chunk);
    size += chunk.length;
    if (size < expected) return;
    const response = received.length === 1 ? chunk : Buffer.concat(received);
    expected = responseSize(response);
    if (size < expected) return;
    received = [];
    size = 0;
    expected = 0;
    waiting?.resolve(Number(response.toString('latin1', 9, 12)));
  });
  const fail = () => waiting?.reject(new Error('The server closed the connection'));
  socket.on('error', fail).on('close', fail);

  return {
    send: (request) =>
      new Promise((resolve, reject) => {
        waiting = { resolve, reject };
        socket.write(request);
      }),
    close() {
      waiting = undefined;
      socket.destroy();
    },
  };
}

/** The number of bytes of the complete response; one more than received while that is unknown. */
function responseSize(response: Buffer): number {
  const more = response.length + 1;
  const head = response.indexOf(HEAD_END);
  if (head < 0) return more;
  const length = /content-length: *(\d+)/i.exec(response.toString('latin1', 0, head))?.[1];
  if (length !== undefined) return head + HEAD_END.length + Number(length);
  return response.subarray(-LAST_CHUNK.length).equals(Buffer.from(LAST_CHUNK)) ? response.length : more;
}
