import type { Category } from '@callout/contract/categories';
import { countText } from '@callout/domain/text/count-text';
import { useState } from 'react';
import { DeleteDialog } from '../../ui/dialog.tsx';
import { useDeleteCategory } from './categories.api.ts';

interface DeleteCategoryProps {
  /** The category to delete; null closes the dialog. */
  category: Category | null;
  /** How many jobs it has, if any and if known. */
  jobs: number | undefined;
  onClose: () => void;
}

export const jobsText = (jobs: number) => countText(jobs, 'job');

const consequence = (jobs: number | undefined) => {
  if (jobs === 1) return 'Its job is kept and becomes uncategorized.';
  return `Its ${jobs === undefined ? 'jobs' : jobsText(jobs)} are kept and become uncategorized.`;
};

export function DeleteCategory({ category, jobs, onClose }: DeleteCategoryProps) {
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
      description={`Are you sure you want to delete “${asked?.name ?? ''}”? ${consequence(jobs)}`}
      busy={remove.isPending}
      onDelete={async () => category && remove.mutateAsync(category)}
    />
  );
}
