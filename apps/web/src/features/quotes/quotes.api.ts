import type { QuoteSectionInput } from '@callout/contract/quote-input';
import type { Quote, QuoteSort } from '@callout/contract/quotes';
import type { QuoteStatus, SettableQuoteStatus } from '@callout/domain/quotes/quote';
import { keepPreviousData, type QueryClient, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../lib/api.ts';
import { hasCode, ignoreNotFound, messageOf } from '../../lib/error-messages.ts';
import { reportKeptMail } from '../../lib/kept-mail.ts';
import type { ListFilter } from '../../lib/list-filter.ts';
import { defineRecordQueries, pagedOptions } from '../../lib/record-queries.ts';
import { toast } from '../../ui/toast.ts';

/** Whether the newest mail with the quote failed; a reminder that failed is no failed quote. */
export const isQuoteMailFailed = (mails: Quote['mails']) => mails.find(({ kind }) => kind === 'quote')?.status === 'failed';

const quotes = defineRecordQueries({
  key: ['quotes'],
  calls: api.quotes,
  rowOf: ({ title, total_amount, valid_until, status, shown_status, customer, mails }) => ({
    title,
    total_amount,
    valid_until,
    status,
    shown_status,
    customer,
    is_mail_failed: isQuoteMailFailed(mails),
  }),
});

/** Templates change with the topic of the quotes. */
export const quoteKeys = { ...quotes.keys, templates: ['quotes', 'templates'], history: (id: string) => ['quotes', 'history', id] };

/** The screens show a failed read in place, with Retry. */
const meta = { inlineErrors: true };

export type QuoteFilter = ListFilter<QuoteSort, QuoteStatus>;

export const quotesListOptions = quotes.listOptions;
export const quoteOptions = quotes.detailOptions;
export const knownQuote = quotes.known;
/** Shows a quote as the server answered it, in its page and in every list. */
export const showQuote = quotes.show;

type QuoteCriteria = Omit<QuoteFilter, 'sort' | 'order'> & { customer_id?: string };

export function quotesCountOptions(criteria: QuoteCriteria = {}) {
  return queryOptions({
    queryKey: [...quoteKeys.counts, criteria],
    queryFn: ({ signal }) => api.quotes.count(criteria, { signal }),
    placeholderData: keepPreviousData,
    meta,
  });
}

/** The few that match best, by number, title or customer. */
export function foundQuotesOptions(search: string) {
  return queryOptions({
    queryKey: ['quotes', 'find', search],
    queryFn: ({ signal }) => api.quotes.find({ search }, { signal }),
    placeholderData: keepPreviousData,
    meta,
  });
}

export const quoteHistoryOptions = (id: string) =>
  pagedOptions(quoteKeys.history(id), (page, options) => api.quotes.history({ id, ...page }, options));

export const sectionTemplatesOptions = queryOptions({
  queryKey: quoteKeys.templates,
  queryFn: ({ signal }) => api.sectionTemplates.list(undefined, { signal }),
  select: ({ rows }) => rows,
  meta,
});

/** Files for the browser to download. */
export const quotePdfUrl = (id: string) => `/api/quotes/${id}/pdf`;
/** As it was accepted, whatever became of the quote since. */
export const acceptedCopyUrl = (id: string) => `/api/quotes/${id}/accepted.pdf`;

/** After a deletion the page has been left: nothing may show the quote again, nor ask for it. */
export function forgetQuote(queryClient: QueryClient, id: string): void {
  quotes.forget(queryClient, id);
  queryClient.removeQueries({ queryKey: quoteKeys.history(id) });
}

const CLOSED: Readonly<Record<QuoteStatus, string>> = {
  draft: 'This quote can no longer be accepted or rejected.',
  sent: 'This quote can no longer be accepted or rejected.',
  accepted: 'This quote was already accepted.',
  rejected: 'This quote was rejected.',
  expired: 'This quote has expired.',
};

/** What became of a quote that no longer waits for an answer, with the job it was turned into. */
function closedText(error: unknown): string | undefined {
  if (!hasCode(error, 'QUOTE_CLOSED')) return undefined;
  const { status, job_number: number } = error.data as { status: QuoteStatus; job_number: string | null };
  return number ? `${CLOSED[status]} Its job is #${number}.` : CLOSED[status];
}

export const useCreateQuote = () =>
  quotes.useCreate({
    success: 'Quote created successfully',
    failure: 'Failed to create quote: {message}',
    refreshes: [quoteKeys.lists, quoteKeys.counts, ['customers']],
  });

export const useUpdateQuote = () =>
  quotes.useUpdate({ success: 'Quote updated successfully', failure: 'Failed to update quote: {message}' });

export const useDeleteQuote = () =>
  quotes.useDelete({ success: 'Quote deleted successfully', failure: 'Failed to delete quote: {message}' });

/** `new_id` is made once by the page: sent again after a lost answer, it is the same copy. */
export function useDuplicateQuote() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (copy: { id: string; new_id: string }) => api.quotes.duplicate(copy),
    onSuccess: (quote) => showQuote(queryClient, quote),
    meta: {
      success: 'Quote duplicated successfully',
      failure: 'Failed to duplicate quote: {message}',
      refreshes: [quoteKeys.lists, quoteKeys.counts],
    },
  });
}

