import pg from 'pg';
import { cleanUpAfterTests } from './clean-up.ts';
import { withOwnerClient } from './database.ts';
import type { TestApp } from './test-app.ts';

/** Captures the plans of executed statements that use the table, with row counts. Call this before the app pool opens a connection. */
export async function captureQueryPlans(test: TestApp, table: string): Promise<{ during(work: () => Promise<unknown>): Promise<string> }> {
  const plans: string[] = [];
  await withOwnerClient(test.database, async (client) => {
    for (const setting of [
      `session_preload_libraries = 'auto_explain'`,
      `auto_explain.log_min_duration = 0`,
      `auto_explain.log_level = 'notice'`,
      `auto_explain.log_analyze = on`,
    ]) {
      await client.query(`alter database ${test.database.database} set ${setting}`);
    }
    // Searches run inside a function. Other roles insert the rows, and would log every statement of their triggers.
    await client.query(
      `alter role ${test.logins.callout_app.user} in database ${test.database.database} set auto_explain.log_nested_statements = on`,
    );
  });
  const collectPlans = (client: pg.PoolClient) => void client.on('notice', ({ message }) => plans.push(message ?? ''));
  test.app.platform.pools.app.on('connect', collectPlans);
  return {
    async during(work) {
      plans.length = 0;
      await work();
      return plans.filter((plan) => plan.includes(table)).join('\n');
    },
  };
}

/** Returns a pool that uses the system role, and captures the query plans of all statements that run on it. */
export function captureSystemQueryPlans(test: TestApp): { readonly pool: pg.Pool; during(work: () => Promise<unknown>): Promise<string> } {
  const plans: string[] = [];
  const settings = {
    session_preload_libraries: 'auto_explain',
    'auto_explain.log_min_duration': '0',
    'auto_explain.log_level': 'notice',
    timezone: 'UTC',
    role: 'callout_system',
  };
  const options = Object.entries(settings).map(([name, value]) => `-c ${name}=${value}`);
  const pool = new pg.Pool({ ...test.database, max: 1, options: options.join(' ') });
  pool.on('connect', (client) => void client.on('notice', ({ message }) => plans.push(message ?? '')));
  cleanUpAfterTests(() => pool.end());
  return {
    pool,
    async during(work) {
      plans.length = 0;
      await work();
      return plans.join('\n');
    },
  };
}
