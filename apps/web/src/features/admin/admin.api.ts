import type { OutboxMail, RegisteredCompany } from '@callout/contract/admin';
import type { MailStatus } from '@callout/domain/mail/mail';
import { infiniteQueryOptions, keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../lib/api.ts';

const REFRESH_MS = 30_000;
/** While a mail is on its way, so that one sees it arrive. */
const WAITING_REFRESH_MS = 3_000;

/** After a mail was put back into the queue: it leaves within moments, also from a list that does not show waiting ones. */
const LOOK_AGAIN_MS = [1_000, 3_000, 10_000];

const keys = { companies: ['admin', 'companies'], mails: ['admin', 'mails'], queue: ['admin', 'queue'] };

/** The screens show a failed read in place, with Retry. */
const inlineErrors = { inlineErrors: true };

export const companiesQuery = infiniteQueryOptions({
  queryKey: keys.companies,
  queryFn: ({ pageParam, signal }) => api.admin.companies({ cursor: pageParam }, { signal }),
  initialPageParam: undefined as string | undefined,
  getNextPageParam: (page) => page.next_cursor ?? undefined,
  refetchInterval: REFRESH_MS,
  meta: inlineErrors,
});

export function mailsQuery(status: MailStatus | undefined) {
  return infiniteQueryOptions({
    queryKey: [...keys.mails, status ?? 'all'],
    queryFn: ({ pageParam, signal }) => api.admin.mails({ status, cursor: pageParam }, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next_cursor ?? undefined,
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) =>
      state.data?.pages.some(({ rows }) => rows.some((mail) => mail.status === 'waiting')) ? WAITING_REFRESH_MS : REFRESH_MS,
    meta: inlineErrors,
  });
}

export const queueQuery = queryOptions({
  queryKey: keys.queue,
  queryFn: ({ signal }) => api.admin.queue(undefined, { signal }),
  refetchInterval: REFRESH_MS,
  meta: inlineErrors,
});

export function useDeleteCompany() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ id, confirmation }: Pick<RegisteredCompany, 'id'> & { confirmation: string }) =>
      api.admin.removeCompany({ id, confirmation }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['admin'] }),
  });
}

export function useSendMailAgain() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ id, attempts }: OutboxMail) => api.admin.sendMailAgain({ id, attempts }),
    onSettled: () => {
      const refresh = () => void queryClient.invalidateQueries({ queryKey: ['admin'] });
      refresh();
      for (const later of LOOK_AGAIN_MS) setTimeout(refresh, later);
    },
  });
}
