import { MutationCache, QueryCache, QueryClient, type QueryKey } from '@tanstack/react-query';
import { toast } from '../ui/toast.ts';
import { fieldErrors, hasCode, isRefused, isSignedOut, messageOf, reportReadFailure } from './error-messages.ts';
import { refresh } from './query-cache.ts';

/** What becomes of a command, written where it is defined and carried out in one place. */
interface MutationMeta extends Record<string, unknown> {
  /** A text, or one made of the server's answer and what was sent; undefined for none. */
  success?: string | ((answer: never, sent: never) => string | undefined);
  /** The spec's words, '{message}' standing for what went wrong; or the words for an error, undefined for none. */
  failure?: string | ((error: unknown) => string | undefined);
  /** What is read again afterwards, whether it worked or not: an answer may be lost on the way. */
  refreshes?: readonly QueryKey[];
  /** A form shows wrong fields and newer versions itself. */
  inlineErrors?: boolean;
}

declare module '@tanstack/react-query' {
  interface Register {
    /** inlineErrors: the screen itself says what failed. topics: changes of these, too, make it outdated. */
    queryMeta: { inlineErrors?: boolean; topics?: readonly string[] };
    mutationMeta: MutationMeta;
  }
}

const RETRIES = 3;
const FIRST_RETRY_MS = 1_000;
const LONGEST_RETRY_MS = 30_000;

/** Anything but a refusal may be the connection or a restart. */
export function shouldRetry(failures: number, error: unknown): boolean {
  return !isRefused(error) && failures < RETRIES;
}

/** 1, 2, 4 seconds and so on, at most 30. */
export function retryDelay(failures: number): number {
  return Math.min(FIRST_RETRY_MS * 2 ** failures, LONGEST_RETRY_MS);
}

/** A success replaces what the same command said when it failed, and nothing else. */
const subjectOf = ({ success, failure }: MutationMeta) => [success, failure].find((text) => typeof text === 'string');

function reportMutationSuccess(answer: unknown, sent: unknown, meta: MutationMeta): void {
  const text = typeof meta.success === 'function' ? meta.success(answer as never, sent as never) : meta.success;
  if (text) toast.success(text, { subject: subjectOf(meta) });
}

function reportMutationFailure(error: unknown, meta: MutationMeta): void {
  const { failure, inlineErrors } = meta;
  if (inlineErrors && (hasCode(error, 'STALE_VERSION') || Object.keys(fieldErrors(error)).length > 0)) return;
  const text = typeof failure === 'function' ? failure(error) : failure?.replace('{message}', messageOf(error));
  if (text) toast.error(text, { subject: subjectOf(meta) });
}

export function createQueryClient(): QueryClient {
  const queryClient = new QueryClient({
    queryCache: new QueryCache({
      onError: (error, query) => {
        if (!query.meta?.inlineErrors) reportReadFailure(error);
      },
    }),
    mutationCache: new MutationCache({
      onSettled: (answer, error, sent, _context, { meta = {} }) => {
        if (isSignedOut(error)) return;
        if (error) reportMutationFailure(error, meta);
        else reportMutationSuccess(answer, sent, meta);
        if (meta.refreshes) refresh(queryClient, meta.refreshes);
      },
    }),
    defaultOptions: {
      queries: { retry: shouldRetry, retryDelay, staleTime: 30_000, gcTime: 30 * 60_000 },
      mutations: { retry: false, networkMode: 'always' },
    },
  });
  return queryClient;
}

/** A reload would lose a change that has not reached the server yet, or that waits for the one before it: the browser asks first. */
export function warnWhileSaving(queryClient: QueryClient): void {
  window.addEventListener('beforeunload', (event) => {
    if (queryClient.isMutating() > 0) event.preventDefault();
  });
}
