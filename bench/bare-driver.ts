import { randomUUID } from 'node:crypto';
import { type BareSetup, bareSql } from './bare-sql.ts';
import { answerParent } from './parent-channel.ts';
import { runSlice, type Slice } from './slice.ts';

export interface DriverTask {
  readonly scenario: string;
  readonly connections: number;
  readonly ms: number;
}

let query: ReturnType<typeof bareSql> | undefined;

/** The product's SQL in a loop: what the database and its driver could give if nothing else were there. */
answerParent(async (question: { setup: BareSetup } | DriverTask): Promise<Slice | 'ready'> => {
  if ('setup' in question) {
    query = bareSql(question.setup);
    return 'ready';
  }
  const run = query;
  if (!run) throw new Error('The driver was not set up');
  const { scenario, connections, ms } = question;
  return runSlice(connections, ms, async (_, turn) => void (await run(scenario, turn, randomUUID)));
});
