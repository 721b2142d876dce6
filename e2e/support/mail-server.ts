import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { simpleParser } from 'mailparser';
import { SMTPServer } from 'smtp-server';
import type { Mail } from './mailbox.ts';

export interface MailServer {
  readonly port: number;
  readonly stop: () => Promise<void>;
}

/** A real mail server on this machine: every mail it is given becomes one file in the folder, which the tests read. */
export async function startMailServer(folder: string): Promise<MailServer> {
  mkdirSync(folder, { recursive: true });
  let received = 0;
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, session, done) {
      simpleParser(stream).then(({ subject = '', text = '', html, from }) => {
        const to = session.envelope.rcptTo.map(({ address }) => address.toLowerCase());
        const mail: Mail = { to, from: from?.text ?? '', subject, text, html: html || '' };
        received += 1;
        const path = join(folder, `${String(received).padStart(6, '0')}.json`);
        // Renamed when complete, so that no test reads half a mail.
        writeFileSync(`${path}.part`, JSON.stringify(mail));
        renameSync(`${path}.part`, path);
        done();
      }, done);
    },
  });
  const port = await new Promise<number>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.server.address();
      if (typeof address === 'object' && address) resolve(address.port);
      else reject(new Error('The mail server has no port'));
    });
  });
  return { port, stop: () => new Promise((resolve) => server.close(resolve)) };
}
