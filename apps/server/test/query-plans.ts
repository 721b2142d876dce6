import pg from 'pg';
import { cleanUpAfterTests } from './clean-up.ts';
import { withOwner } from './database.ts';
import type { TestApp } from './test-app.ts';

/** Captures from PostgreSQL how each statement on a table was executed and how many rows it read. Start it before the first call. */
export async function capturePlans(test: TestApp, table: string): Promise<{ during(work: () => Promise<unknown>): Promise<string> }> {
  const heard: string[] = [];
  await withOwner(test.database, async (client) => {
    for (const setting of [
      `session_preload_libraries = 'auto_explain'`,
      `auto_explain.log_min_duration = 0`,
      `auto_explain.log_level = 'notice'`,
      `auto_explain.log_analyze = on`,
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

/** The same for system statements, which must use this pool. */
export function captureSystemPlans(test: TestApp): { readonly pool: pg.Pool; during(work: () => Promise<unknown>): Promise<string> } {
  const heard: string[] = [];
  const settings = {
    session_preload_libraries: 'auto_explain',
    'auto_explain.log_min_duration': '0',
    'auto_explain.log_level': 'notice',
    timezone: 'UTC',
    role: 'callout_system',
  };
  const options = Object.entries(settings).map(([name, value]) => `-c ${name}=${value}`);
  const pool = new pg.Pool({ ...test.database, max: 1, options: options.join(' ') });
  pool.on('connect', (client) => void client.on('notice', ({ message }) => heard.push(message ?? '')));
  cleanUpAfterTests(() => pool.end());
  return {
    pool,
    async during(work) {
      heard.length = 0;
      await work();
      return heard.join('\n');
    },
  };
}
