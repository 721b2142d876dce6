import type { Category } from '@callout/contract/categories';
import { useState } from 'react';
import { DeleteDialog } from '../../ui/dialog.tsx';
import { useDeleteCategory } from './categories.api.ts';

interface DeleteCategoryProps {
  /** The category to delete; null closes the dialog. */
  category: Category | null;
  onClose: () => void;
}

export function DeleteCategory({ category, onClose }: DeleteCategoryProps) {
  const remove = useDeleteCategory();
  // Kept while the dialog fades out.
  const [asked, setAsked] = useState(category);
  if (category && category !== asked) setAsked(category);
  return (
    <DeleteDialog
      open={category !== null}
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
      title="Delete category"
      description={`Are you sure you want to delete “${asked?.name ?? ''}”? Its jobs are kept and become uncategorized.`}
      busy={remove.isPending}
      onDelete={async () => category && remove.mutateAsync(category)}
    />
  );
}
