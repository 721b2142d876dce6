import type pg from 'pg';

/** All of it or nothing, for the parts of the server that serve no single company. */
export async function inTransaction<Result>(pool: pg.Pool, work: (client: pg.PoolClient) => Promise<Result>): Promise<Result> {
  const client = await pool.connect();
  try {
    return await transact(client, () => work(client));
  } finally {
    client.release();
  }
}

export async function transact<Result>(client: pg.PoolClient, work: () => Promise<Result>): Promise<Result> {
  await client.query('begin');
  try {
    const result = await work();
    await client.query('commit');
    return result;
  } catch (error) {
    // A dead connection cannot roll back, and need not: the first error is the one to tell.
    await client.query('rollback').catch(() => undefined);
    throw error;
  }
}
