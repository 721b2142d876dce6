import type { Me } from '@callout/contract/company';
import { DAY_MS } from '@callout/domain/time/time-units';
import type { InfiniteData, Query, QueryKey } from '@tanstack/react-query';
import { DATA_VERSION } from '../../lib/data-version.ts';

const MAX_AGE_MS = 7 * DAY_MS;
const MAX_QUERY_LENGTH = 200_000;
/** How many queries stay stored, beginning with the most useful ones. */
export const MAX_STORED_QUERIES = 500;
export const MAX_STORED_SEARCHES = 20;

/** First parts of query keys that are never stored, because the data is useless offline or grants access, such as an invitation. */
const NEVER_STORED: ReadonlySet<unknown> = new Set(['devices', 'reset-link', 'invitation', 'my-invitations', 'calendar feed', 'admin']);

export interface StoredQuery {
  readonly key: QueryKey;
  readonly data: unknown;
  readonly read_at: number;
  readonly person: string;
  /** The person's access when the data was read; see `getAccess`. */
  readonly access: string;
  readonly version: number;
}
export type StoredEntry = readonly [hash: string, query: StoredQuery];

/** Who reads the data. Data that another person has read, or that was read in another role, is never shown. */
export interface Reader {
  readonly person: string;
  readonly access: string;
}

export const getReader = ({ user, profile }: Me): Reader => ({
  person: user.id,
  access: profile ? `${profile.role} in ${profile.company_id}` : '',
});

/** Builds the entries to store. Returns an empty list for queries that must not or cannot be stored. */
export function toStoredEntries(query: Query | undefined, reader: Reader): StoredEntry[] {
  if (!query) return [];
  const { queryHash, queryKey, state } = query;
  if (state.status !== 'success' || state.data === undefined || NEVER_STORED.has(queryKey[0])) return [];
  const data = withFirstPageOnly(state.data);
  if (JSON.stringify(data).length > MAX_QUERY_LENGTH) return [];
  return [[queryHash, { key: queryKey, data, read_at: state.dataUpdatedAt, ...reader, version: DATA_VERSION }]];
}

function withFirstPageOnly(data: unknown): unknown {
  const isList = typeof data === 'object' && data !== null && 'pages' in data && 'pageParams' in data;
  if (!isList) return data;
  const { pages, pageParams } = data as InfiniteData<unknown>;
  return { pages: pages.slice(0, 1), pageParams: pageParams.slice(0, 1) };
}

/** Returns the entries that this reader may see and this version can show, the most useful ones first. */
export function selectUsable(stored: readonly StoredEntry[], reader: Reader | undefined): StoredEntry[] {
  const oldestAllowed = Date.now() - MAX_AGE_MS;
  const usable = stored.filter(
    ([, { person, access, version, read_at }]) =>
      person === reader?.person && access === reader.access && version === DATA_VERSION && read_at >= oldestAllowed,
  );
  const newestFirst = usable.toSorted(([, one], [, other]) => other.read_at - one.read_at);
  const searches = newestFirst.filter(([, { key }]) => isSearch(key)).slice(0, MAX_STORED_SEARCHES);
  const others = newestFirst.filter(([, { key }]) => !isSearch(key));
  const packed = listPackedHashes(others);
  const isKeptLongest = ([hash, { key }]: StoredEntry) => key[0] === 'me' || key[0] === PACK_KEY[0] || packed.has(hash);
  const leastUsefulLast = [...others.filter(isKeptLongest), ...others.filter((entry) => !isKeptLongest(entry)), ...searches];
  return leastUsefulLast.slice(0, MAX_STORED_QUERIES);
}

/** Key of the query whose data names the queries that the last day pack contained. */
export const PACK_KEY = ['day-pack'];
export interface PackContent {
  readonly hashes: readonly string[];
}

function listPackedHashes(stored: readonly StoredEntry[]): ReadonlySet<string> {
  const [, pack] = stored.find(([, { key }]) => key[0] === PACK_KEY[0]) ?? [];
  return new Set((pack?.data as PackContent | undefined)?.hashes);
}

/** Returns true for results of what someone has typed, which are rarely needed again. */
function isSearch(key: QueryKey): boolean {
  return key.some((part, index) => {
    if (typeof part === 'object' && part !== null) return 'search' in part && Boolean(part.search);
    const isSearchKey = part === 'find' || part === 'duplicates' || part === 'clashes' || (part === 'search' && key[index + 1] !== '');
    return index === 1 && isSearchKey;
  });
}

/** Finds out from the stored profile who reads the stored data. */
export function findReader(stored: readonly StoredEntry[], person: string | undefined): Reader | undefined {
  const [, me] = stored.find(([, query]) => query.key.length === 1 && query.key[0] === 'me' && query.person === person) ?? [];
  return me && getReader(me.data as Me);
}
