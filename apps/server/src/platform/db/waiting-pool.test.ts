import { expect, it, onTestFinished } from 'vitest';
import { startTestApp } from '../../../test/test-app.ts';
import { READ_ONLY } from './database-errors.ts';
import { WaitingPool } from './waiting-pool.ts';

it('waits again if the database is gone again right after it came back, as while a replica is promoted', async () => {
  const { database } = await startTestApp();
  const attempts = ['refused', 'refused', 'accepted', 'refused', 'accepted'];
  const pool = new WaitingPool({
    ...database,
    maxOutageMs: 30_000,
    verify: (_client, done) => {
      const isRefused = attempts.shift() === 'refused';
      done(isRefused ? Object.assign(new Error('A replica'), { code: READ_ONLY }) : undefined);
    },
  });
  onTestFinished(() => pool.end());
  const clients = await Promise.all([pool.connect(), pool.connect()]);
  for (const client of clients) client.release();
  expect(attempts).toEqual([]);
});
