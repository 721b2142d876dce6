import type { Job } from '@callout/contract/jobs';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { useLazyModule } from '../../ui/use-lazy-module.ts';

/** State of a dialog that is remounted (by its key) each time it opens, which resets its fields. */
function useRemountedDialog() {
  const [{ isOpen, count }, setState] = useState({ isOpen: false, count: 0 });
  return {
    isOpen,
    key: count,
    open: () => setState((state) => ({ isOpen: true, count: state.count + 1 })),
    setOpen: (open: boolean) => setState((state) => ({ ...state, isOpen: open })),
  };
}

export function useAllocateDialog(job: Job) {
  const { isOpen, key, open, setOpen } = useRemountedDialog();
  const module = useLazyModule(
    () => import('./allocate-dialog.tsx'),
    isOpen,
    () => setOpen(false),
  );
  return { open, dialog: module && <module.AllocateDialog key={key} job={job} open={isOpen} onOpenChange={setOpen} /> };
}

export function useAddTimeDialog(job: Job) {
  const { isOpen, key, open, setOpen } = useRemountedDialog();
  const module = useLazyModule(
    () => import('./add-time-dialog.tsx'),
    isOpen,
    () => setOpen(false),
  );
  return { open, dialog: module && <module.AddTimeDialog key={key} job={job} open={isOpen} onOpenChange={setOpen} /> };
}

export function AddTimeButton({ onClick }: { onClick: () => void }) {
  return (
    <Button onClick={onClick}>
      <Plus aria-hidden="true" />
      Add time
    </Button>
  );
}
