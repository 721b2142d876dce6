import type { Quote } from '@callout/contract/quotes';
import { SETTABLE_QUOTE_STATUSES } from '@callout/domain/quotes/quote';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { BriefcaseBusiness, Check, Copy, Download, Ellipsis, ExternalLink, Link2, Pencil, Send, Tag, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { newId } from '../../lib/new-id.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { AnchorButton, LinkButton } from '../../ui/link-button.tsx';
import { Menu, type MenuItem } from '../../ui/menu.tsx';
import { toast } from '../../ui/toast.ts';
import { useCan } from '../company/company.api.ts';
import { DeleteQuoteDialog } from './delete-quote-dialog.tsx';
import { quoteStatusPill } from './quote-filter.ts';
import { forgetQuote, quotePdfUrl, type useDeleteQuote, useDuplicateQuote, useSetQuoteStatus } from './quotes.api.ts';

/** Which one is open. */
export type QuoteDialog = 'accept' | 'send' | null;

interface ActionProps {
  quote: Quote;
  onOpen: (dialog: QuoteDialog) => void;
}

/** The one filled button of the page: send a draft, accept what was sent, go to the job of what was accepted. */
export function NextStep({ quote, wide, onOpen }: ActionProps & { wide: boolean }) {
  const [mayEdit, mayAccept] = [useCan('quotes.edit'), useCan('quotes.accept')];
  const { status, is_actionable: isActionable, acceptance } = quote;
  if (acceptance?.job_id) {
    return (
      <LinkButton to="/jobs/$id" params={{ id: acceptance.job_id }} tone="primary" wide={wide}>
        <BriefcaseBusiness aria-hidden="true" />
        View Job
      </LinkButton>
    );
  }
  if (!isActionable) return null;
  const sends = status === 'draft' && mayEdit;
  return (
    <>
      {sends && (
        <Button tone="primary" wide={wide} onClick={() => onOpen('send')}>
          <Send aria-hidden="true" />
          Send Quote
        </Button>
      )}
      {mayAccept && (
        <Button tone={sends ? 'secondary' : 'primary'} wide={wide} onClick={() => onOpen('accept')}>
          <Check aria-hidden="true" />
          Accept Quote
        </Button>
      )}
    </>
  );
}

interface ManageQuoteProps extends ActionProps {
  /** Held by the page, which must know that the quote is gone by its own doing. */
  remove: ReturnType<typeof useDeleteQuote>;
}

export function ManageQuote({ quote, remove, onOpen }: ManageQuoteProps) {
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const [mayEdit, mayDelete] = [useCan('quotes.edit'), useCan('quotes.delete')];
  const [isAsking, setAsking] = useState(false);
  const { id, status } = quote;
  const duplicate = useDuplicate(quote);
  const setStatus = useSetQuoteStatus();
  const editing: MenuItem[] = [
    ...(quote.is_actionable && status === 'sent' ? [{ label: 'Send Again', icon: Send, onSelect: () => onOpen('send') }] : []),
    { label: 'Duplicate', icon: Copy, onSelect: duplicate },
    ...(status === 'accepted' ? [] : SETTABLE_QUOTE_STATUSES.filter((other) => other !== status)).map((other) => ({
      label: `Mark as ${quoteStatusPill(other).text}`,
      icon: Tag,
      onSelect: () => setStatus.mutate({ id, status: other }),
    })),
  ];
  const deleting: MenuItem = { label: 'Delete', icon: Trash2, tone: 'danger', onSelect: () => setAsking(true) };
  const items = [...(mayEdit ? editing : []), ...(mayDelete ? [deleting] : [])];
  const deleteAndLeave = async () => {
    await remove.mutateAsync(quote);
    await navigate({ to: '/quotes', replace: true });
    forgetQuote(queryClient, id);
  };
  return (
    <>
      {mayEdit && (
        <LinkButton to="/quotes/$id/edit" params={{ id }} state={{ fromPage: true }} className="max-sm:px-3.5">
          <Pencil aria-hidden="true" />
          <span className="max-sm:sr-only">Edit</span>
        </LinkButton>
      )}
      {items.length > 0 && (
        <Menu
          label="More actions"
          trigger={
            <IconButton label="More actions">
              <Ellipsis aria-hidden="true" />
            </IconButton>
          }
          items={items}
        />
      )}
      <DeleteQuoteDialog
        isAccepted={status === 'accepted'}
        open={isAsking}
        onOpenChange={setAsking}
        busy={remove.isPending}
        onDelete={deleteAndLeave}
      />
    </>
  );
}

function useDuplicate({ id }: Quote) {
  const navigate = useNavigate();
  /** Made once per visit: pressed again after a lost answer, it is the same copy. */
  const [copyId] = useState(newId);
  const { mutate, isPending } = useDuplicateQuote();
  return () => {
    if (isPending) return;
    const open = () => void navigate({ to: '/quotes/$id/edit', params: { id: copyId } });
    mutate({ id, new_id: copyId }, { onSuccess: open });
  };
}

/** What the customer gets to see, and how to hand it to them. */
export function QuoteLinks({ quote }: { quote: Quote }) {
  const { id, public_path: path, quote_number: number } = quote;
  const buttonClass = 'max-lg:flex-col max-lg:gap-1 max-lg:px-1 max-lg:py-2 max-lg:text-sm lg:px-2.5';
  return (
    <div className="grid grid-cols-3 gap-2">
      <AnchorButton href={path} target="_blank" rel="noopener" className={buttonClass}>
        <ExternalLink aria-hidden="true" />
        Preview
      </AnchorButton>
      <Button onClick={() => void copyPublicLink(path)} className={buttonClass}>
        <Link2 aria-hidden="true" />
        Copy Link
      </Button>
      <AnchorButton href={quotePdfUrl(id)} download={`${number}.pdf`} aria-label="Download PDF" className={buttonClass}>
        <Download aria-hidden="true" />
        PDF
      </AnchorButton>
    </div>
  );
}

const COPY = { subject: 'copy-quote-link' };

async function copyPublicLink(path: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(new URL(path, window.location.origin).href);
    toast.success('Public quote link copied to clipboard', COPY);
  } catch {
    toast.error('Your browser blocked copying. Open Preview and copy the link from there.', COPY);
  }
}
