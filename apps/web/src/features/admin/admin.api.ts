import type { OutboxMail, RegisteredCompany } from '@callout/contract/admin';
import type { MailStatus } from '@callout/domain/mail/mail';
import { infiniteQueryOptions, keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../lib/api.ts';
import { hasCode, messageOf } from '../../lib/error-messages.ts';
import { pagedOptions } from '../../lib/record-queries.ts';

const REFRESH_MS = 30_000;
/** While an email is about to be sent, so that its delivery shows soon. */
const SENDING_REFRESH_MS = 3_000;
const SOON_MS = 60_000;

/** Not one that failed and is tried again in an hour. */
const isSentSoon = ({ status, next_attempt: next }: OutboxMail) =>
  status === 'waiting' && (next === null || Date.parse(next) - Date.now() < SOON_MS);

/** After a mail was queued again: it is sent within moments, and may leave a list that is filtered by status. */
const RESEND_REFRESHES_MS = [1_000, 3_000, 10_000];

const keys = { all: ['admin'], companies: ['admin', 'companies'], mails: ['admin', 'mails'], queue: ['admin', 'queue'] };

export const companiesQuery = infiniteQueryOptions({
  ...pagedOptions(keys.companies, (page, options) => api.admin.companies(page, options)),
  refetchInterval: REFRESH_MS,
});

export function mailsQuery({ status, search }: { status: MailStatus | undefined; search: string }) {
  const filter = { ...(status ? { status } : {}), ...(search ? { search } : {}) };
  return infiniteQueryOptions({
    ...pagedOptions([...keys.mails, filter], (page, options) => api.admin.mails({ ...filter, ...page }, options)),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data?.pages.some(({ rows }) => rows.some(isSentSoon)) ? SENDING_REFRESH_MS : REFRESH_MS),
  });
}

export const queueQuery = queryOptions({
  queryKey: keys.queue,
  queryFn: ({ signal }) => api.admin.queue(undefined, { signal }),
  refetchInterval: REFRESH_MS,
  meta: { inlineErrors: true },
});

export const isNameMismatch = (error: unknown) => hasCode(error, 'NOT_CONFIRMED') || hasCode(error, 'INVALID_INPUT');

export function useDeleteCompany() {
  return useMutation({
    mutationFn: ({ id, confirmation }: Pick<RegisteredCompany, 'id'> & { confirmation: string }) =>
      api.admin.removeCompany({ id, confirmation }),
    meta: {
      success: 'Company and all associated data deleted successfully',
      // The field shows that the name does not match.
      failure: (error) => (isNameMismatch(error) ? undefined : `Failed to delete company: ${messageOf(error)}`),
      refreshes: [keys.all],
    },
  });
}

export function useSendMailAgain() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ id, attempts }: OutboxMail) => api.admin.sendMailAgain({ id, attempts }),
    onSettled: () => {
      for (const delay of RESEND_REFRESHES_MS) setTimeout(() => void queryClient.invalidateQueries({ queryKey: keys.all }), delay);
    },
    meta: {
      success: (_answer: unknown, { recipient }: OutboxMail) => `Email to ${recipient} queued`,
      failure: 'Failed to send the email: {message}',
      refreshes: [keys.all],
    },
  });
}
