import { contract } from '@callout/contract/contract';
import { minifyContractRouter } from '@orpc/contract';

/** The method and path of every call. The build precomputes them (see vite.config.ts) to keep zod and the schemas out of the first load. */
export const contractRoutes = minifyContractRouter(contract);
