import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ChevronRight, Circle, CircleCheck, X } from 'lucide-react';
import { useEffect, useId } from 'react';
import { IconButton } from '../../ui/button.tsx';
import { classes } from '../../ui/classes.ts';
import { useDismissStartCard, useProfile } from '../company/company.api.ts';
import { customersCountOptions } from '../customers/customers.api.ts';
import { jobsCountOptions } from '../jobs/jobs.api.ts';
import { staffListQuery } from '../staff/staff.api.ts';
import { itemSearchOptions } from '../suppliers/suppliers-item-search.api.ts';

interface Step {
  label: string;
  hint: string;
  to: '/customers/new' | '/items-services' | '/jobs/new' | '/settings' | '/staff/new';
  /** It is not waited for: whoever works alone has nobody to invite. */
  isOptional?: boolean;
  /** Undefined until it is known. */
  isDone: boolean | undefined;
}

const moreThan = (limit: number, count: number | undefined) => (count === undefined ? undefined : count > limit);

/** What a new company does first; one line each. */
function useSteps(): readonly Step[] {
  const { address, avatar_url: logo } = useProfile() ?? {};
  const customers = useQuery(customersCountOptions()).data?.total;
  const items = useInfiniteQuery(itemSearchOptions('')).data?.pages[0]?.rows.length;
  const jobs = useQuery(jobsCountOptions()).data?.total;
  const staff = useQuery(staffListQuery).data?.rows.length;
  return [
    { label: 'Add a customer', hint: "You'll need one for jobs and quotes.", to: '/customers/new', isDone: moreThan(0, customers) },
    { label: 'Add a price', hint: 'A service or an item that you charge for.', to: '/items-services', isDone: moreThan(0, items) },
    { label: 'Book a job', hint: 'Who does what, where and when.', to: '/jobs/new', isDone: moreThan(0, jobs) },
    {
      label: 'Add your address and logo',
      hint: 'Optional. They appear on quotes and invoices.',
      to: '/settings',
      isDone: Boolean(address && logo),
      isOptional: true,
    },
    {
      label: 'Invite your team',
      hint: 'Optional. They get a link to join by email.',
      to: '/staff/new',
      isDone: moreThan(1, staff),
      isOptional: true,
    },
  ];
}

/** The first steps of a new company, until all that are not optional are done or it is dismissed. There from the start: it would push the day down. */
export function StartCard() {
  const steps = useSteps();
  const required = steps.filter(({ isOptional }) => !isOptional);
  const done = required.filter(({ isDone }) => isDone).length;
  const isComplete = done === required.length;
  const isKnown = required.every(({ isDone }) => isDone !== undefined);
  const { mutate: dismiss, isPending, isSuccess } = useDismissStartCard(isComplete);
  const title = useId();
  useEffect(() => {
    // Remembered, so that it does not come back when the last customer is deleted.
    if (isComplete) dismiss();
  }, [isComplete, dismiss]);
  if (isComplete || isPending || isSuccess) return null;
  return (
    <section aria-labelledby={title} className="mt-4 rounded-card bg-surface shadow-card lg:mt-5">
      <div className="flex items-center gap-3 py-1.5 pr-1.5 pl-4 lg:pl-5">
        <h2 id={title} className="text-lg font-semibold">
          Get started
        </h2>
        <span className="flex-1 text-sm text-ink-3 tabular-nums">{isKnown && `${done} of ${required.length} done`}</span>
        <IconButton label="Dismiss" onClick={() => dismiss()}>
          <X aria-hidden="true" />
        </IconButton>
      </div>
      <ol className="divide-y border-t">
        {steps.map((step) => (
          <StartStep key={step.label} step={step} />
        ))}
      </ol>
    </section>
  );
}

function StartStep({ step: { label, hint, to, isDone } }: { step: Step }) {
  const Icon = isDone ? CircleCheck : Circle;
  return (
    <li className="relative flex min-h-14 items-center gap-3 px-4 py-2.5 hover:bg-sunken lg:px-5">
      <Icon aria-hidden="true" className={classes('size-5 shrink-0', isDone ? 'text-ok-ink' : 'text-ink-3')} />
      <div className="min-w-0 flex-1">
        {isDone && <span className="sr-only">Done: </span>}
        <Link
          to={to}
          className={classes(
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
