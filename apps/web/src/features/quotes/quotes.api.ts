import type { QuoteSectionInput } from '@callout/contract/quote-input';
import type { Quote, QuoteSort } from '@callout/contract/quotes';
import type { QuoteStatus, SettableQuoteStatus } from '@callout/domain/quotes/quote';
import { keepPreviousData, type QueryClient, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../lib/api.ts';
import { getErrorMessage, hasErrorCode, ignoreNotFound } from '../../lib/error-messages.ts';
import type { ListFilter } from '../../lib/list-filter.ts';
import { defineRecordQueries, pagedQueryOptions } from '../../lib/record-queries.ts';
import { reportUnsentMail } from '../../lib/unsent-mail.ts';
import { toast } from '../../ui/toast.ts';

/** Returns true if the latest email with the quote failed. Failed reminders don't count. */
export const hasFailedQuoteMail = (mails: Quote['mails']) => mails.find(({ kind }) => kind === 'quote')?.status === 'failed';

const quotes = defineRecordQueries({
  key: ['quotes'],
  calls: api.quotes,
  toRow: ({ title, total_amount, valid_until, status, shown_status, customer, mails }) => ({
    title,
    total_amount,
    valid_until,
    status,
    shown_status,
    customer,
    is_mail_failed: hasFailedQuoteMail(mails),
  }),
});

/** Template keys start with 'quotes', because template changes are published under that topic. */
export const quoteKeys = { ...quotes.keys, templates: ['quotes', 'templates'], history: (id: string) => ['quotes', 'history', id] };

const meta = { inlineErrors: true };

export type QuoteFilter = ListFilter<QuoteSort, QuoteStatus>;

export const quoteListQueryOptions = quotes.listQueryOptions;
export const quoteQueryOptions = quotes.detailQueryOptions;
export const findCachedQuote = quotes.findCachedRow;
export const cacheQuote = quotes.cacheRecord;

type QuoteCriteria = Omit<QuoteFilter, 'sort' | 'order'> & { customer_id?: string };

export function quoteCountQueryOptions(criteria: QuoteCriteria = {}) {
  return queryOptions({
    queryKey: [...quoteKeys.counts, criteria],
    queryFn: ({ signal }) => api.quotes.count(criteria, { signal }),
    placeholderData: keepPreviousData,
    meta,
  });
}

/** Finds the quotes that best match a number, title or customer. */
export function quoteSearchQueryOptions(search: string) {
  return queryOptions({
    queryKey: ['quotes', 'find', search],
    queryFn: ({ signal }) => api.quotes.find({ search }, { signal }),
    placeholderData: keepPreviousData,
    meta,
  });
}

export const quoteHistoryQueryOptions = (id: string) =>
  pagedQueryOptions(quoteKeys.history(id), (page, options) => api.quotes.history({ id, ...page }, options));

export const sectionTemplatesQueryOptions = queryOptions({
  queryKey: quoteKeys.templates,
  queryFn: ({ signal }) => api.sectionTemplates.list(undefined, { signal }),
  select: ({ rows }) => rows,
  meta,
});

export const buildQuotePdfUrl = (id: string) => `/api/quotes/${id}/pdf`;
/** Builds the URL of the quote's PDF as it was accepted, even if the quote has changed since. */
export const buildAcceptedCopyUrl = (id: string) => `/api/quotes/${id}/accepted.pdf`;

/** Evicts a deleted quote. Call it after leaving the quote's page, so that nothing refetches the quote. */
export function evictQuote(queryClient: QueryClient, id: string): void {
  quotes.evictRecord(queryClient, id);
  queryClient.removeQueries({ queryKey: quoteKeys.history(id) });
}

const CLOSED_MESSAGES: Readonly<Record<QuoteStatus, string>> = {
  draft: 'This quote can no longer be accepted or rejected.',
  sent: 'This quote can no longer be accepted or rejected.',
  accepted: 'This quote was already accepted.',
  rejected: 'This quote was rejected.',
  expired: 'This quote has expired.',
};

/** Explains why the quote can't be accepted or rejected, and names its job if it has one. Returns undefined for other errors. */
function getClosedMessage(error: unknown): string | undefined {
  if (!hasErrorCode(error, 'QUOTE_CLOSED')) return undefined;
  const { status, job_number: number } = error.data as { status: QuoteStatus; job_number: string | null };
  return number ? `${CLOSED_MESSAGES[status]} Its job is #${number}.` : CLOSED_MESSAGES[status];
}

export const useCreateQuote = () =>
  quotes.useCreate({
    success: 'Quote created successfully',
    failure: 'Failed to create quote: {message}',
    invalidates: [quoteKeys.lists, quoteKeys.counts, ['customers']],
  });

export const useUpdateQuote = () =>
  quotes.useUpdate({ success: 'Quote updated successfully', failure: 'Failed to update quote: {message}' });

export const useDeleteQuote = () =>
  quotes.useDelete({ success: 'Quote deleted successfully', failure: 'Failed to delete quote: {message}' });

/** Idempotent: a retry with the same `new_id` returns the same copy. */
export function useDuplicateQuote() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (copy: { id: string; new_id: string }) => api.quotes.duplicate(copy),
    onSuccess: (quote) => cacheQuote(queryClient, quote),
    meta: {
      success: 'Quote duplicated successfully',
      failure: 'Failed to duplicate quote: {message}',
      invalidates: [quoteKeys.lists, quoteKeys.counts],
    },
  });
}

