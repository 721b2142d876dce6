import { findFreePort } from '@callout/embedded-postgres/endpoint';
import { startCustomerWriters } from './customer-writers.ts';
import { killDatabase, startServerProcess, waitForDatabase } from './server-process.ts';
import { findDamage } from './stored-customers.sql.ts';

export const KILL_TARGETS = ['server', 'database', 'server and database'] as const;
export type KillTarget = (typeof KILL_TARGETS)[number];

export interface CrashRounds {
  /** Kills the target while customers are being created, then checks that every customer the server had acknowledged still exists. */
  killDuringWrites(target: KillTarget): Promise<CrashReport>;
  stop(): Promise<void>;
}

export interface CrashReport {
  /** Number of customers that were acknowledged in this round. */
  readonly acknowledged: number;
  readonly damage: readonly string[];
}

const WRITER_COUNT = 4;
const MIN_WRITES = 20;

/** Starts the server and several writers that keep creating customers. */
export async function startCrashRounds(dataDir: string): Promise<CrashRounds> {
  const port = await findFreePort();
  let product = await startServerProcess(dataDir, port);
  const writers = await startCustomerWriters(product.url, WRITER_COUNT);
  let round = 0;

  async function kill(target: KillTarget): Promise<void> {
    if (target === 'database') {
      await killDatabase(dataDir);
      await waitForDatabase(dataDir);
      return;
    }
    if (target === 'server and database') await Promise.all([killDatabase(dataDir), product.kill()]);
    else await product.kill();
    product = await startServerProcess(dataDir, port);
  }

  return {
    async killDuringWrites(target) {
      const before = writers.acknowledged.size;
      round += 1;
      // Wait for a different number of writes in each round, so that every kill hits a different point in a write.
      await writers.waitForAcknowledged(MIN_WRITES + ((round * 7) % 13));
      await kill(target);
      await writers.waitForAcknowledged(1);
      const damage = [...writers.unexpectedStatuses, ...(await findDamage(dataDir, new Set(writers.acknowledged)))];
      return { acknowledged: writers.acknowledged.size - before, damage };
    },
    async stop() {
      await writers.stop();
      await product.stop();
    },
  };
}
