import {
  type InfiniteData,
  infiniteQueryOptions,
  keepPreviousData,
  type MutationMeta,
  type QueryClient,
  type QueryKey,
  queryOptions,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { type CallName, type CallOutput, type CommandDefinition, overlay, overlayCreated } from './commands/define-command.ts';
import { listCommands, UNSENT } from './commands/outbox.ts';
import { applyOverlays, findCreation, useCreation, useOverlays } from './commands/overlays.ts';
import { useCommand } from './commands/use-command.ts';
import { changeRow, DELETE_MUTATION_KEY, patchCachedRows } from './query-cache.ts';

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

/** A new record, as it is sent and as it is shown until the server answers. */
export interface RecordCreation<New, Stored> {
  readonly input: New;
  readonly record: Stored;
}

/** A change of a record, as it is sent and as it is shown until the server answers. */
export interface RecordUpdate<Change, Stored> {
  readonly input: Change;
  readonly before: Stored;
  readonly changes: Partial<Stored>;
}

/**
 * Returns the record with the changes and the version that they will lead to. A further change is based on that version, so it isn't taken
 * for a conflict with the first one.
 */
export function applyUpdate<Shown extends object>(shown: Shown, changes: object): Shown {
  const known = Object.entries(changes).filter(([name]) => name in shown);
  const version = 'version' in shown && typeof shown.version === 'number' ? { version: shown.version + 1 } : {};
  return { ...shown, ...Object.fromEntries(known), ...version };
}

/** Returns a function that saves a form with the command, and returns the record as it will be if the command has to wait. */
export function useSaveRecord<Name extends CallName, Variables>(
  definition: CommandDefinition<Name, Variables>,
  predict: (variables: Variables) => CallOutput<Name>,
): (variables: Variables) => Promise<CallOutput<Name>> {
  const { mutateAsync } = useCommand(definition, { inlineErrors: true });
  return async (variables) => {
    const saved = await mutateAsync(variables);
    return saved === UNSENT ? predict(variables) : saved;
  };
}

interface RecordReadOptions<Stored> {
  readonly enabled?: boolean;
  /** Finds what to show until the record is loaded. */
  readonly findPlaceholder?: () => Stored | undefined;
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

  const listQueryOptions = (filter: Filter) => ({
    ...pagedQueryOptions([...keys.lists, filter], (page, options) => calls.list({ ...filter, ...page }, options)),
    placeholderData: keepPreviousData,
  });

  const findCachedRow = (queryClient: QueryClient, id: string): Row | undefined => {
    const lists = queryClient.getQueriesData<InfiniteData<Page<Row>>>({ queryKey: keys.lists });
    return lists.flatMap(([, list]) => list?.pages.flatMap(({ rows }) => rows) ?? []).find((row) => row.id === id);
  };

  const cacheRecord = (queryClient: QueryClient, stored: Stored): void => {
    queryClient.setQueryData<Stored>(keys.detail(stored.id), stored);
    patchCachedRows<Row>(queryClient, keys.lists, stored.id, toRow(stored));
  };

  return {
    keys,
    detailQueryOptions: detailQueryOptions,
    listQueryOptions,
    /** Reads a record with its unsent changes, even if the record itself is unsent. */
    useRecord(id: string, { enabled = true, findPlaceholder = () => undefined }: RecordReadOptions<Stored> = {}) {
      const options = detailQueryOptions(id);
      const creation = useCreation<Stored>(options.queryKey);
      const query = useQuery({
        ...options,
        select: useOverlays<Stored>(options.queryKey),
        enabled: enabled && !creation,
        placeholderData: () => findPlaceholder() as never,
      });
      return creation && query.data === undefined ? { ...query, data: creation.record, error: null, isLoading: false } : query;
    },
    /** Returns what is known of a record that a form refers to: the record, or its row in a list. */
    findKnown(queryClient: QueryClient, id: string): Stored | Row | undefined {
      const queryKey = keys.detail(id);
      const stored = queryClient.getQueryData<Stored>(queryKey);
      if (stored) return applyOverlays(listCommands(), queryKey, stored);
      return findCreation<Stored>(listCommands(), queryKey)?.record ?? findCachedRow(queryClient, id);
    },
    /** Returns the command that creates the record, if the server doesn't have the record yet. */
    useUnsentCreation: (id: string) => useCreation(keys.detail(id))?.command,
    /** Reads a list with unsent changes. New records are on top. */
    useList(filter: Filter) {
      const options = listQueryOptions(filter);
      return useInfiniteQuery({ ...options, select: useOverlays<InfiniteData<Page<Row>, string | undefined>>(options.queryKey) });
    },
    /** Finds the record's row in the cached lists, to show before the full record has loaded. */
    findCachedRow,
    /** Puts a record from a server response into the cached detail and lists. */
    cacheRecord,
    /** Call after a deletion, once the user has left the record's page, so that the record is never shown or refetched again. */
    evictRecord: (queryClient: QueryClient, id: string) => queryClient.removeQueries({ queryKey: keys.detail(id) }),

    /** What all commands that create a record have in common. */
    creation: {
      toInput: ({ input }: RecordCreation<New, Stored>) => input,
      overlays: ({ record }: RecordCreation<New, Stored>) => [
        overlayCreated(keys.detail(record.id), record),
        overlay<InfiniteData<Page<{ id: string }>>>(keys.lists, (list, queryKey) =>
          isListed(record, queryKey) ? withNewRow(list, { matched: null, ...toRow(record), id: record.id }) : list,
        ),
      ],
      cacheAnswer: cacheRecord,
      invalidates: [keys.lists, keys.counts],
    },
    /** What all commands that update a record have in common. */
    update: {
      toInput: ({ input }: RecordUpdate<Change, Stored>) => input,
      overlays: ({ before: { id }, changes }: RecordUpdate<Change, Stored>) => [
        overlay<Stored>(keys.detail(id), (shown) => applyUpdate(shown, changes)),
        overlay<InfiniteData<Page<Row>>>(keys.lists, (list) => changeRow(list, id, (row) => applyUpdate(row, changes))),
      ],
      cacheAnswer: cacheRecord,
      invalidates: [keys.all],
    },

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

/** These decide how a list is sorted, not which records belong to it. */
const LIST_ORDER = new Set(['sort', 'order']);

/** Returns true if the record belongs to the list. Only the server can tell for filters that don't compare one of the record's fields. */
function isListed(record: object, queryKey: QueryKey): boolean {
  const filters = Object.entries(queryKey.at(-1) ?? {}).filter(([name, value]) => value !== undefined && !LIST_ORDER.has(name));
  return filters.every(([name, value]) => name in record && record[name as never] === value);
}

function withNewRow<Row extends { id: string }>(list: InfiniteData<Page<Row>>, row: Row): InfiniteData<Page<Row>> {
  const [first, ...rest] = list.pages;
  if (!first || list.pages.some(({ rows }) => rows.some(({ id }) => id === row.id))) return list;
  return { ...list, pages: [{ ...first, rows: [row, ...first.rows] }, ...rest] };
}
