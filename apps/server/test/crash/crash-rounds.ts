import { findFreePort } from '@callout/embedded-postgres/endpoint';
import { startWriters } from './customer-writers.ts';
import { databaseIsBack, killDatabase, startProduct } from './product-process.ts';
import { findDamage } from './stored-customers.sql.ts';

export const VICTIMS = ['server', 'database', 'server and database'] as const;
export type Victim = (typeof VICTIMS)[number];

export interface CrashRounds {
  /** Kills the victim while customers are being added, and checks after its recovery that every acknowledged customer is stored. */
  killDuringWrites(victim: Victim): Promise<CrashReport>;
  stop(): Promise<void>;
}

export interface CrashReport {
  /** Customers acknowledged in this round. */
  readonly acknowledged: number;
  readonly damage: readonly string[];
}

const PEOPLE = 4;
const MIN_WRITES = 20;

/** Starts the product with several people who keep adding customers. */
export async function startCrashRounds(dataDir: string): Promise<CrashRounds> {
  const port = await findFreePort();
  let product = await startProduct(dataDir, port);
  const writers = await startWriters(product.url, PEOPLE);
  let round = 0;

  async function kill(victim: Victim): Promise<void> {
    if (victim === 'database') {
      await killDatabase(dataDir);
      await databaseIsBack(dataDir);
      return;
    }
    if (victim === 'server and database') await Promise.all([killDatabase(dataDir), product.kill()]);
    else await product.kill();
    product = await startProduct(dataDir, port);
  }

  return {
    async killDuringWrites(victim) {
      const before = writers.acknowledged.size;
      round += 1;
      // A different number of writes each round, so that the kill hits a different moment of a write.
      await writers.more(MIN_WRITES + ((round * 7) % 13));
      await kill(victim);
      await writers.more(1);
      const damage = [...writers.refused, ...(await findDamage(dataDir, new Set(writers.acknowledged)))];
      return { acknowledged: writers.acknowledged.size - before, damage };
    },
    async stop() {
      await writers.stop();
      await product.stop();
    },
  };
}
