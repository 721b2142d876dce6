import type { JobComment } from '@callout/contract/comments';
import { useState } from 'react';
import { DeleteDialog } from '../../ui/dialog.tsx';
import { useMe } from '../company/company.api.ts';
import { useDeleteComment } from './comments.api.ts';

/** Keeps the confirmation dialog outside the list, which unmounts with its last comment. Focus then moves to the heading. */
export function useCommentDeletion(jobId: string, fallbackFocusId: string) {
  const { user } = useMe();
  const deletion = useDeleteComment(jobId);
  const [comment, setComment] = useState<JobComment>();
  const [isConfirming, setConfirming] = useState(false);
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
        description={
          comment.attachments.length > 0
            ? "Its files will also be deleted. The job's history keeps the text and the file names."
            : "The job's history keeps the text."
        }
        busy={deletion.isPending}
        fallbackFocusId={fallbackFocusId}
        onDelete={() => deletion.mutateAsync({ id: comment.id })}
      />
    ),
  };
}
