import type { Category } from '@callout/contract/categories';
import { useState } from 'react';
import { hasCode } from '../../lib/error-messages.ts';
import { reportFailure } from '../../lib/report-failure.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { toast } from '../../ui/toast.ts';
import { useDeleteCategory } from './categories.api.ts';

interface DeleteCategoryProps {
  /** The one that is asked about; null closes. */
  category: Category | null;
  onClose: () => void;
}

export function DeleteCategory({ category, onClose }: DeleteCategoryProps) {
  const remove = useDeleteCategory();
  // Its name stays in the question while that fades away.
  const [asked, setAsked] = useState(category);
  if (category && category !== asked) setAsked(category);
  const confirm = async () => {
    if (!category) return;
    try {
      await remove.mutateAsync(category);
      toast.success('Category deleted successfully');
    } catch (error) {
      // Somebody else was quicker: it is gone, as wanted.
      if (hasCode(error, 'NOT_FOUND')) toast.success('Category deleted successfully');
      else reportFailure(error, 'Failed to delete category');
    }
    onClose();
  };
  return (
    <ConfirmDialog
      open={category !== null}
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
      title="Delete category"
      description={`Are you sure you want to delete “${asked?.name ?? ''}”? Jobs that have it stay, without it.`}
      confirmLabel={remove.isPending ? 'Deleting…' : 'Delete'}
      busy={remove.isPending}
      onConfirm={() => void confirm()}
    />
  );
}
