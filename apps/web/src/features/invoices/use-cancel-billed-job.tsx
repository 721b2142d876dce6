import { useState } from 'react';
import { useLazyModule } from '../../ui/use-lazy-module.ts';
import { usePrompt } from '../../ui/use-prompt.ts';
import { useCan } from '../company/company.api.ts';

export interface BilledJobCancellation {
  readonly jobId: string;
  /** Saves other changes to the job once the user has agreed, before the job is canceled. Must report its own failures. */
  readonly saveEdits?: () => Promise<unknown>;
}

/**
 * Lets people who may manage payments cancel a job that has an open invoice, on any page that can cancel jobs. `cancelBilledJob` opens the
 * dialog and returns false if the job wasn't canceled; it is undefined for everyone else.
 */
export function useCancelBilledJob() {
  const canManagePayments = useCan('payments.manage');
  const { subject, isOpen, ask, answer } = usePrompt<BilledJobCancellation, boolean>();
  /** Stays set while the dialog closes, so that focus can return to where it was. */
  const [latest, setLatest] = useState({ cancellation: subject, count: 0 });
  if (subject && subject !== latest.cancellation) setLatest({ cancellation: subject, count: latest.count + 1 });
  const dialogModule = useLazyModule(
    () => import('./cancel-billed-job-dialog.tsx'),
    isOpen,
    () => answer(false),
  );
  return {
    cancelBilledJob: canManagePayments ? ask : undefined,
    dialog: dialogModule && latest.cancellation && (
      <dialogModule.CancelBilledJobDialog key={latest.count} {...latest.cancellation} open={isOpen} onClose={answer} />
    ),
  };
}
