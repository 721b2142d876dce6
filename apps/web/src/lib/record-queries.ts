import {
  type InfiniteData,
  infiniteQueryOptions,
  keepPreviousData,
  type MutationMeta,
  type QueryClient,
  type QueryKey,
  queryOptions,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query';
import { DELETE_MUTATION_KEY, patchCachedRows } from './query-cache.ts';

interface Page<Row> {
  rows: Row[];
  next_cursor: string | null;
}

interface PageInput {
  cursor?: string | undefined;
}

interface RequestOptions {
  signal: AbortSignal;
}

/** Screens show failed reads inline with a Retry button, so no toast is needed. */
const meta = { inlineErrors: true };

/** Builds the query options for a list that loads page by page. */
export function pagedQueryOptions<Read extends Page<unknown>>(
  queryKey: QueryKey,
  read: (page: PageInput, options: RequestOptions) => Promise<Read>,
) {
  return infiniteQueryOptions({
    queryKey,
    queryFn: ({ pageParam, signal }) => read({ cursor: pageParam }, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next_cursor ?? undefined,
    meta,
  });
}

/** The contract calls that every record type has. */
interface RecordCalls<Filter, Row, Stored, New, Change> {
  list: (input: Filter & PageInput, options: RequestOptions) => Promise<Page<Row>>;
  get: (input: { id: string }, options: RequestOptions) => Promise<Stored>;
  create: (input: New) => Promise<Stored>;
  update: (input: Change) => Promise<Stored>;
  remove: (input: { id: string }) => Promise<unknown>;
}

interface RecordQueriesOptions<Filter, Row, Stored, New, Change> {
  /** Prefix of this record type's query keys. The first part is the topic under which the server publishes changes. */
  key: QueryKey;
  calls: RecordCalls<Filter, Row, Stored, New, Change>;
  /** Converts a record to the fields of a list row. */
  toRow: (stored: Stored) => Partial<Row>;
}

interface RecordMutationMeta extends Pick<MutationMeta, 'success' | 'failure'> {
  /** Query keys to invalidate. Defaults to the lists and counts, or to everything under `key` after an update. */
  invalidates?: readonly QueryKey[];
}

/**
 * Defines the queries and mutations for one record type and keeps their cache consistent: a saved record appears on its page and in every
 * list immediately, without waiting for a refetch.
 */
export function defineRecordQueries<Filter extends object, Row extends { id: string }, Stored extends { id: string }, New, Change>({
  key,
  calls,
  toRow,
}: RecordQueriesOptions<Filter, Row, Stored, New, Change>) {
  const keys = { all: key, lists: [...key, 'list'], counts: [...key, 'count'], detail: (id: string) => [...key, 'detail', id] };

  const detailQueryOptions = (id: string) =>
    queryOptions({ queryKey: keys.detail(id), queryFn: ({ signal }) => calls.get({ id }, { signal }), meta });

  const cacheRecord = (queryClient: QueryClient, stored: Stored): void => {
    queryClient.setQueryData<Stored>(keys.detail(stored.id), stored);
    patchCachedRows<Row>(queryClient, keys.lists, stored.id, toRow(stored));
  };

  return {
    keys,
    detailQueryOptions: detailQueryOptions,
    listQueryOptions: (filter: Filter) => ({
      ...pagedQueryOptions([...keys.lists, filter], (page, options) => calls.list({ ...filter, ...page }, options)),
      placeholderData: keepPreviousData,
    }),
    /** Finds the record's row in the cached lists, to show before the full record has loaded. */
    findCachedRow: (queryClient: QueryClient, id: string): Row | undefined => {
      const lists = queryClient.getQueriesData<InfiniteData<Page<Row>>>({ queryKey: keys.lists });
      return lists.flatMap(([, list]) => list?.pages.flatMap(({ rows }) => rows) ?? []).find((row) => row.id === id);
    },
    /** Puts a record from a server response into the cached detail and lists. */
    cacheRecord,
    /** Call after a deletion, once the user has left the record's page, so that the record is never shown or refetched again. */
    evictRecord: (queryClient: QueryClient, id: string) => queryClient.removeQueries({ queryKey: keys.detail(id) }),

    useCreate({ invalidates = [keys.lists, keys.counts], ...messages }: RecordMutationMeta) {
      const queryClient = useQueryClient();
      return useMutation({
        mutationFn: (record: New) => calls.create(record),
        onSuccess: (stored) => cacheRecord(queryClient, stored),
        meta: { ...messages, invalidates, inlineErrors: true },
      });
    },
    useUpdate({ invalidates = [keys.all], ...messages }: RecordMutationMeta) {
      const queryClient = useQueryClient();
      return useMutation({
        mutationFn: (change: Change) => calls.update(change),
        onSuccess: (stored) => cacheRecord(queryClient, stored),
        meta: { ...messages, invalidates, inlineErrors: true },
      });
    },
    useDelete({ invalidates = [keys.lists, keys.counts], ...messages }: RecordMutationMeta) {
      const queryClient = useQueryClient();
      return useMutation({
        mutationKey: DELETE_MUTATION_KEY,
        mutationFn: ({ id }: Pick<Stored, 'id'>) => calls.remove({ id }),
        onSuccess: (_output, { id }) => {
          patchCachedRows<Row>(queryClient, keys.lists, id);
          // Keep the query while the record's page still uses it. The page evicts the record when the user leaves.
          queryClient.removeQueries({ queryKey: keys.detail(id), type: 'inactive' });
        },
        // Live updates skip a record while it is being deleted, so refetch the record in case someone changed it.
        onError: (_error, { id }) => void queryClient.invalidateQueries({ predicate: ({ queryKey }) => queryKey.includes(id) }),
        meta: { ...messages, invalidates },
      });
    },
  };
}
