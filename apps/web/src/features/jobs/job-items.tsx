import type { Job } from '@callout/contract/jobs';
import { calculateJobTotals, getFixedPrice } from '@callout/domain/jobs/job-price';
import { formatMoney } from '@callout/domain/money/money-format';
import { getTaxInclusionLabel } from '@callout/domain/tax/tax';
import { pluralize } from '@callout/domain/text/count-format';
import { ChevronDown, Pencil, Plus } from 'lucide-react';
import { useState } from 'react';
import { Button, IconButton } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { classNames } from '../../ui/class-names.ts';
import { DESKTOP_UP, useMediaQuery } from '../../ui/use-browser-state.ts';
import { useCan } from '../company/company.api.ts';
import { AddItemSheet } from './add-item-sheet.tsx';
import { EditLineSheet } from './edit-line-sheet.tsx';
import { ItemsList, ItemsTable, type JobTotals, NO_ITEMS_MESSAGE } from './job-item-rows.tsx';
import { hasPaidItems, PAID_JOB_NOTE, PaidJobQuestion } from './paid-job-question.tsx';

/** Calculates the totals with the same code as the server, so that they update as soon as a quantity changes. */
function calculateTotals(job: Job): JobTotals | undefined {
  if (job.items.length === 0 && (job.job_type !== 'fixed' || job.fixed_amount === null)) return undefined;
  return calculateJobTotals(job, job.items, job.tax_rate);
}

/**
 * Lists the job's billable items and their totals. Phones show only the count and total until expanded. The items of a paid job can be
 * changed only by people who may manage payments, after they have confirmed it once.
 */
export function JobItems({ job }: { job: Job }) {
  const [isAdding, setAdding] = useState(false);
  const [editedId, setEditedId] = useState<string>();
  const [isExpanded, setExpanded] = useState(false);
  const [isUnlocked, setUnlocked] = useState(false);
  const isDesktop = useMediaQuery(DESKTOP_UP);
  const [canWork, canManagePayments] = [useCan('jobs.work'), useCan('payments.manage')];
  const totals = calculateTotals(job);
  const isVisible = isDesktop || (isExpanded && totals !== undefined);
  const isLocked = hasPaidItems(job) && !isUnlocked;
  const rows = {
    job,
    totals,
    isReadOnly: !canWork || isLocked,
    onEdit: canManagePayments ? setEditedId : undefined,
  };
  return (
    <section aria-labelledby="job-items">
      <Card>
        <div className="flex flex-wrap items-center justify-between gap-1 py-2 pr-2 pl-4 lg:pl-5">
          <div className="min-w-0 flex-1 basis-24 py-1">
            <h2 id="job-items" className="text-lg font-semibold">
              Items &amp; Services {isDesktop && job.items.length > 0 && <ItemCount count={job.items.length} />}
            </h2>
            {!isDesktop && <ItemsSummary job={job} totals={totals} />}
          </div>
          <div className="flex shrink-0 items-center">
            {isLocked && canManagePayments && <UnlockButton job={job} isDesktop={isDesktop} onUnlock={() => setUnlocked(true)} />}
            {canWork && !isLocked && (
              <Button
                data-add=""
                onClick={() => setAdding(true)}
                tone={isDesktop ? 'secondary' : 'accent'}
                className={isDesktop ? 'mr-1.5' : 'px-1.5!'}
              >
                <Plus aria-hidden="true" />
                Add Item
              </Button>
            )}
            {!isDesktop && totals && (
              <IconButton
                label={isExpanded ? 'Hide the items' : 'Show the items'}
                aria-expanded={isExpanded}
                onClick={() => setExpanded(!isExpanded)}
              >
                <ChevronDown aria-hidden="true" className={classNames('transition-transform duration-160', isExpanded && 'rotate-180')} />
              </IconButton>
            )}
          </div>
        </div>
        {isLocked && canWork && !canManagePayments && <p className="px-4 pb-3 text-base text-ink-2 lg:px-5">{PAID_JOB_NOTE}</p>}
        {isVisible && (isDesktop ? <ItemsTable {...rows} /> : <ItemsList {...rows} />)}
      </Card>
      <AddItemSheet job={job} open={isAdding} onOpenChange={setAdding} />
      <EditLineSheet job={job} itemId={editedId} onClose={() => setEditedId(undefined)} />
    </section>
  );
}

interface UnlockButtonProps {
  job: Job;
  isDesktop: boolean;
  onUnlock: () => void;
}

/** Asks before the items of a paid job can be changed. The answer applies until the page is left. */
function UnlockButton({ job, isDesktop, onUnlock }: UnlockButtonProps) {
  const [isAsking, setAsking] = useState(false);
  return (
    <>
      <Button onClick={() => setAsking(true)} tone={isDesktop ? 'secondary' : 'accent'} className={isDesktop ? 'mr-1.5' : 'px-1.5!'}>
        <Pencil aria-hidden="true" />
        Change Items
      </Button>
      <PaidJobQuestion
        job={job}
        open={isAsking}
        onOpenChange={setAsking}
        onConfirm={() => {
          setAsking(false);
          onUnlock();
        }}
      />
    </>
  );
}

function ItemCount({ count }: { count: number }) {
  return <span className="ml-1 text-sm font-normal text-ink-3">{count}</span>;
}

function ItemsSummary({ job, totals }: { job: Job; totals: JobTotals | undefined }) {
  const { currency } = job;
  const { items } = job;
  const emptyText = getFixedPrice(job) === null ? NO_ITEMS_MESSAGE : 'Fixed price';
  return (
    <p className="text-base text-ink-2">
      {items.length === 0 ? emptyText : pluralize(items.length, 'item')}
      {totals && (
        <>
          {' · '}
          <span className="whitespace-nowrap">
            <span className="font-semibold text-ink tabular-nums">{formatMoney(totals.total_amount, currency)}</span>
            {` ${getTaxInclusionLabel(true)}`}
          </span>
        </>
      )}
    </p>
  );
}
