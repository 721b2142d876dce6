import { useDialogSubject } from '../../ui/use-dialog-subject.ts';
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
  const { subject: cancellation, count } = useDialogSubject(subject);
  const dialogModule = useLazyModule(
    () => import('./cancel-billed-job-dialog.tsx'),
    isOpen,
    () => answer(false),
  );
  return {
    cancelBilledJob: canManagePayments ? ask : undefined,
    dialog: dialogModule && cancellation && (
      <dialogModule.CancelBilledJobDialog key={count} {...cancellation} open={isOpen} onClose={answer} />
    ),
  };
}
