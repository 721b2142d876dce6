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
import { patchRows } from './query-cache.ts';

interface Page<Row> {
  rows: Row[];
  next_cursor: string | null;
}

interface PageInput {
  cursor?: string | undefined;
}

interface ReadOptions {
  signal: AbortSignal;
}

/** The screens show a failed read in place, with Retry. */
const meta = { inlineErrors: true };

/** Reads a list page by page. */
export function pagedOptions<Row>(queryKey: QueryKey, read: (page: PageInput, options: ReadOptions) => Promise<Page<Row>>) {
  return infiniteQueryOptions({
    queryKey,
    queryFn: ({ pageParam, signal }) => read({ cursor: pageParam }, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next_cursor ?? undefined,
    meta,
  });
}

/** The calls that every kind of record has in the contract. */
interface RecordCalls<Filter, Row, Stored, New, Change> {
  list: (input: Filter & PageInput, options: ReadOptions) => Promise<Page<Row>>;
  get: (input: { id: string }, options: ReadOptions) => Promise<Stored>;
  create: (input: New) => Promise<Stored>;
  update: (input: Change) => Promise<Stored>;
  remove: (input: { id: string }) => Promise<unknown>;
}

interface RecordOptions<Filter, Row, Stored, New, Change> {
  /** How all its query keys begin. The first word is the topic that its changes are published under. */
  key: QueryKey;
  calls: RecordCalls<Filter, Row, Stored, New, Change>;
  /** What a list shows of it. */
  rowOf: (stored: Stored) => Partial<Row>;
}

interface CommandMeta extends Pick<MutationMeta, 'success' | 'failure'> {
  /** Without it the lists and counts are read again; after an update everything of this kind. */
  refreshes?: readonly QueryKey[];
}

/**
 * Reads and changes one kind of record, and keeps what is cached of it in step: an answer of the server shows at once in the record's
 * page and in every list, until both are read again.
 */
export function defineRecordQueries<Filter extends object, Row extends { id: string }, Stored extends { id: string }, New, Change>({
  key,
  calls,
  rowOf,
}: RecordOptions<Filter, Row, Stored, New, Change>) {
  const keys = { all: key, lists: [...key, 'list'], counts: [...key, 'count'], detail: (id: string) => [...key, 'detail', id] };

  const detailOptions = (id: string) =>
    queryOptions({ queryKey: keys.detail(id), queryFn: ({ signal }) => calls.get({ id }, { signal }), meta });

  const show = (queryClient: QueryClient, stored: Stored): void => {
    queryClient.setQueryData<Stored>(keys.detail(stored.id), stored);
    patchRows<Row>(queryClient, keys.lists, stored.id, rowOf(stored));
  };

  return {
    keys,
    detailOptions,
    listOptions: (filter: Filter) => ({
      ...pagedOptions([...keys.lists, filter], (page, options) => calls.list({ ...filter, ...page }, options)),
      placeholderData: keepPreviousData,
    }),
    /** What a list that was seen before knows of a record. */
    known: (queryClient: QueryClient, id: string): Row | undefined => {
      const lists = queryClient.getQueriesData<InfiniteData<Page<Row>>>({ queryKey: keys.lists });
      return lists.flatMap(([, list]) => list?.pages.flatMap(({ rows }) => rows) ?? []).find((row) => row.id === id);
    },
    /** Shows a record as the server answered it. */
    show,
    /** After a deletion, once its page has been left: nothing may show the record again, nor ask for it. */
    forget: (queryClient: QueryClient, id: string) => queryClient.removeQueries({ queryKey: keys.detail(id) }),

    useCreate({ refreshes = [keys.lists, keys.counts], ...words }: CommandMeta) {
      const queryClient = useQueryClient();
      return useMutation({
        mutationFn: (record: New) => calls.create(record),
        onSuccess: (stored) => show(queryClient, stored),
        meta: { ...words, refreshes, inlineErrors: true },
      });
    },
    useUpdate({ refreshes = [keys.all], ...words }: CommandMeta) {
      const queryClient = useQueryClient();
      return useMutation({
        mutationFn: (change: Change) => calls.update(change),
        onSuccess: (stored) => show(queryClient, stored),
        meta: { ...words, refreshes, inlineErrors: true },
      });
    },
    useDelete({ refreshes = [keys.lists, keys.counts], ...words }: CommandMeta) {
      const queryClient = useQueryClient();
      return useMutation({
        mutationFn: ({ id }: Pick<Stored, 'id'>) => calls.remove({ id }),
        onSuccess: (_answer, { id }) => {
          patchRows<Row>(queryClient, keys.lists, id);
          // The page that shows it forgets it when it has been left.
          queryClient.removeQueries({ queryKey: keys.detail(id), type: 'inactive' });
        },
        meta: { ...words, refreshes },
      });
    },
  };
}
