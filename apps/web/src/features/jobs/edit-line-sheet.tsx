import type { Job } from '@callout/contract/jobs';
import { Sheet } from '../../ui/dialog.tsx';
import { SkeletonRows } from '../../ui/skeleton.tsx';
import { confirmClose } from '../../ui/unsaved-forms.ts';
import { useDialogSubject } from '../../ui/use-dialog-subject.ts';
import { useLazyModule } from '../../ui/use-lazy-module.ts';

interface EditLineSheetProps {
  job: Job;
  /** Undefined while closed. */
  itemId: string | undefined;
  onClose: () => void;
}

export function EditLineSheet({ job, itemId, onClose }: EditLineSheetProps) {
  const module = useLazyModule(() => import('./edit-line-form.tsx'), itemId !== undefined);
  const item = job.items.find(({ id }) => id === itemId);
  // Also keeps a line that a colleague removes.
  const { subject: displayed } = useDialogSubject(item);
  const close = async () => {
    if (await confirmClose()) onClose();
  };
  return (
    <Sheet open={itemId !== undefined} onOpenChange={(open) => open || void close()} title="Edit Item" size="medium">
      {module && displayed ? (
        <module.EditLineForm
          key={displayed.id}
          job={job}
          item={displayed}
          isRemoved={itemId !== undefined && item === undefined}
          onClose={onClose}
        />
      ) : (
        <SkeletonRows label="Loading..." count={4} className="h-14" />
      )}
    </Sheet>
  );
}
