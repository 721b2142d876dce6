import { once } from 'node:events';
import { connect } from 'node:net';

export interface HttpConnection {
  /** Sends a whole request and waits for the whole answer; gives its status. */
  send(request: Buffer): Promise<number>;
  close(): void;
}

const HEAD_END = '\r\n\r\n';
const LAST_CHUNK = '0\r\n\r\n';

/** A kept-alive connection with one request under way at a time, and no more of HTTP than that needs: measuring must stay cheap. */
export async function openConnection(host: string, port: number): Promise<HttpConnection> {
  const socket = connect({ host, port, noDelay: true });
  await once(socket, 'connect');
  let waiting: { resolve: (status: number) => void; reject: (error: Error) => void } | undefined;
  let received: Buffer[] = [];
  let size = 0;
  let awaited = 0;

  socket.on('data', (chunk) => {
    received.push(chunk);
    size += chunk.length;
    if (size < awaited) return;
    const answer = received.length === 1 ? chunk : Buffer.concat(received);
    awaited = wholeSize(answer);
    if (size < awaited) return;
    received = [];
    size = 0;
    awaited = 0;
    waiting?.resolve(Number(answer.toString('latin1', 9, 12)));
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

/** How many bytes the answer will have in all; one more than are there while that can't be told. */
function wholeSize(answer: Buffer): number {
  const more = answer.length + 1;
  const head = answer.indexOf(HEAD_END);
  if (head < 0) return more;
  const length = /content-length: *(\d+)/i.exec(answer.toString('latin1', 0, head))?.[1];
  if (length !== undefined) return head + HEAD_END.length + Number(length);
  return answer.subarray(-LAST_CHUNK.length).equals(Buffer.from(LAST_CHUNK)) ? answer.length : more;
}
