import type { PublicQuote } from '@callout/contract/public-quotes';
import { resolveAcceptedSections } from '@callout/domain/quotes/quote';
import { formatDateTime } from '@callout/domain/time/date-format';
import { formatTimeZone, isTimeZone } from '@callout/domain/time/time-zones';
import CircleAlert from 'lucide-react/icons/circle-alert';
import CircleCheck from 'lucide-react/icons/circle-check';
import TriangleAlert from 'lucide-react/icons/triangle-alert';
import { type SubmitEvent, useEffect, useRef, useState } from 'react';
import { Button } from '../../../ui/button.tsx';
import { getButtonClasses } from '../../../ui/button-classes.ts';
import { classNames } from '../../../ui/class-names.ts';
import { CONTROL_CLASSES } from '../../../ui/field.tsx';

const NAME_FIELD_ID = 'accepting-as';
const MAX_NAME_LENGTH = 200;

interface PublicQuoteAnswerProps {
  content: NonNullable<PublicQuote['content']>;
  /** Formatted total of the selected sections. */
  total: string;
  choice: { selectedIds: string[]; name: string | null; setName: (name: string | null) => void };
  failure: string | null;
  setFailure: (failure: string) => void;
  pending: 'accept' | 'reject' | null;
  accept: (sectionIds: string[], name: string) => Promise<void>;
  reject: () => Promise<void>;
}

/** Lets the customer accept or decline. On phones, the accept button sticks to the bottom of the screen. */
export function PublicQuoteAnswer({ content, total, choice, failure, setFailure, pending, accept, reject }: PublicQuoteAnswerProps) {
  const { selectedIds, name } = choice;
  const selection = resolveAcceptedSections(content.sections, selectedIds);
  const isBlocked = 'error' in selection;
  const customerName = content.customer?.name ?? '';
  const handleSubmit = (event: SubmitEvent) => {
    event.preventDefault();
    if (pending) return;
    const acceptedBy = name?.trim() || customerName;
    // A disabled button doesn't block every way to submit the form, so validate again on submit.
    if ('error' in selection) setFailure(selection.error);
    else if (acceptedBy === '') setFailure('Please enter your name');
    else void accept(selectedIds, acceptedBy);
  };
  return (
    <section aria-labelledby="answer" className="contents lg:block lg:rounded-card lg:bg-surface lg:p-4 lg:shadow-card print:hidden">
      <div className="mt-6 text-center lg:mt-0 lg:text-left print:hidden">
        <h2 id="answer" className="text-lg font-semibold">
          Ready to Get Started?
        </h2>
        <p className="mt-0.5 text-base text-ink-2">Accept this quote and we'll be in touch to schedule your project.</p>
      </div>
      <form
        onSubmit={handleSubmit}
        data-docked="bottom"
        className="order-last -mx-[16px] mt-6 border-t bg-surface px-[16px] pt-2 pb-[max(1rem,env(safe-area-inset-bottom))] tall:sticky tall:bottom-0 tall:z-20 lg:static lg:mx-0 lg:mt-2 lg:border-0 lg:p-0 print:hidden"
      >
        {isBlocked ? (
          <p id="select-warning" role="status" className="flex min-h-11 items-center gap-2 py-1.5 text-base font-medium text-warn-ink">
            <TriangleAlert aria-hidden="true" className="size-5 shrink-0" />
            Please select at least one optional service above before accepting
          </p>
        ) : (
          <AcceptingNameField customerName={customerName} name={name} setName={choice.setName} />
        )}
        {failure !== null && (
          <p
            role="alert"
            className="mb-2 flex items-start gap-2 rounded-control bg-danger-soft px-3 py-2 text-base font-medium text-danger-ink"
          >
            <CircleAlert aria-hidden="true" className="mt-px size-4.5 shrink-0" />
            {failure}
          </p>
        )}
        <Button
          type="submit"
          tone="primary"
          fullWidth
          busy={pending === 'accept'}
          disabled={isBlocked || pending === 'reject'}
          aria-describedby={isBlocked ? 'select-warning' : undefined}
          className="py-3 text-lg! font-semibold! tabular-nums"
        >
          {pending === 'accept' ? 'Processing...' : `Accept Quote - ${total}`}
        </Button>
      </form>
      <DeclineButton pending={pending} reject={reject} />
    </section>
  );
}

interface AcceptingNameFieldProps {
  customerName: string;
  name: string | null;
  setName: (name: string | null) => void;
}

