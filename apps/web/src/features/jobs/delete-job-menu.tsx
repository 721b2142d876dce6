import type { Job } from '@callout/contract/jobs';
import { DeleteMenu } from '../../ui/delete-menu.tsx';
import type { MenuItem } from '../../ui/menu.tsx';

interface DeleteJobMenuProps {
  job: Job;
  actions?: readonly MenuItem[];
  busy: boolean;
  onDelete: () => Promise<unknown>;
}

export function DeleteJobMenu({ job, actions, busy, onDelete }: DeleteJobMenuProps) {
  return (
    <DeleteMenu
      actions={actions}
      title={`Delete job “${job.title}”?`}
      description={
        <>
          <span className="block">Are you sure you want to delete this job? This action cannot be undone.</span>
          <span className="mt-2 block">Its items, comments and files will also be deleted. Tracked time stays on the time sheet.</span>
        </>
      }
      busy={busy}
      onDelete={onDelete}
    />
  );
}
