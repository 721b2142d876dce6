import { randomUUID } from 'node:crypto';
import { type BareSetup, createBareQuery } from './bare-sql.ts';
import { answerParent } from './child-process.ts';
import { type LoadResult, runLoad } from './run-load.ts';

export interface DriverTask {
  readonly scenario: string;
  readonly connections: number;
  readonly ms: number;
}

let query: ReturnType<typeof createBareQuery> | undefined;

/** The product's SQL in a loop: the limit that the database and its driver set. */
answerParent(async (question: { setup: BareSetup } | DriverTask): Promise<LoadResult | 'ready'> => {
  if ('setup' in question) {
    query = createBareQuery(question.setup);
    return 'ready';
  }
  const run = query;
  if (!run) throw new Error('The driver has not been set up');
  const { scenario, connections, ms } = question;
  return runLoad(connections, ms, async (_, index) => void (await run(scenario, index, randomUUID)));
});
