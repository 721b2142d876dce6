import type pg from 'pg';
import { withOwner } from './database.ts';
import type { TestApp } from './test-app.ts';

/** Hears from PostgreSQL itself how each statement on a table was carried out. Start it before the first call. */
export async function hearPlans(test: TestApp, table: string): Promise<{ during(work: () => Promise<unknown>): Promise<string> }> {
  const heard: string[] = [];
  await withOwner(test.database, async (client) => {
    for (const setting of [
      `session_preload_libraries = 'auto_explain'`,
      `auto_explain.log_min_duration = 0`,
      `auto_explain.log_level = 'notice'`,
    ]) {
      await client.query(`alter database ${test.database.database} set ${setting}`);
    }
  });
  const listen = (client: pg.PoolClient) => void client.on('notice', ({ message }) => heard.push(message ?? ''));
  test.app.platform.pools.app.on('connect', listen);
  return {
    async during(work) {
      heard.length = 0;
      await work();
      return heard.filter((plan) => plan.includes(table)).join('\n');
    },
  };
}
