import type { Job, JobItem } from '@callout/contract/jobs';
import { isPositive, lineTotal } from '@callout/domain/money/money';
import { formatMoney } from '@callout/domain/money/money-text';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../lib/api.ts';
import { updateOptimistically } from '../../lib/query-cache.ts';
import { toast } from '../../ui/toast.ts';
import { useProfile } from '../company/company.api.ts';
import { JOB_CHANGES, jobKeys, showJob } from './jobs.api.ts';

/** Apart from the lists, which do without exact decimals. */
const QUANTITIES = [...JOB_CHANGES, 'quantities'];

/** Changes of one job's lines are sent one after the other. */
const scopeOf = (job: Job) => ({ id: `items of ${job.id}` });

interface NewLine {
  /** Made by the page: sent again after a lost answer, it is the same line. */
  id: string;
  job_id: string;
  supplier_item_id: string;
  quantity?: number;
  unit_price?: string | null;
}

const ADDED = 'Item added successfully';
const ADD_FAILURE = 'Failed to add item: {message}';
const REMOVED = 'Item removed successfully';
const REMOVE_FAILURE = 'Failed to remove item: {message}';

/** A job that has items costs what they cost: its fixed price no longer counts, which is said, with Undo. */
export function useAddItem() {
  const queryClient = useQueryClient();
  const currency = useProfile()?.currency;
  const takeBack = useMutation({
    mutationFn: (id: string) => api.jobs.removeItem({ id }),
    onSuccess: (job) => showJob(queryClient, job),
    meta: { success: REMOVED, failure: REMOVE_FAILURE, refreshes: [jobKeys.all] },
  });
  return useMutation({
    mutationFn: async (line: NewLine) => {
      const before = queryClient.getQueryData<Job>(jobKeys.detail(line.job_id));
      return { before, job: await api.jobs.addItem(line) };
    },
    onSuccess: ({ before, job }, { id }) => {
      showJob(queryClient, job);
      const [was, is] = [before?.totals.total_amount ?? '0', job.totals.total_amount];
      const isReplaced = before?.items.length === 0 && isPositive(was) && was !== is;
      if (!isReplaced) return toast.success(ADDED, { subject: ADD_FAILURE });
      const prices = `${formatMoney(is, currency)} instead of ${formatMoney(was, currency)}`;
      const undo = { label: 'Undo', run: () => takeBack.mutate(id) };
      return toast.success(`${ADDED}. The job is now priced by its items: ${prices}.`, { subject: ADD_FAILURE, action: undo });
    },
    meta: { failure: ADD_FAILURE, refreshes: [jobKeys.all] },
  });
}

/** Undo adds the line again under its id. A line that billed time has no Undo: without it the time can be billed again. */
export function useRemoveItem(job: Job) {
  const queryClient = useQueryClient();
  const restore = useAddItem();
  return useMutation({
    scope: scopeOf(job),
    mutationFn: async (item: JobItem) => {
      // A quantity that was on its way when Remove was pressed has arrived by now.
      const shown = queryClient.getQueryData<Job>(jobKeys.detail(job.id))?.items.find(({ id }) => id === item.id);
      return { saved: await api.jobs.removeItem({ id: item.id }), removed: shown ?? item };
    },
    onSuccess: ({ saved, removed: { id, supplier_item_id, quantity, unit_price } }) => {
      showJob(queryClient, saved);
      const isTime = saved.timer.allocated_seconds !== job.timer.allocated_seconds;
      const canRestore = supplier_item_id !== null && !isTime;
      const line = { id, job_id: job.id, supplier_item_id: supplier_item_id ?? '', quantity: Number(quantity), unit_price };
      const undo = { action: { label: 'Undo', run: () => restore.mutate(line) } };
      toast.success(REMOVED, { subject: REMOVE_FAILURE, ...(canRestore ? undo : {}) });
    },
    meta: { failure: REMOVE_FAILURE, refreshes: [jobKeys.all] },
  });
}

/** Shown at once; presses in a row are sent one after the other, and only the last answer is shown. */
export function useSetQuantity(job: Job) {
  const queryClient = useQueryClient();
  const isLast = () => queryClient.isMutating({ mutationKey: QUANTITIES }) === 1;
  return useMutation({
    mutationKey: QUANTITIES,
    scope: scopeOf(job),
    mutationFn: (change: { id: string; quantity: number }) => api.jobs.setQuantity(change),
    onMutate: ({ id, quantity }) =>
      updateOptimistically<Job>(queryClient, { queryKey: jobKeys.detail(job.id) }, (shown) => ({
        ...shown,
        items: shown.items.map((item) =>
          item.id === id ? { ...item, quantity: String(quantity), total_price: lineTotal(item.unit_price, String(quantity)) } : item,
        ),
      })),
    onSuccess: (saved) => {
      if (isLast()) showJob(queryClient, saved);
    },
    onSettled: (_saved, error, _change, settle) => settle?.(error),
    meta: { failure: 'Failed to update quantity: {message}' },
  });
}
