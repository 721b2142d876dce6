import { QueryCache, QueryClient } from '@tanstack/react-query';
import { CallError } from './call-error.ts';
import { reportReadFailure } from './report-failure.ts';

declare module '@tanstack/react-query' {
  interface Register {
    /** quiet: the screen itself says what failed. */
    queryMeta: { quiet?: boolean };
  }
}

const RETRIES = 3;
const FIRST_RETRY_MS = 1_000;
const LONGEST_RETRY_MS = 30_000;

/** An answer of 4xx will be the same next time; anything else may be the line or a restart. */
export function shouldRetry(failures: number, error: unknown): boolean {
  const refused = error instanceof CallError && error.status >= 400 && error.status < 500;
  return !refused && failures < RETRIES;
}

/** 1, 2, 4 seconds and so on, at most 30. */
export function retryDelay(failures: number): number {
  return Math.min(FIRST_RETRY_MS * 2 ** failures, LONGEST_RETRY_MS);
}

export function createQueryClient(): QueryClient {
  return new QueryClient({
    queryCache: new QueryCache({
      onError: (error, query) => {
        if (!query.meta?.quiet) reportReadFailure(error);
      },
    }),
    defaultOptions: {
      queries: { retry: shouldRetry, retryDelay, staleTime: 30_000, gcTime: 30 * 60_000 },
      mutations: { retry: false, networkMode: 'always' },
    },
  });
}
