import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ChevronRight, Circle, CircleCheck, X } from 'lucide-react';
import { useEffect, useId } from 'react';
import { IconButton } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { useDismissGetStartedCard, useProfile } from '../company/company.api.ts';
import { customerCountQueryOptions } from '../customers/customers.api.ts';
import { jobCountQueryOptions } from '../jobs/jobs.api.ts';
import { quoteCountQueryOptions } from '../quotes/quotes.api.ts';
import { staffListQueryOptions } from '../staff/staff.api.ts';
import { itemSearchQueryOptions } from '../suppliers/suppliers-item-search.api.ts';

interface StartStep {
  label: string;
  hint: string;
  to: '/customers/new' | '/items-services' | '/jobs/new' | '/settings' | '/staff/new';
  /** True if the card counts as complete without this step. A person who works alone, for example, has no one to invite. */
  isOptional?: boolean;
  /** Undefined until the data has loaded. */
  isDone: boolean | undefined;
}

const exceedsLimit = (limit: number, count: number | undefined) => (count === undefined ? undefined : count > limit);

function useStartSteps(): readonly StartStep[] {
  const { address, avatar_url: logo } = useProfile() ?? {};
  const customers = useQuery(customerCountQueryOptions()).data?.total;
  const items = useInfiniteQuery(itemSearchQueryOptions('')).data?.pages[0]?.rows.length;
  const quotes = useQuery(quoteCountQueryOptions()).data?.total;
  const jobs = useQuery(jobCountQueryOptions()).data?.total;
  const staff = useQuery(staffListQueryOptions).data?.rows.length;
  return [
    { label: 'Add a customer', hint: "You'll need one for jobs and quotes.", to: '/customers/new', isDone: exceedsLimit(0, customers) },
    {
      label: 'Add a price',
      hint: 'A service or item you charge for.',
      to: '/items-services',
      // Items can also be typed into a quote, without a price list.
      isDone: items === undefined || quotes === undefined ? undefined : items + quotes > 0,
    },
    { label: 'Book a job', hint: 'Who does what, where and when.', to: '/jobs/new', isDone: exceedsLimit(0, jobs) },
    {
      label: 'Add your address and logo',
      hint: 'Optional. Shown on your quotes and invoices.',
      to: '/settings',
      isDone: Boolean(address && logo),
      isOptional: true,
    },
    {
      label: 'Invite your team',
      hint: 'Optional. Each person gets a link to join.',
      to: '/staff/new',
      isDone: exceedsLimit(1, staff),
      isOptional: true,
    },
  ];
}

/** Shown until the required steps are done or the user dismisses the card. Rendered before its data loads, to avoid a layout shift. */
export function GetStartedCard() {
  const steps = useStartSteps();
  const required = steps.filter(({ isOptional }) => !isOptional);
  const isComplete = required.every(({ isDone }) => isDone);
  const isLoaded = steps.every(({ isDone }) => isDone !== undefined);
  const done = steps.filter(({ isDone }) => isDone).length;
  const { mutate: dismiss, isPending, isSuccess } = useDismissGetStartedCard(isComplete);
  const titleId = useId();
  useEffect(() => {
    // Stores the dismissal on the server. Otherwise the card would return if the only customer is deleted.
    if (isComplete) dismiss();
  }, [isComplete, dismiss]);
  if (isComplete || isPending || isSuccess) return null;
  return (
    <section aria-labelledby={titleId} className="mt-4 rounded-card bg-surface shadow-card lg:mt-5">
      <div className="flex items-center gap-3 py-1.5 pr-1.5 pl-4 lg:pl-5">
        <h2 id={titleId} className="text-lg font-semibold">
          Get started
        </h2>
        <span className="flex-1 text-sm text-ink-3 tabular-nums">{isLoaded && `${done} of ${steps.length} done`}</span>
        <IconButton label="Dismiss" onClick={() => dismiss()}>
          <X aria-hidden="true" />
        </IconButton>
      </div>
      <ol className="divide-y border-t">
        {steps.map((step) => (
          <StartStepRow key={step.label} step={step} />
        ))}
      </ol>
    </section>
  );
}

function StartStepRow({ step: { label, hint, to, isDone } }: { step: StartStep }) {
  const Icon = isDone ? CircleCheck : Circle;
  return (
    <li className="relative flex min-h-14 items-center gap-3 px-4 py-2.5 hover:bg-sunken lg:px-5">
      <Icon aria-hidden="true" className={classNames('size-5 shrink-0', isDone ? 'text-ok-ink' : 'text-ink-3')} />
      <div className="min-w-0 flex-1">
        {isDone && <span className="sr-only">Done: </span>}
        <Link
          to={to}
          className={classNames(
            'text-base font-medium after:absolute after:inset-0 after:-outline-offset-2 focus-visible:outline-none focus-visible:after:outline-2',
            isDone && 'text-ink-3 line-through',
          )}
        >
          {label}
        </Link>
        <p className="text-sm text-ink-3">{hint}</p>
      </div>
      <ChevronRight aria-hidden="true" className="size-4.5 shrink-0 text-ink-3" />
    </li>
  );
}
