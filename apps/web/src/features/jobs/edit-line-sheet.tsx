import type { Job, JobItem } from '@callout/contract/jobs';
import { Sheet } from '../../ui/dialog.tsx';
import { SkeletonRows } from '../../ui/skeleton.tsx';
import { useDialogSubject } from '../../ui/use-dialog-subject.ts';
import { useLazyModule } from '../../ui/use-lazy-module.ts';

interface EditLineSheetProps {
  job: Job;
  /** Undefined while closed. */
  item: JobItem | undefined;
  onClose: () => void;
}

export function EditLineSheet({ job, item, onClose }: EditLineSheetProps) {
  const module = useLazyModule(() => import('./edit-line-form.tsx'), item !== undefined);
  const { subject: displayed } = useDialogSubject(item);
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
