import { contract } from '@callout/contract/contract';
import { minifyContractRouter } from '@orpc/contract';

/** Method and path of every contract call. Precomputed by the build (see vite.config.ts), so that pages don't load zod and the schemas. */
export const contractRoutes = minifyContractRouter(contract);
