import type { Quote } from '@callout/contract/quotes';
import { hasQuoteItems, SETTABLE_QUOTE_STATUSES } from '@callout/domain/quotes/quote';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { BriefcaseBusiness, Check, Copy, Download, ExternalLink, Link2, Pencil, Send, Tag, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { createId } from '../../lib/create-id.ts';
import { OnlineButton, useNeedsConnection } from '../../lib/online-button.tsx';
import { Button } from '../../ui/button.tsx';
import { AnchorButton, LinkButton } from '../../ui/link-button.tsx';
import { type MenuItem, MoreMenu } from '../../ui/menu.tsx';
import { toast } from '../../ui/toast.ts';
import { useCan } from '../company/company.api.ts';
import { DeleteQuoteDialog } from './delete-quote-dialog.tsx';
import { getQuoteStatusPill } from './quote-list-filter.ts';
import {
  buildQuotePdfUrl,
  evictQuote,
  type useDeleteQuote,
  useDuplicateQuote,
  useMarkQuoteAsSent,
  useSetQuoteStatus,
} from './quotes.api.ts';

export type QuoteDialogName = 'accept' | 'send' | null;

interface QuoteActionProps {
  quote: Quote;
  onOpen: (dialog: QuoteDialogName) => void;
}

/** The page's primary action: send a draft, accept a sent quote, or open an accepted quote's job. */
export function NextStepButtons({ quote, fullWidth, onOpen }: QuoteActionProps & { fullWidth: boolean }) {
  const [canEdit, canAccept] = [useCan('quotes.edit'), useCan('quotes.accept')];
  const { status, is_actionable: isActionable, acceptance } = quote;
  if (acceptance?.job_id) {
    return (
      <LinkButton to="/jobs/$id" params={{ id: acceptance.job_id }} tone="primary" fullWidth={fullWidth}>
        <BriefcaseBusiness aria-hidden="true" />
        View Job
      </LinkButton>
    );
  }
  if (!isActionable) return null;
  const canSend = status === 'draft' && canEdit;
  return (
    <>
      {canSend && (
        <OnlineButton tone="primary" fullWidth={fullWidth} onClick={() => onOpen('send')}>
          <Send aria-hidden="true" />
          Send Quote
        </OnlineButton>
      )}
      {canAccept && (
        <OnlineButton tone={canSend ? 'secondary' : 'primary'} fullWidth={fullWidth} onClick={() => onOpen('accept')}>
          <Check aria-hidden="true" />
          Accept Quote
        </OnlineButton>
      )}
    </>
  );
}

interface QuoteManagementActionsProps extends QuoteActionProps {
  /** The page owns this mutation, to tell its own deletion from one made in another tab or by someone else. */
  remove: ReturnType<typeof useDeleteQuote>;
}

export function QuoteManagementActions({ quote, remove, onOpen }: QuoteManagementActionsProps) {
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const [canEdit, canDelete] = [useCan('quotes.edit'), useCan('quotes.delete')];
  const [isDeleteDialogOpen, setDeleteDialogOpen] = useState(false);
  const { id, status } = quote;
  const duplicate = useDuplicateAndOpen(quote);
  const setStatus = useSetQuoteStatus();
  const disabledReason = useNeedsConnection();
  const editActions: MenuItem[] = [
    ...(quote.is_actionable && status === 'sent'
      ? [{ label: 'Send Again', icon: Send, onSelect: () => onOpen('send'), disabledReason }]
      : []),
    { label: 'Duplicate', icon: Copy, onSelect: duplicate },
    ...(status === 'accepted' ? [] : SETTABLE_QUOTE_STATUSES.filter((other) => other !== status)).map((other) => ({
      label: `Mark as ${getQuoteStatusPill(other).text}`,
      icon: Tag,
      onSelect: () => setStatus.mutate({ id, status: other }),
    })),
  ];
  const deleteAction: MenuItem = { label: 'Delete', icon: Trash2, tone: 'danger', onSelect: () => setDeleteDialogOpen(true) };
  const items = [...(canEdit ? editActions : []), ...(canDelete ? [deleteAction] : [])];
  const deleteAndLeave = async () => {
    await remove.mutateAsync(quote);
    await navigate({ to: '/quotes', replace: true });
    evictQuote(queryClient, id);
  };
  return (
    <>
      {canEdit && (
        <LinkButton to="/quotes/$id/edit" params={{ id }} state={{ fromPage: true }} className="max-sm:px-3.5">
          <Pencil aria-hidden="true" />
          <span className="max-sm:sr-only">Edit</span>
        </LinkButton>
      )}
      {items.length > 0 && <MoreMenu items={items} />}
      <DeleteQuoteDialog
        isAccepted={status === 'accepted'}
        open={isDeleteDialogOpen}
        onOpenChange={setDeleteDialogOpen}
        busy={remove.isPending}
        onDelete={deleteAndLeave}
      />
    </>
  );
}

function useDuplicateAndOpen({ id }: Quote) {
  const navigate = useNavigate();
  /** Created once per visit, so that a retry after a lost response doesn't create a second copy. */
  const [copyId] = useState(createId);
  const { mutate, isPending } = useDuplicateQuote();
  return () => {
    if (isPending) return;
    const open = () => void navigate({ to: '/quotes/$id/edit', params: { id: copyId } });
    mutate({ id, new_id: copyId }, { onSuccess: open });
  };
}

/** Copies the public link and marks a finished draft as sent. `copy` returns false if the browser blocked copying. */
export function useCopyQuoteLink(quote: Quote) {
  const canEdit = useCan('quotes.edit');
  const markAsSent = useMarkQuoteAsSent();
  const copy = async () => {
    const isCopied = await copyPublicLink(quote.public_path);
    const isReady = quote.status === 'draft' && quote.is_actionable && hasQuoteItems(quote.sections);
    if (isCopied && isReady && canEdit) markAsSent.mutate({ id: quote.id });
    return isCopied;
  };
  return { copy, isMarking: markAsSent.isPending };
}

export function QuoteShareButtons({ quote }: { quote: Quote }) {
  const { id, public_path: path, quote_number: number } = quote;
  const { copy, isMarking } = useCopyQuoteLink(quote);
  const buttonClass = 'max-lg:flex-col max-lg:gap-1 max-lg:px-1 max-lg:py-2 max-lg:text-sm lg:px-2.5';
  return (
    <div className="grid grid-cols-3 gap-2">
      <AnchorButton href={path} target="_blank" rel="noopener" className={buttonClass}>
        <ExternalLink aria-hidden="true" />
        Preview
      </AnchorButton>
      <Button busy={isMarking} onClick={() => void copy()} className={buttonClass}>
        <Link2 aria-hidden="true" />
        Copy Link
      </Button>
      <AnchorButton href={buildQuotePdfUrl(id)} download={`${number}.pdf`} aria-label="Download PDF" className={buttonClass}>
        <Download aria-hidden="true" />
        PDF
      </AnchorButton>
    </div>
  );
}

const COPY_TOAST_OPTIONS = { subject: 'copy-quote-link' };

/** Returns false if the browser blocked copying. */
async function copyPublicLink(path: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(new URL(path, window.location.origin).href);
    toast.success('Public quote link copied to clipboard', COPY_TOAST_OPTIONS);
    return true;
  } catch {
    toast.error('Your browser blocked copying. Open Preview and copy the link from there.', COPY_TOAST_OPTIONS);
    return false;
  }
}
