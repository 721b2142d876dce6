import pg from 'pg';

/** Without vitest, because a process of another account runs it too. */
export async function tryToConnect(config: pg.ClientConfig): Promise<string> {
  const client = new pg.Client(config);
  try {
    await client.connect();
    return 'connected';
  } catch (error) {
    const { code = '', message } = error as { code?: string; message: string };
    // Without a password the driver itself gives up when the database asks for one.
    return code.startsWith('28') || message.startsWith('SASL') ? 'refused' : message;
  } finally {
    await client.end();
  }
}
