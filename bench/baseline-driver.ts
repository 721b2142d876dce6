import { randomUUID } from 'node:crypto';
import { type BaselineSetup, createBaselineQuery } from './baseline-query.ts';
import { handleParentMessages } from './child-worker.ts';
import { type LoadResult, runLoad } from './run-load.ts';

export interface BaselineDriverTask {
  readonly scenario: string;
  readonly connections: number;
  readonly ms: number;
}

let query: ReturnType<typeof createBaselineQuery> | undefined;

/** Runs the server's SQL in a loop, to find the limit set by the database and its driver. */
handleParentMessages(async (request: { setup: BaselineSetup } | BaselineDriverTask): Promise<LoadResult | 'ready'> => {
  if ('setup' in request) {
    query = createBaselineQuery(request.setup);
    return 'ready';
  }
  const run = query;
  if (!run) throw new Error('The baseline driver has not been set up');
  const { scenario, connections, ms } = request;
  return runLoad(connections, ms, async (_, index) => void (await run(scenario, index, randomUUID)));
});
