import { CircleAlert, CloudOff } from 'lucide-react';
import { isOutboxDurable, retryCommand, toError } from '../../lib/commands/outbox.ts';
import { getErrorMessage, getFieldErrors } from '../../lib/error-messages.ts';
import { Button, Spinner } from '../../ui/button.tsx';
import type { RefusedEdit, UnsentComment } from './use-job-comments.ts';

/** Says in the header of a comment that the server doesn't have it yet. */
export function UnsentStatus({ isSending, refused }: UnsentComment) {
  if (refused) return <span className="font-medium text-danger-ink">Not sent</span>;
  if (isSending)
    return (
      <span role="status" className="inline-flex items-center gap-1.5">
        <Spinner className="size-3" />
        Sending…
      </span>
    );
  return (
    <span className="inline-flex items-center gap-1.5 font-medium text-warn-ink">
      <CloudOff aria-hidden="true" className="size-4 shrink-0" />
      {isOutboxDurable() ? 'Not sent yet' : 'Not sent yet. Keep this page open.'}
    </span>
  );
}

interface RefusalNoticeProps {
  /** What the server has refused, with the command that is sent again. */
  refused: Pick<NonNullable<UnsentComment['refused']>, 'id' | 'refusal'> | RefusedEdit;
  onEdit: () => void;
}

/** Shows below a comment why the server has refused it, one of its files or its new text. */
export function RefusalNotice({ refused, onEdit }: RefusalNoticeProps) {
  const error = toError(refused.refusal);
  const isEdit = 'change' in refused;
  const reason = Object.values(getFieldErrors(error))[0] ?? getErrorMessage(error);
  return (
    <>
      <p role="alert" className="mt-1.5 flex items-start gap-1.5 text-sm text-danger-ink">
        <CircleAlert aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
        {isEdit ? `Your change was not accepted: ${reason}` : reason}
      </p>
      <div className="mt-1.5 flex flex-wrap gap-2">
        {!isEdit && <Button onClick={() => void retryCommand(refused.id)}>Retry</Button>}
        <Button tone="quiet" onClick={onEdit}>
          Edit
        </Button>
      </div>
    </>
  );
}
