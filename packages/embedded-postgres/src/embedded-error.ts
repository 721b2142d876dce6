/** The embedded database can't run; the message is one sentence for the person who started Callout. */
export class EmbeddedPostgresError extends Error {
  override readonly name: string = 'EmbeddedPostgresError';
}
