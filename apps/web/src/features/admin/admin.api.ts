import type { OutboxMail, RegisteredCompany } from '@callout/contract/admin';
import type { MailStatus } from '@callout/domain/mail/mail';
import { infiniteQueryOptions, keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../lib/api.ts';
import { toast } from '../../ui/toast.ts';

const REFRESH_MS = 30_000;
/** While a mail is waiting, so that its delivery shows soon. */
const WAITING_REFRESH_MS = 3_000;

/** After a mail was queued again: it is sent within moments, and may leave a list that is filtered by status. */
const RESEND_REFRESHES_MS = [1_000, 3_000, 10_000];

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

export function mailsQuery({ status, search }: { status: MailStatus | undefined; search: string }) {
  const filter = { ...(status ? { status } : {}), ...(search ? { search } : {}) };
  return infiniteQueryOptions({
    queryKey: [...keys.mails, filter],
    queryFn: ({ pageParam, signal }) => api.admin.mails({ ...filter, cursor: pageParam }, { signal }),
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
    onSuccess: (_answer, { recipient }) => toast.success(`Email to ${recipient} queued`),
    onSettled: () => {
      const refresh = () => void queryClient.invalidateQueries({ queryKey: ['admin'] });
      refresh();
      for (const delay of RESEND_REFRESHES_MS) setTimeout(refresh, delay);
    },
    meta: { failure: 'Failed to send the email: {message}' },
  });
}
