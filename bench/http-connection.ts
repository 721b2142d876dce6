import { once } from 'node:events';
import { connect } from 'node:net';

export interface HttpConnection {
  /** Sends a request, waits for the complete response and returns the response's status. */
  send(request: Buffer): Promise<number>;
  /** Returns true once the server has closed the connection, for example because it was idle. */
  isClosed(): boolean;
  close(): void;
}

const HEAD_END = '\r\n\r\n';
const LAST_CHUNK = '0\r\n\r\n';

/** Opens a keep-alive connection for one request at a time. Parses as little HTTP as possible, to save CPU time in the load generator. */
export async function openHttpConnection(host: string, port: number): Promise<HttpConnection> {
  const socket = connect({ host, port, noDelay: true });
  await once(socket, 'connect');
  let pending: { resolve: (status: number) => void; reject: (error: Error) => void } | undefined;
  let received: Buffer[] = [];
  let size = 0;
  let expectedSize = 0;

  socket.on('data', (chunk) => {
    received.push(chunk);
    size += chunk.length;
    if (size < expectedSize) return;
    const response = received.length === 1 ? chunk : Buffer.concat(received);
    expectedSize = calculateResponseSize(response);
    if (size < expectedSize) return;
    received = [];
    size = 0;
    expectedSize = 0;
    pending?.resolve(Number(response.toString('latin1', 9, 12)));
  });
  const fail = () => pending?.reject(new Error('The server closed the connection'));
  socket.on('error', fail).on('close', fail);

  return {
    send: (request) =>
      new Promise((resolve, reject) => {
        pending = { resolve, reject };
        socket.write(request);
      }),
    isClosed: () => socket.destroyed || socket.readableEnded,
    close() {
      pending = undefined;
      socket.destroy();
    },
  };
}

/** Returns the size of the complete response in bytes. If the size isn't known yet, returns one byte more than has been received. */
function calculateResponseSize(response: Buffer): number {
  const more = response.length + 1;
  const head = response.indexOf(HEAD_END);
  if (head < 0) return more;
  const length = /content-length: *(\d+)/i.exec(response.toString('latin1', 0, head))?.[1];
  if (length !== undefined) return head + HEAD_END.length + Number(length);
  return response.subarray(-LAST_CHUNK.length).equals(Buffer.from(LAST_CHUNK)) ? response.length : more;
}

interface RequestOptions {
  readonly cookie?: string;
  readonly encoding?: string | undefined;
  readonly body?: object | undefined;
}

export function formatHttpRequest(method: string, path: string, { cookie, encoding, body }: RequestOptions): string {
  const text = body ? JSON.stringify(body) : '';
  const head = [
    `${method} ${path} HTTP/1.1`,
    'host: localhost',
    'accept: application/json',
    'user-agent: callout-bench',
    ...(cookie ? [`cookie: ${cookie}`] : []),
    ...(encoding ? [`accept-encoding: ${encoding}`] : []),
    ...(body ? ['content-type: application/json', `content-length: ${Buffer.byteLength(text)}`] : []),
  ];
  return `${head.join('\r\n')}\r\n\r\n${text}`;
}
