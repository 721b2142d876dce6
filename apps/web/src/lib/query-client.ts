import { MutationCache, QueryCache, QueryClient, type QueryKey } from '@tanstack/react-query';
import { toast } from '../ui/toast.ts';
import { isOutboxDurable, listCommands } from './commands/outbox.ts';
import {
  CallError,
  getErrorMessage,
  getFieldErrors,
  hasErrorCode,
  isSignedOutError,
  reportFailure,
  reportReadFailure,
} from './error-messages.ts';
import { invalidateKeys } from './query-cache.ts';
import { getRetryDelayMs, shouldReadAgain } from './request-retries.ts';

/** Declares a mutation's toasts and the queries to invalidate afterwards. The query client handles both. */
interface MutationMeta extends Record<string, unknown> {
  /** Toast text, or a function that builds it from the output and input. Undefined shows no toast. */
  success?: string | ((output: never, input: never) => string | undefined);
  /** Toast text in which '{message}' is replaced with the reason, or a function that builds the text. Undefined shows no toast. */
  failure?: string | ((error: unknown, input: never) => string | undefined);
  /** Query keys to invalidate, even after a failure, because the server may have saved the change although its response was lost. */
  invalidates?: readonly QueryKey[];
  /** True for forms, which show invalid fields and version conflicts themselves. */
  inlineErrors?: boolean;
  /** Names the action for its toasts if neither text is a fixed one; see `ToastOptions`. */
  subject?: string;
  /** True for a change that the outbox sends. */
  isCommand?: true;
}

declare module '@tanstack/react-query' {
  interface Register {
    /** `inlineErrors`: the screen shows the error, so no toast appears. `topics`: additional topics whose changes make the data stale. */
    queryMeta: { inlineErrors?: boolean; topics?: readonly string[] };
    mutationMeta: MutationMeta;
  }
}

/** Retries unless it is a client error, because a lost connection or a server restart is usually temporary. */
export function shouldRetry(failures: number, error: unknown): boolean {
  return shouldReadAgain(failures, error instanceof CallError ? error.status : 0);
}

/** Identifies a mutation's toasts, so that a success replaces only the earlier error of the same mutation. */
const getToastSubject = ({ subject, success, failure }: MutationMeta) =>
  subject ?? [success, failure].find((text) => typeof text === 'string');

function reportMutationSuccess(output: unknown, input: unknown, meta: MutationMeta): void {
  const text = typeof meta.success === 'function' ? meta.success(output as never, input as never) : meta.success;
  if (text) toast.success(text, { subject: getToastSubject(meta) });
}

function reportMutationFailure(error: unknown, input: unknown, meta: MutationMeta): void {
  const { failure, inlineErrors } = meta;
  if (inlineErrors && (hasErrorCode(error, 'STALE_VERSION') || Object.keys(getFieldErrors(error)).length > 0)) return;
  const text = typeof failure === 'function' ? failure(error, input as never) : failure?.replace('{message}', getErrorMessage(error));
  if (text) reportFailure(error, text, { subject: getToastSubject(meta) });
}

export function createQueryClient(): QueryClient {
  const queryClient = new QueryClient({
    queryCache: new QueryCache({
      onError: (error, query) => {
        if (!query.meta?.inlineErrors) reportReadFailure(error);
      },
    }),
    mutationCache: new MutationCache({
      onSettled: (output, error, input, _context, { meta = {} }) => {
        if (isSignedOutError(error)) return;
        if (error) reportMutationFailure(error, input, meta);
        else reportMutationSuccess(output, input, meta);
        if (meta.invalidates) invalidateKeys(queryClient, meta.invalidates);
      },
    }),
    defaultOptions: {
      queries: { retry: shouldRetry, retryDelay: getRetryDelayMs, staleTime: 30_000, gcTime: 30 * 60_000 },
      mutations: { retry: false, networkMode: 'always' },
    },
  });
  return queryClient;
}

/** Makes the browser ask before a reload that would lose changes. Stored commands survive it. */
export function preventUnloadWhileSaving(queryClient: QueryClient): void {
  window.addEventListener('beforeunload', (event) => {
    const isStored = isOutboxDurable();
    const isSaving = queryClient.isMutating({ predicate: ({ meta }) => !isStored || meta?.isCommand !== true }) > 0;
    if (isSaving || (!isStored && listCommands().length > 0)) event.preventDefault();
  });
}