export function useSetQuoteStatus() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ id, status }: { id: string; status: SettableQuoteStatus }) => api.quotes.setStatus({ id, status }),
    onSuccess: (quote) => cacheQuote(queryClient, quote),
    meta: {
      success: 'Quote status updated',
      failure: (error) => `Failed to update quote status: ${getClosedMessage(error) ?? getErrorMessage(error)}`,
      invalidates: [quoteKeys.all],
    },
  });
}

const getMarkedAsSentToastId = (quoteId: string) => `quote marked as sent ${quoteId}`;

/** Hides the Undo button of 'Quote marked as Sent', because a later step depends on that status. */
export const dismissMarkedAsSentToast = (quoteId: string) => toast.dismiss(getMarkedAsSentToastId(quoteId));

/** Marks a draft as sent once its link has been copied: the customer gets that link, and must not see a draft. Can be undone. */
export function useMarkQuoteAsSent() {
  const queryClient = useQueryClient();
  const { mutate: revert } = useSetQuoteStatus();
  return useMutation({
    mutationFn: ({ id }: { id: string }) => api.quotes.setStatus({ id, status: 'sent' }),
    onSuccess: (quote) => {
      cacheQuote(queryClient, quote);
      const undo = { label: 'Undo', run: () => revert({ id: quote.id, status: 'draft' }) };
      toast.success('Quote marked as Sent', { id: getMarkedAsSentToastId(quote.id), action: undo });
    },
    meta: {
      failure: (error) => `The link was copied, but the quote is still a draft: ${getClosedMessage(error) ?? getErrorMessage(error)}`,
      invalidates: [quoteKeys.all],
    },
  });
}

const ACCEPTED_TOAST_MS = 6_000;
const ACCEPT_SUBJECT = 'accept-quote';

/** Accepts all sections if no option is selected. Pass the displayed `version`, so that no unseen price is accepted. */
export function useAcceptQuote() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (answer: { id: string; version: number; selected_option_ids: string[] }) => api.quotes.accept(answer),
    onSuccess: ({ quote, job }) => {
      cacheQuote(queryClient, quote);
      toast.success(`Quote accepted! New job #${job.job_number} has been created.`, {
        subject: ACCEPT_SUBJECT,
        timeoutMs: ACCEPTED_TOAST_MS,
      });
    },
    onError: (error) => {
      if (hasErrorCode(error, 'STALE_VERSION')) cacheQuote(queryClient, (error.data as { current: Quote }).current);
    },
    meta: {
      subject: ACCEPT_SUBJECT,
      failure: (error) => {
        if (hasErrorCode(error, 'STALE_VERSION')) return 'This quote has changed. Please check it before you accept.';
        return getClosedMessage(error) ?? `Failed to accept quote: ${getErrorMessage(error)}`;
      },
      invalidates: [quoteKeys.all, ['jobs'], ['customers']],
    },
  });
}

interface SendMailOutput {
  quote: Quote;
  mail: 'queued' | 'kept';
}

function handleSentMail(queryClient: QueryClient, { quote, mail }: SendMailOutput): void {
  cacheQuote(queryClient, quote);
  if (mail === 'kept') reportUnsentMail();
}

const mailMutationMeta = {
  subject: 'send-quote',
  success: ({ mail }: SendMailOutput) => (mail === 'queued' ? 'Email sent successfully' : undefined),
  failure: (error: unknown) => getClosedMessage(error) ?? getMailErrorMessage(error),
  invalidates: [quoteKeys.all],
  inlineErrors: true,
};

/** ID_TAKEN means that an earlier attempt sent the email with a different text and only its response was lost. */
const getMailErrorMessage = (error: unknown) =>
  hasErrorCode(error, 'ID_TAKEN')
    ? 'This email was already sent, without your latest changes.'
    : `Failed to send email: ${getErrorMessage(error)}`;

/** Idempotent: a retry with the same `mail_id` doesn't send a second email. */
export function useSendQuote() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (mail: { id: string; mail_id: string; subject: string; body: string }) => api.quotes.send(mail),
    onSuccess: (answer) => handleSentMail(queryClient, answer),
    meta: mailMutationMeta,
  });
}

export function useRetryQuoteMail() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ id }: { id: string }) => api.quotes.retryMail({ id }),
    onSuccess: (answer) => handleSentMail(queryClient, answer),
    meta: mailMutationMeta,
  });
}

/** Saves a section as a template, replacing an existing template with the same name. */
export function useSaveTemplate() {
  return useMutation({
    mutationFn: (section: QuoteSectionInput) => api.sectionTemplates.save(section),
    meta: {
      success: 'Section saved as a template',
      failure: 'Failed to save template: {message}',
      invalidates: [quoteKeys.templates],
    },
  });
}

export function useDeleteTemplate() {
  return useMutation({
    mutationFn: ({ id }: { id: string }) => ignoreNotFound(api.sectionTemplates.remove({ id })),
    meta: {
      success: 'Template deleted',
      failure: 'Failed to delete template: {message}',
      invalidates: [quoteKeys.templates],
    },
  });
}
