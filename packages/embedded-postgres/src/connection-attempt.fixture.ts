import pg from 'pg';

/** This file must not import vitest, because a test also runs it in a process of another account. */
export async function tryToConnect(config: pg.ClientConfig): Promise<string> {
  const client = new pg.Client(config);
  try {
    await client.connect();
    return 'connected';
  } catch (error) {
    const { code = '', message } = error as { code?: string; message: string };
    // A 'SASL' error comes from the driver, which gives up if it has no password when the database requests one.
    return code.startsWith('28') || message.startsWith('SASL') ? 'refused' : message;
  } finally {
    await client.end();
  }
}
