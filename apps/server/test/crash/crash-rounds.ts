import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findFreePort } from '@callout/embedded-postgres/endpoint';
import { startWriters, type Writers } from './customer-writers.ts';
import { databaseIsBack, killDatabase, type ProductProcess, startProduct } from './product-process.ts';
import { findDamage } from './stored-customers.sql.ts';

export const VICTIMS = ['server', 'database', 'server and database'] as const;
export type Victim = (typeof VICTIMS)[number];

export interface CrashReport {
  readonly rounds: number;
  readonly acknowledged: number;
  readonly damage: readonly string[];
}

const PEOPLE = 4;
const MIN_WRITES = 20;

/** Kills the victim again and again while customers are being added, and looks after each recovery whether all of them are there. */
export async function runCrashRounds(victim: Victim, rounds: number, log: (line: string) => void): Promise<CrashReport> {
  const dataDir = await mkdtemp(join(tmpdir(), 'callout-crash-'));
  const port = await findFreePort();
  let product = await startProduct(dataDir, port);
  let writers: Writers | undefined;
  try {
    writers = await startWriters(product.url, PEOPLE);
    const damage: string[] = [];
    for (let round = 1; round <= rounds && damage.length === 0; round += 1) {
      // Another number of writes each time, so that the kill falls on another moment of a write.
      await writers.more(MIN_WRITES + ((round * 7) % 13));
      product = await killAndStart(victim, product, dataDir, port);
      await writers.more(1);
      damage.push(...writers.refused, ...(await findDamage(dataDir, new Set(writers.acknowledged))));
      log(`${victim}, round ${round}: ${writers.acknowledged.size} acknowledged, ${damage.length} damaged`);
    }
    return { rounds, acknowledged: writers.acknowledged.size, damage };
  } finally {
    await writers?.stop();
    await product.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function killAndStart(victim: Victim, product: ProductProcess, dataDir: string, port: number): Promise<ProductProcess> {
  if (victim === 'database') {
    await killDatabase(dataDir);
    await databaseIsBack(dataDir);
    return product;
  }
  if (victim === 'server and database') await Promise.all([killDatabase(dataDir), product.kill()]);
  else await product.kill();
  return startProduct(dataDir, port);
}
