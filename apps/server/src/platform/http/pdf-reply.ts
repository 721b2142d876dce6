import type { FastifyReply } from 'fastify';

/** A download that no cache keeps. `name` goes into a header as it is: letters, figures, spaces, hyphens and parentheses. */
export function sendPdf(reply: FastifyReply, name: string, bytes: Uint8Array): FastifyReply {
  return reply
    .type('application/pdf')
    .headers({
      'content-disposition': `attachment; filename="${name}.pdf"`,
      'cache-control': 'private, no-store',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
    })
    .send(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
}
