import { useEffect } from 'react';
import { hasErrorCode } from '../../lib/error-messages.ts';
import { QueryView } from '../../lib/query-view.tsx';
import { Sheet } from '../../ui/dialog.tsx';
import { SkeletonRows } from '../../ui/skeleton.tsx';
import { toast } from '../../ui/toast.ts';
import { useDialogSubject } from '../../ui/use-dialog-subject.ts';
import { useLazyModule, usePrefetch } from '../../ui/use-lazy-module.ts';
import { useTask } from './tasks.api.ts';

const loadTaskEditor = () => import('./task-editor.tsx');

interface TaskDialogProps {
  /** Id of the task to edit, 'new' for a new one, or undefined while closed. */
  task: string | undefined;
  onClose: () => void;
  onBooked: TaskEditorProps['onBooked'];
  onMissing: () => void;
}

export function TaskDialog({ task, onClose, onBooked, onMissing }: TaskDialogProps) {
  usePrefetch(loadTaskEditor);
  const { subject: displayed } = useDialogSubject(task);
  return (
    <Sheet
      open={task !== undefined}
      onOpenChange={(open) => open || onClose()}
      title={displayed === 'new' ? 'Add Task' : 'Edit Task'}
      size="medium"
      isOpenedByUrl
    >
      {displayed === 'new' && <LazyTaskEditor onClose={onClose} onBooked={onBooked} />}
      {displayed !== undefined && displayed !== 'new' && (
        <ExistingTask key={displayed} id={displayed} onClose={onClose} onBooked={onBooked} onMissing={onMissing} />
      )}
    </Sheet>
  );
}

const LOADING_SKELETON = <SkeletonRows label="Loading task" count={5} className="h-14" />;

function ExistingTask({ id, onClose, onBooked, onMissing }: { id: string } & Omit<TaskDialogProps, 'task'>) {
  const query = useTask(id);
  const { data, error } = query;
  const isNotFound = hasErrorCode(error, 'NOT_FOUND') || hasErrorCode(error, 'INVALID_INPUT');
  const isMissing = data === undefined && isNotFound;
  useEffect(() => {
    if (!isMissing) return;
    toast.error('Task not found. It may have been deleted.');
    onMissing();
  }, [isMissing, onMissing]);
  if (isMissing) return LOADING_SKELETON;
  return (
    <QueryView query={query} skeleton={LOADING_SKELETON}>
      {(stored) => <LazyTaskEditor task={stored} isDeleted={isNotFound} onClose={onClose} onBooked={onBooked} />}
    </QueryView>
  );
}

type TaskEditorProps = Parameters<Awaited<ReturnType<typeof loadTaskEditor>>['TaskEditor']>[0];

/** Loads the editor on demand, because its bundle includes the contract's schemas, which the task lists don't need. */
function LazyTaskEditor(props: TaskEditorProps) {
  const module = useLazyModule(loadTaskEditor, true, props.onClose);
  return module ? <module.TaskEditor {...props} /> : LOADING_SKELETON;
}
