import type { ItemChoice, PriceListItem } from '@callout/contract/items';
import { PAGE_SIZE } from '@callout/contract/lists';
import { normalizeForSearch, parseSearchWords } from '@callout/domain/search/search-text';
import { clear, createStore, get, set } from 'idb-keyval';
import { api } from '../../lib/api.ts';
import { DATA_VERSION } from '../../lib/data-version.ts';
import { isSignedInPerson } from '../../lib/request-identity.ts';

/** The price list as this device has stored it, apart from the queries: it may be long, and most starts don't need it. */
interface StoredPriceList {
  readonly person: string;
  readonly version: number;
  readonly revision: string;
  readonly items: readonly PriceListItem[];
}

const KEY = 'price list';
const database = createStore('callout-price-list', 'price-lists');

async function readPriceList(): Promise<StoredPriceList | undefined> {
  const stored = await get<StoredPriceList>(KEY, database);
  return stored?.version === DATA_VERSION && isSignedInPerson(stored.person) ? stored : undefined;
}

/** Stores the price list for choosing items without a connection, unless it hasn't changed. */
export async function refreshPriceList(person: string): Promise<void> {
  const stored = await readPriceList();
  const { revision, items } = await api.items.priceList(stored ? { revision: stored.revision } : {});
  if (items === null || !isSignedInPerson(person)) return;
  await set(KEY, { person, version: DATA_VERSION, revision, items } satisfies StoredPriceList, database);
}

export const deletePriceList = () => clear(database);

/** Finds items in the stored price list: the ones whose name or SKU starts with the term come first. Returns undefined if there is none. */
export async function searchPriceList(search: string): Promise<ItemChoice[] | undefined> {
  const stored = await readPriceList();
  if (!stored) return undefined;
  const [term, words] = [normalizeForSearch(search), parseSearchWords(search)];
  const found = stored.items.flatMap((item) => {
    const [name, sku] = [normalizeForSearch(item.name), normalizeForSearch(item.sku)];
    if (!words.every((word) => name.includes(word) || sku.includes(word))) return [];
    return [{ item, rank: name.startsWith(term) ? 0 : sku.startsWith(term) ? 1 : 2 }];
  });
  const ranked = found.toSorted((one, other) => one.rank - other.rank).slice(0, PAGE_SIZE);
  return ranked.map(({ item, rank }) => ({ ...item, description: null, matched: MATCHED[rank] ?? null }));
}

const MATCHED = ['name', 'sku', 'other'] as const;
