import { createServer, type Server, type Socket } from 'node:net';

/** How the mail server fails: it never replies, drops the connection after receiving the email, or rejects every recipient. */
export type MailFault = 'silent' | 'cut-after-data' | { readonly rejection: string };

export interface FaultyMailServer {
  /** The Message-IDs of all emails that arrived completely. */
  readonly receivedMessageIds: readonly string[];
  stop(): Promise<void>;
}

/** Starts a mail server that fails in the given way. It takes over the port of the real one, which must be stopped. */
export async function startFaultyMailServer(port: number, fault: MailFault): Promise<FaultyMailServer> {
  const sockets = new Set<Socket>();
  const receivedMessageIds: string[] = [];
  const server: Server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    if (fault !== 'silent') speakSmtp(socket, fault, receivedMessageIds);
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return {
    receivedMessageIds,
    async stop() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function speakSmtp(socket: Socket, fault: Exclude<MailFault, 'silent'>, receivedMessageIds: string[]): void {
  let received = '';
  let isReadingText = false;
  socket.write('220 faulty\r\n');
  socket.setEncoding('utf8').on('data', (chunk: string) => {
    received += chunk;
    if (isReadingText) {
      if (!received.endsWith('\r\n.\r\n')) return;
      receivedMessageIds.push(/^message-id: (.*)$/im.exec(received)?.[1]?.trim() ?? '');
      socket.destroy();
      return;
    }
    for (let end = received.indexOf('\r\n'); end >= 0; end = received.indexOf('\r\n')) {
      const command = received.slice(0, end).toUpperCase();
      received = received.slice(end + 2);
      if (command === 'DATA') isReadingText = true;
      socket.write(`${getSmtpReply(command, fault)}\r\n`);
    }
  });
}

function getSmtpReply(command: string, fault: Exclude<MailFault, 'silent'>): string {
  if (command === 'DATA') return '354 go on';
  if (command.startsWith('RCPT') && typeof fault === 'object') return fault.rejection;
  return '250 ok';
}
