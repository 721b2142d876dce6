import type { Job } from '@callout/contract/jobs';
import { Sheet } from '../../ui/dialog.tsx';
import { SkeletonRows } from '../../ui/skeleton.tsx';
import { confirmClose } from '../../ui/unsaved-forms.ts';
import { useLazyModule } from '../../ui/use-lazy-module.ts';

interface AddItemSheetProps {
  job: Job;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

export function AddItemSheet({ job, open, onOpenChange }: AddItemSheetProps) {
  const module = useLazyModule(() => import('./add-item-content.tsx'), open);
  const close = async () => {
    if (await confirmClose()) onOpenChange(false);
  };
  return (
    <Sheet open={open} onOpenChange={(isOpening) => isOpening || void close()} title="Add Item" size="medium">
      {module ? (
        <module.AddItemContent job={job} onClose={() => onOpenChange(false)} />
      ) : (
        <SkeletonRows label="Loading..." count={4} className="h-18" />
      )}
    </Sheet>
  );
}
