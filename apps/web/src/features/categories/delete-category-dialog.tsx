import type { Category } from '@callout/contract/categories';
import { pluralize } from '@callout/domain/text/count-format';
import { DeleteDialog } from '../../ui/dialog.tsx';
import { useDialogSubject } from '../../ui/use-dialog-subject.ts';
import { useDeleteCategory } from './categories.api.ts';

interface DeleteCategoryDialogProps {
  /** The category to delete; null while the dialog is closed. */
  category: Category | null;
  /** Undefined if the category has no jobs or the count hasn't loaded. */
  jobCount: number | undefined;
  onClose: () => void;
}

export const formatJobCount = (count: number) => pluralize(count, 'job');

const formatConsequence = (count: number | undefined) =>
  count === 1 ? 'Its job is kept without it.' : `Its ${count === undefined ? 'jobs' : formatJobCount(count)} are kept without it.`;

export function DeleteCategoryDialog({ category, jobCount, onClose }: DeleteCategoryDialogProps) {
  const remove = useDeleteCategory();
  const { subject: displayed } = useDialogSubject(category);
  return (
    <DeleteDialog
      open={category !== null}
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
      title="Delete category"
      description={`Are you sure you want to delete “${displayed?.name ?? ''}”? ${formatConsequence(jobCount)}`}
      busy={remove.isPending}
      onDelete={async () => category && remove.mutateAsync(category)}
    />
  );
}
