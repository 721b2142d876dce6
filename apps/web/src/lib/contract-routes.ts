import { contract } from '@callout/contract/contract';
import { minifyContractRouter } from '@orpc/contract';

/**
 * Method and path of every call. A build works this file out ahead of time (see vite.config.ts), so that the contract's schemas,
 * and zod with them, stay out of the first load.
 */
export const contractRoutes = minifyContractRouter(contract);
