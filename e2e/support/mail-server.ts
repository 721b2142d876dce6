import { simpleParser } from 'mailparser';
import { SMTPServer } from 'smtp-server';

export interface Mail {
  /** Whom the envelope names, which need not be what the headers say. */
  readonly to: readonly string[];
  readonly from: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** As they came, one per line: 'Subject: Hello'. */
  readonly headers: readonly string[];
  readonly attachments: readonly AttachedFile[];
}

export interface AttachedFile {
  readonly name: string;
  readonly type: string;
  /** In base64, so that a mail can be kept as JSON. */
  readonly content: string;
}

export interface MailServer {
  readonly port: number;
  readonly stop: () => Promise<void>;
}

/** A real mail server on this machine. A mail counts as taken once `deliver` is done; when that fails, it is refused. */
export async function startMailServer(deliver: (mail: Mail) => void | Promise<void>, port = 0): Promise<MailServer> {
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, session, done) {
      simpleParser(stream)
        .then(({ subject = '', text = '', html, from, headerLines, attachments }) => {
          const to = session.envelope.rcptTo.map(({ address }) => address.toLowerCase());
          const headers = headerLines.map(({ line }) => line);
          const files = attachments.map(({ filename = '', contentType, content }) => ({
            name: filename,
            type: contentType,
            content: content.toString('base64'),
          }));
          return deliver({ to, from: from?.text ?? '', subject, text, html: html || '', headers, attachments: files });
        })
        .then(() => done(), done);
    },
  });
  // A sender that breaks off is the sender's affair.
  server.on('error', () => undefined);
  const listening = await new Promise<number>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      const address = server.server.address();
      if (typeof address === 'object' && address) resolve(address.port);
      else reject(new Error('The mail server has no port'));
    });
  });
  return { port: listening, stop: () => new Promise((resolve) => server.close(resolve)) };
}
