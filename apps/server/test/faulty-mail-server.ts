import { createServer, type Server, type Socket } from 'node:net';

/** What goes wrong: it accepts the connection and never says a word, hangs up after the mail's text, or answers the recipient with a refusal. */
export type MailFault = 'silent' | 'cut-after-data' | { readonly refusal: string };

export interface FaultyMailServer {
  /** The Message-ID of every mail whose text it has read. */
  readonly readIds: readonly string[];
  stop(): Promise<void>;
}

/** A mail server that fails in one way, on the port of the real one. */
export async function startFaultyMailServer(port: number, fault: MailFault): Promise<FaultyMailServer> {
  const sockets = new Set<Socket>();
  const readIds: string[] = [];
  const server: Server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    if (fault !== 'silent') converse(socket, fault, readIds);
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return {
    readIds,
    async stop() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function converse(socket: Socket, fault: Exclude<MailFault, 'silent'>, readIds: string[]): void {
  let received = '';
  let isReadingText = false;
  socket.write('220 faulty\r\n');
  socket.setEncoding('utf8').on('data', (chunk: string) => {
    received += chunk;
    if (isReadingText) {
      if (!received.endsWith('\r\n.\r\n')) return;
      readIds.push(/^message-id: (.*)$/im.exec(received)?.[1]?.trim() ?? '');
      socket.destroy();
      return;
    }
    for (let end = received.indexOf('\r\n'); end >= 0; end = received.indexOf('\r\n')) {
      const command = received.slice(0, end).toUpperCase();
      received = received.slice(end + 2);
      if (command === 'DATA') isReadingText = true;
      socket.write(`${answerTo(command, fault)}\r\n`);
    }
  });
}

function answerTo(command: string, fault: Exclude<MailFault, 'silent'>): string {
  if (command === 'DATA') return '354 go on';
  if (command.startsWith('RCPT') && typeof fault === 'object') return fault.refusal;
  return '250 ok';
}
