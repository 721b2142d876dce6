import { simpleParser } from 'mailparser';
import { SMTPServer } from 'smtp-server';

export interface Mail {
  /** Recipients in the SMTP envelope, which may differ from those in the headers. */
  readonly to: readonly string[];
  readonly from: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** Raw header lines, such as 'Subject: Hello'. */
  readonly headers: readonly string[];
  readonly attachments: readonly MailAttachment[];
  /** The id of the connection that the email came through. */
  readonly connection: string;
}

export interface MailAttachment {
  readonly name: string;
  readonly type: string;
  /** The content as base64, so that the email can be stored as JSON. */
  readonly content: string;
}

export interface MailServer {
  readonly port: number;
  readonly stop: () => Promise<void>;
}

/** Starts a local SMTP server. It accepts an email if `deliver` succeeds and rejects the email if `deliver` throws. */
export async function startMailServer(deliver: (mail: Mail) => void | Promise<void>, port = 0): Promise<MailServer> {
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    // Clients keep their connections open for the next email, so don't wait for them when stopping.
    closeTimeout: 20,
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
          return deliver({
            to,
            from: from?.text ?? '',
            subject,
            text,
            html: html || '',
            headers,
            attachments: files,
            connection: session.id,
          });
        })
        .then(() => done(), done);
    },
  });
  // Ignore clients that disconnect early. Without this listener, the error would crash the process.
  server.on('error', () => undefined);
  const listeningPort = await new Promise<number>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      const address = server.server.address();
      if (typeof address === 'object' && address) resolve(address.port);
      else reject(new Error('The mail server has no port'));
    });
  });
  return { port: listeningPort, stop: () => new Promise((resolve) => server.close(resolve)) };
}