export function useSetQuoteStatus() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ id, status }: { id: string; status: SettableQuoteStatus }) => api.quotes.setStatus({ id, status }),
    onSuccess: (quote) => showQuote(queryClient, quote),
    meta: {
      success: 'Quote status updated',
      failure: (error) => `Failed to update quote status: ${closedText(error) ?? messageOf(error)}`,
      refreshes: [quoteKeys.all],
    },
  });
}

const ACCEPTED_TOAST_MS = 6_000;

/** No choice means every section. The version is the one on the screen: nobody accepts a price that they have not seen. */
export function useAcceptQuote() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (answer: { id: string; version: number; selected_option_ids: string[] }) => api.quotes.accept(answer),
    onSuccess: ({ quote, job }) => {
      showQuote(queryClient, quote);
      toast.success(`Quote accepted! New job #${job.job_number} has been created.`, { ms: ACCEPTED_TOAST_MS });
    },
    onError: (error) => {
      if (hasCode(error, 'STALE_VERSION')) showQuote(queryClient, (error.data as { current: Quote }).current);
    },
    meta: {
      failure: (error) => {
        if (hasCode(error, 'STALE_VERSION')) return 'Someone else has changed this quote. Please check it before you accept.';
        return closedText(error) ?? `Failed to accept quote: ${messageOf(error)}`;
      },
      refreshes: [quoteKeys.all, ['jobs'], ['customers']],
    },
  });
}

interface SentMail {
  quote: Quote;
  mail: 'queued' | 'kept';
}

function showSentMail(queryClient: QueryClient, { quote, mail }: SentMail): void {
  showQuote(queryClient, quote);
  if (mail === 'kept') reportKeptMail();
}

const mailMeta = {
  success: ({ mail }: SentMail) => (mail === 'queued' ? 'Email sent successfully' : undefined),
  failure: (error: unknown) => closedText(error) ?? mailFailure(error),
  refreshes: [quoteKeys.all],
  inlineErrors: true,
};

/** The same id with another text: the first text has arrived, although its answer was lost. */
const mailFailure = (error: unknown) =>
  hasCode(error, 'ID_TAKEN') ? 'This email was already sent, without your latest changes.' : `Failed to send email: ${messageOf(error)}`;

/** `mail_id` is made once by the dialog: sent again after a lost answer, it is one mail. */
export function useSendQuote() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (mail: { id: string; mail_id: string; subject: string; body: string }) => api.quotes.send(mail),
    onSuccess: (answer) => showSentMail(queryClient, answer),
    meta: mailMeta,
  });
}

export function useRetryQuoteMail() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ id }: { id: string }) => api.quotes.retryMail({ id }),
    onSuccess: (answer) => showSentMail(queryClient, answer),
    meta: mailMeta,
  });
}

/** Replaces the template of the same name. */
export function useSaveTemplate() {
  return useMutation({
    mutationFn: (section: QuoteSectionInput) => api.sectionTemplates.save(section),
    meta: {
      success: 'Section saved as a template',
      failure: 'Failed to save template: {message}',
      refreshes: [quoteKeys.templates],
    },
  });
}

export function useDeleteTemplate() {
  return useMutation({
    mutationFn: ({ id }: { id: string }) => ignoreNotFound(api.sectionTemplates.remove({ id })),
    meta: {
      success: 'Template deleted',
      failure: 'Failed to delete template: {message}',
      refreshes: [quoteKeys.templates],
    },
  });
}
