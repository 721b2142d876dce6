import type { JobComment } from '@callout/contract/comments';
import { useState } from 'react';
import { useCommand } from '../../lib/commands/use-command.ts';
import { DeleteDialog } from '../../ui/dialog.tsx';
import { useMe } from '../company/company.api.ts';
import type { NamedJob } from '../jobs/jobs.api.ts';
import { removeComment } from './comments.api.ts';
import { discardUnsentComment } from './unsent-comment-actions.ts';

/**
 * Keeps the confirmation dialog outside the list, which unmounts with its last comment. Focus then moves to the heading. A comment that the
 * server doesn't have yet is only removed from this device.
 */
export function useCommentDeletion(job: NamedJob, unsentIds: ReadonlySet<string>, fallbackFocusId: string) {
  const { user } = useMe();
  const deletion = useCommand(removeComment);
  const [comment, setComment] = useState<JobComment>();
  const [isConfirming, setConfirming] = useState(false);
  const remove = ({ id, content, mentions }: JobComment) =>
    unsentIds.has(id) ? discardUnsentComment(id) : deletion.mutateAsync({ job, comment: { id, content, mentions } });
  const describe = ({ id, attachments }: JobComment) => {
    if (unsentIds.has(id)) return "It hasn't been sent yet.";
    if (attachments.length === 0) return "The job's history keeps the text.";
    return "Its files will also be deleted. The job's history keeps the text and the file names.";
  };
  return {
    confirm: (chosen: JobComment) => {
      setComment(chosen);
      setConfirming(true);
    },
    dialog: comment && (
      <DeleteDialog
        open={isConfirming}
        onOpenChange={setConfirming}
        title={comment.author.staff_id === user.staff_id ? 'Delete your comment?' : `Delete ${comment.author.name}'s comment?`}
        description={describe(comment)}
        busy={deletion.isPending}
        fallbackFocusId={fallbackFocusId}
        onDelete={() => remove(comment)}
      />
    ),
  };
}
