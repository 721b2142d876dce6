import type { Quote } from '@callout/contract/quotes';
import { formatMoney } from '@callout/domain/money/money-format';
import { hasQuoteItems } from '@callout/domain/quotes/quote';
import { calculateQuoteTotals } from '@callout/domain/quotes/quote-price';
import { useId, useState } from 'react';
import { hasErrorCode } from '../../lib/error-messages.ts';
import { OnlineButton } from '../../lib/online-button.tsx';
import { Button } from '../../ui/button.tsx';
import { Sheet } from '../../ui/dialog.tsx';
import { NoItemsBanner } from './no-items-banner.tsx';
import { useAcceptQuote } from './quotes.api.ts';

interface AcceptQuoteDialogProps {
  quote: Quote;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

/** Accepts a quote on the customer's behalf. If no option is chosen, all sections are accepted. */
export function AcceptQuoteDialog({ quote, open, onOpenChange }: AcceptQuoteDialogProps) {
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const accept = useAcceptQuote();
  const options = quote.sections.filter(({ always_required }) => !always_required);
  /** Ignores chosen options that have since been removed from the quote. */
  const selected = options.filter(({ id }) => chosen.includes(id)).map(({ id }) => id);
  const isEmpty = !hasQuoteItems(quote.sections);
  const close = () => onOpenChange(false);
  const submit = () =>
    accept.mutate(
      { id: quote.id, version: quote.version, selected_option_ids: selected },
      { onSuccess: close, onError: (error) => hasErrorCode(error, 'QUOTE_CLOSED') && close() },
    );
  return (
    <Sheet
      open={open}
      onOpenChange={onOpenChange}
      title="Accept Quote"
      description="This will create a new job with 'pending' status for follow-up."
      isAlertDialog
      actions={
        <>
          <Button disabled={accept.isPending} onClick={close}>
            Cancel
          </Button>
          <OnlineButton tone="primary" busy={accept.isPending} disabled={isEmpty} onClick={submit}>
            {accept.isPending ? 'Accepting...' : 'Accept Quote'}
          </OnlineButton>
        </>
      }
    >
      {/* A single option is always accepted, so there is nothing to choose. */}
      {options.length > 1 && <OptionCheckboxes quote={quote} selected={selected} onSelect={setChosen} isBusy={accept.isPending} />}
      {isEmpty ? (
        <NoItemsBanner quote={quote} message="There is nothing to accept: add at least one item first." />
      ) : (
        <AcceptedTotal quote={quote} selected={selected} />
      )}
    </Sheet>
  );
}

interface OptionCheckboxesProps {
  quote: Quote;
  selected: readonly string[];
  onSelect: (ids: readonly string[]) => void;
  isBusy: boolean;
}

function OptionCheckboxes({ quote, selected, onSelect, isBusy }: OptionCheckboxesProps) {
  const { currency } = quote;
  const hint = useId();
  const required = quote.sections.filter(({ always_required }) => always_required);
  return (
    <fieldset aria-describedby={hint} className="m-0 mb-4 min-w-0 border-0 p-0">
      <legend className="mb-1.5 p-0 text-sm font-medium">Which options does the customer want?</legend>
      <div className="space-y-2">
        {quote.sections
          .filter((section) => !required.includes(section))
          .map(({ id, name, total_amount }) => (
            <label
              key={id}
              className="flex min-h-11 items-center gap-3 rounded-control bg-surface px-3.5 py-2 text-base shadow-card ring-1 ring-transparent ring-inset has-checked:bg-accent-soft has-checked:ring-accent"
            >
              <input
                type="checkbox"
                checked={selected.includes(id)}
                disabled={isBusy}
                onChange={({ target }) => onSelect(target.checked ? [...selected, id] : selected.filter((other) => other !== id))}
                className="size-5 shrink-0 accent-accent lg:size-4"
              />
              <span className="min-w-0 flex-1 font-medium [overflow-wrap:anywhere]">{name}</span>
              <span className="tabular-nums">{formatMoney(total_amount, currency)}</span>
            </label>
          ))}
      </div>
      <p id={hint} className="mt-2 text-sm text-ink-3">
        {selected.length === 0 && 'If you choose none, all options are accepted. '}
        {required.length > 0 && `Always included: ${required.map(({ name }) => name).join(', ')}.`}
      </p>
    </fieldset>
  );
}

function AcceptedTotal({ quote, selected }: { quote: Quote; selected: readonly string[] }) {
  const { sections, tax_rate: rate, currency } = quote;
  const accepted = selected.length === 0 ? sections : sections.filter((each) => each.always_required || selected.includes(each.id));
  const { total_amount: total } = calculateQuoteTotals(accepted, rate);
  return (
    <p aria-live="polite" className="flex flex-wrap items-baseline justify-between gap-x-4 rounded-control bg-sunken px-4 py-3 text-base">
      Job total
      <span className="text-xl font-semibold tabular-nums">{formatMoney(total, currency)}</span>
    </p>
  );
}
