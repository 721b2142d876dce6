import type { OutboxMail, RegisteredCompany } from '@callout/contract/admin';
import type { MailStatus } from '@callout/domain/mail/mail';
import { infiniteQueryOptions, keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../lib/api.ts';
import { getErrorMessage } from '../../lib/error-messages.ts';
import { pagedQueryOptions } from '../../lib/record-queries.ts';
import { isNameMismatch } from '../company/company-deletion.api.ts';

const REFETCH_INTERVAL_MS = 30_000;
/** Refetch interval while an email is about to be sent, so that the email's new status appears within seconds. */
const SENDING_REFETCH_INTERVAL_MS = 3_000;
const ABOUT_TO_SEND_MS = 60_000;

/** Returns true if an email is due within a minute. A failed email with a later retry isn't polled. */
const isAboutToBeSent = ({ status, next_attempt: next }: OutboxMail) =>
  status === 'waiting' && (next === null || Date.parse(next) - Date.now() < ABOUT_TO_SEND_MS);

/** Refetches after a resend: the email is sent within seconds, and the list must then show its new status. */
const RESEND_REFETCH_DELAYS_MS = [1_000, 3_000, 10_000];

const KEYS = { all: ['admin'], companies: ['admin', 'companies'], mails: ['admin', 'mails'], queue: ['admin', 'queue'] };

export function registeredCompaniesQueryOptions(search: string) {
  const filter = search ? { search } : {};
  return infiniteQueryOptions({
    ...pagedQueryOptions([...KEYS.companies, filter], (page, options) => api.admin.companies({ ...filter, ...page }, options)),
    placeholderData: keepPreviousData,
    refetchInterval: REFETCH_INTERVAL_MS,
  });
}

export function outboxMailsQueryOptions({ status, search }: { status: MailStatus | undefined; search: string }) {
  const filter = { ...(status ? { status } : {}), ...(search ? { search } : {}) };
  return infiniteQueryOptions({
    ...pagedQueryOptions([...KEYS.mails, filter], (page, options) => api.admin.mails({ ...filter, ...page }, options)),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) =>
      state.data?.pages.some(({ rows }) => rows.some(isAboutToBeSent)) ? SENDING_REFETCH_INTERVAL_MS : REFETCH_INTERVAL_MS,
  });
}

export const queueHealthQueryOptions = queryOptions({
  queryKey: KEYS.queue,
  queryFn: ({ signal }) => api.admin.queue(undefined, { signal }),
  refetchInterval: REFETCH_INTERVAL_MS,
  meta: { inlineErrors: true },
});

export function useDeleteCompany() {
  return useMutation({
    mutationFn: ({ id, confirmation }: Pick<RegisteredCompany, 'id'> & { confirmation: string }) =>
      api.admin.removeCompany({ id, confirmation }),
    meta: {
      success: 'Company and all associated data deleted successfully',
      // The confirmation field shows the mismatch, so no toast is needed.
      failure: (error) => (isNameMismatch(error) ? undefined : `Failed to delete company: ${getErrorMessage(error)}`),
      invalidates: [KEYS.all],
    },
  });
}

export function useResendMail() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ id, attempts }: OutboxMail) => api.admin.sendMailAgain({ id, attempts }),
    onSettled: () => {
      for (const delay of RESEND_REFETCH_DELAYS_MS) setTimeout(() => void queryClient.invalidateQueries({ queryKey: KEYS.all }), delay);
    },
    meta: {
      success: (_output: unknown, { recipient }: OutboxMail) => `Email to ${recipient} queued`,
      failure: 'Failed to send the email: {message}',
      invalidates: [KEYS.all],
    },
  });
}
