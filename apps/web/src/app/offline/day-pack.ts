import { hasCapability } from '@callout/domain/roles/roles';
import { MINUTE_MS } from '@callout/domain/time/time-units';
import { hashKey, type QueryClient } from '@tanstack/react-query';
import { boardQueryOptions } from '../../features/board/board.api.ts';
import { loadDayPack } from '../../features/calendar/calendar-pack.api.ts';
import { categoriesQueryOptions } from '../../features/categories/categories.api.ts';
import { meQueryOptions } from '../../features/company/company.api.ts';
import { customerListFilter } from '../../features/customers/customer-list-filter.ts';
import { customerListQueryOptions } from '../../features/customers/customers.api.ts';
import { staffNamesQueryOptions } from '../../features/staff/staff.api.ts';
import { refreshPriceList } from '../../features/suppliers/suppliers-price-list.api.ts';
import { taskListQueryOptions } from '../../features/tasks/tasks.api.ts';
import { useOfflineState } from '../../lib/offline-state.ts';
import { getDisplayTimeZone } from '../../lib/time-zone.ts';
import { keepStoredData } from './keep-stored-data.ts';
import { tryClaimCache } from './persisted-queries.ts';
import { PACK_KEY, type PackContent } from './stored-query.ts';
import { storeThumbnails } from './thumbnail-cache.ts';

const PACK_INTERVAL_MS = 10 * MINUTE_MS;
const CHECK_INTERVAL_MS = MINUTE_MS;

/** Fetches what people need for a day without signal, before they need it, and again every ten minutes. After a failure, tries again soon. */
export function scheduleDayPacks(queryClient: QueryClient): void {
  let isRunning = false;
  let isFirst = true;
  const refresh = async () => {
    const packedAt = queryClient.getQueryState(PACK_KEY)?.dataUpdatedAt ?? 0;
    if (isRunning || Date.now() - packedAt < PACK_INTERVAL_MS || !canFetchAhead()) return;
    isRunning = true;
    try {
      if ((await fetchDayPack(queryClient)) && isFirst) {
        isFirst = false;
        keepStoredData();
      }
    } catch {
      // Data of earlier packs stays stored.
    } finally {
      isRunning = false;
    }
  };
  void refresh();
  setInterval(() => void refresh(), CHECK_INTERVAL_MS);
}

function canFetchAhead(): boolean {
  const { connection } = navigator as { connection?: { readonly saveData?: boolean } };
  return !document.hidden && navigator.onLine && useOfflineState.getState().isReachable && connection?.saveData !== true;
}

/** Fetches a pack for people who work on jobs. Its data is stored like that of visited pages. Returns false for everyone else. */
export async function fetchDayPack(queryClient: QueryClient): Promise<boolean> {
  const me = queryClient.getQueryData(meQueryOptions.queryKey);
  const { id: person, staff_id: staffId = null } = me?.user ?? {};
  if (person === undefined || staffId === null || !hasCapability(me?.profile?.role, 'jobs.work') || !tryClaimCache(person)) return false;
  const { hashes, thumbnailUrls } = await loadDayPack(queryClient, staffId, getDisplayTimeZone());
  const once = { staleTime: PACK_INTERVAL_MS, retry: false };
  const [board, tasks] = [boardQueryOptions({}), taskListQueryOptions('active')];
  const customers = customerListQueryOptions(customerListFilter.fromParams({ status: 'active' }));
  // One that fails keeps what an earlier pack has stored.
  await Promise.allSettled([
    queryClient.query({ ...board, ...once }),
    queryClient.query({ ...staffNamesQueryOptions, ...once }),
    queryClient.query({ ...categoriesQueryOptions, ...once }),
    queryClient.infiniteQuery({ ...tasks, ...once }),
    queryClient.infiniteQuery({ ...customers, ...once }),
  ]);
  const lists = [board, staffNamesQueryOptions, categoriesQueryOptions, tasks, customers].map(({ queryKey }) => hashKey(queryKey));
  queryClient.setQueryData(PACK_KEY, { hashes: [...hashes, ...lists] } satisfies PackContent);
  await refreshPriceList(person);
  await storeThumbnails(thumbnailUrls, person);
  return true;
}
