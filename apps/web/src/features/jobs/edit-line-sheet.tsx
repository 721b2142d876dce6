import type { Job, JobItem } from '@callout/contract/jobs';
import { useState } from 'react';
import { Sheet } from '../../ui/dialog.tsx';
import { SkeletonRows } from '../../ui/skeleton.tsx';
import { useLazyModule } from '../../ui/use-lazy-module.ts';

interface EditLineSheetProps {
  job: Job;
  /** Undefined while closed. */
  item: JobItem | undefined;
  onClose: () => void;
}

export function EditLineSheet({ job, item, onClose }: EditLineSheetProps) {
  const module = useLazyModule(() => import('./edit-line-form.tsx'), item !== undefined);
  // Keeps its value while the dialog fades out, so that the content stays visible.
  const [displayed, setDisplayed] = useState(item);
  if (item !== undefined && item !== displayed) setDisplayed(item);
  return (
    <Sheet open={item !== undefined} onOpenChange={(open) => open || onClose()} title="Edit Item" size="medium">
      {module && displayed ? (
        <module.EditLineForm key={displayed.id} job={job} item={displayed} onClose={onClose} />
      ) : (
        <SkeletonRows label="Loading..." count={4} className="h-14" />
      )}
    </Sheet>
  );
}