/** Prefilled with the customer's name, so that accepting takes a single click. */
function AcceptingNameField({ customerName, name, setName }: AcceptingNameFieldProps) {
  const [isEditing, setEditing] = useState(customerName === '');
  const field = useRef<HTMLInputElement>(null);
  const shouldFocusButton = useRef(false);
  useEffect(() => {
    // The Change button had focus and has been removed, so focus the field instead.
    if (isEditing && customerName !== '') field.current?.focus({ preventScroll: true });
  }, [isEditing, customerName]);
  const displayName = name?.trim() || customerName;
  const stopEditing = () => {
    // Store null for an unchanged name, which then falls back to the customer's name.
    setName(displayName === customerName ? null : displayName);
    setEditing(displayName === '');
  };
  if (isEditing) {
    return (
      <div className="flex items-center gap-3 py-2">
        <label htmlFor={NAME_FIELD_ID} className="shrink-0 text-base text-ink-2">
          Accepting as
        </label>
        <input
          id={NAME_FIELD_ID}
          ref={field}
          value={name ?? customerName}
          maxLength={MAX_NAME_LENGTH}
          autoComplete="name"
          placeholder="Your name"
          onChange={(event) => setName(event.target.value)}
          onBlur={stopEditing}
          onKeyDown={(event) => {
            if (event.key !== 'Enter') return;
            // Enter finishes editing the name and must not also accept the quote.
            event.preventDefault();
            shouldFocusButton.current = displayName !== '';
            stopEditing();
          }}
          className={classNames(CONTROL_CLASSES, 'h-11 lg:h-9')}
        />
      </div>
    );
  }
  return (
    <p className="flex items-center gap-2 text-base">
      <span className="shrink-0 text-ink-2">Accepting as</span>
      <span className="min-w-0 flex-1 font-medium [overflow-wrap:anywhere]">{displayName}</span>
      <button
        ref={(button) => {
          // The name field had focus and has been removed, so focus the button instead.
          if (shouldFocusButton.current) button?.focus({ preventScroll: true });
          shouldFocusButton.current = false;
        }}
        type="button"
        onClick={() => setEditing(true)}
        aria-label="Change the name"
        className="-mr-2 min-h-11 shrink-0 rounded-control px-2 font-medium text-accent-ink hover:underline"
      >
        Change
      </button>
    </p>
  );
}

/** Asks for confirmation, so that an accidental tap doesn't decline the quote. */
function DeclineButton({ pending, reject }: Pick<PublicQuoteAnswerProps, 'pending' | 'reject'>) {
  const [isConfirming, setConfirming] = useState(false);
  const cancelButton = useRef<HTMLButtonElement>(null);
  const declineButton = useRef<HTMLButtonElement>(null);
  const wasConfirming = useRef(false);
  useEffect(() => {
    // The pressed button had focus and has been removed, so focus Cancel instead.
    if (isConfirming) cancelButton.current?.focus();
    else if (wasConfirming.current) declineButton.current?.focus();
    wasConfirming.current = isConfirming;
  }, [isConfirming]);
  if (!isConfirming) {
    return (
      <Button
        ref={declineButton}
        tone="quiet"
        fullWidth
        className="mt-2 print:hidden"
        disabled={pending !== null}
        onClick={() => setConfirming(true)}
      >
        Not Interested
      </Button>
    );
  }
  return (
    <div role="group" aria-labelledby="decline" className="mt-2 flex flex-wrap items-center justify-center gap-2 print:hidden">
      <p id="decline" className="w-full text-center text-base font-medium">
        Decline this quote?
      </p>
      <Button tone="danger" className="flex-1" busy={pending === 'reject'} disabled={pending === 'accept'} onClick={() => void reject()}>
        {pending === 'reject' ? 'Processing...' : 'Decline'}
      </Button>
      <Button ref={cancelButton} className="flex-1" disabled={pending !== null} onClick={() => setConfirming(false)}>
        Cancel
      </Button>
    </div>
  );
}

interface AcceptedPanelProps {
  acceptance: NonNullable<PublicQuote['accepted']>;
  companyName: string;
  /** Path of the page where the deposit is paid; null if no deposit is due. */
  depositPath: string | null;
}

/** Displays the amounts stored at acceptance and never recalculates them. */
export function AcceptedPanel({ acceptance, companyName, depositPath }: AcceptedPanelProps) {
  const { document, accepted_by, accepted_at, timezone, is_intact } = acceptance;
  const zone = isTimeZone(timezone) ? timezone : 'UTC';
  return (
    <section
      aria-labelledby="accepted"
      className="mb-5 break-inside-avoid rounded-card bg-surface px-[16px] py-4 shadow-card lg:p-5 print:border print:shadow-none"
    >
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
        <div className="min-w-0 flex-1 basis-64">
          <h2 id="accepted" className="flex items-center gap-2 text-xl font-semibold">
            <CircleCheck aria-hidden="true" className="size-6 shrink-0 text-ok-ink" />
            Quote Accepted!
          </h2>
          <p className="mt-1 text-base text-ink-2">Thank you for accepting our quote. Your selections are shown below.</p>
          <p className="text-base text-ink-2">We'll be in touch soon to schedule your project.</p>
          <p className="mt-2 text-sm text-ink-3">{`Accepted by ${accepted_by} on ${formatDateTime(accepted_at, zone)} (${formatTimeZone(zone)})`}</p>
        </div>
        <p className="lg:text-right">
          <span className="block text-base text-ink-2">Final Total</span>
          <span className="block text-2xl font-semibold tabular-nums">{document.summary.total}</span>
        </p>
      </div>
      {depositPath !== null && (
        <div className="mt-4 flex flex-wrap items-center justify-between gap-3 border-t pt-4 print:hidden">
          {document.deposit && (
            <p className="text-base">
              Deposit on acceptance <span className="font-semibold tabular-nums">{document.deposit}</span>
            </p>
          )}
          <a href={depositPath} className={classNames(getButtonClasses('primary'), 'max-sm:w-full')}>
            Pay deposit
          </a>
        </div>
      )}
      {!is_intact && (
        <p
          role="alert"
          className="mt-4 flex items-start gap-2 rounded-control bg-danger-soft px-3 py-2 text-base font-medium text-danger-ink"
        >
          <CircleAlert aria-hidden="true" className="mt-px size-4.5 shrink-0" />
          This copy may have been altered since it was saved. Please ask {companyName} which figures are right.
        </p>
      )}
    </section>
  );
}
