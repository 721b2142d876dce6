import type { Job } from '@callout/contract/jobs';
import { Sheet } from '../../ui/dialog.tsx';
import { SkeletonRows } from '../../ui/skeleton.tsx';
import { useLazyModule } from '../../ui/use-lazy-module.ts';

interface AddItemSheetProps {
  job: Job;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

export function AddItemSheet({ job, open, onOpenChange }: AddItemSheetProps) {
  const module = useLazyModule(() => import('./add-item-content.tsx'), open);
  return (
    <Sheet open={open} onOpenChange={onOpenChange} title="Add Item" size="medium">
      {module ? (
        <module.AddItemContent job={job} onClose={() => onOpenChange(false)} />
      ) : (
        <SkeletonRows label="Loading..." count={4} className="h-18" />
      )}
    </Sheet>
  );
}
