import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { hasCode } from '../../lib/error-messages.ts';
import { QueryView } from '../../lib/query-view.tsx';
import { Sheet } from '../../ui/dialog.tsx';
import { SkeletonRows } from '../../ui/skeleton.tsx';
import { toast } from '../../ui/toast.ts';
import { useLazyModule, usePrefetch } from '../../ui/use-lazy-module.ts';
import { taskOptions } from './tasks.api.ts';

const loadEditor = () => import('./task-editor.tsx');

interface TaskDialogProps {
  /** The task to edit, 'new' for the form of a new one. */
  task: string | undefined;
  onClose: () => void;
  onBooked: EditorProps['onBooked'];
  /** There is no such task: the page shows without it. */
  onMissing: () => void;
}

export function TaskDialog({ task: wanted, onClose, onBooked, onMissing }: TaskDialogProps) {
  usePrefetch(loadEditor);
  // Kept while the dialog fades out.
  const [shown, setShown] = useState(wanted);
  if (wanted !== undefined && wanted !== shown) setShown(wanted);
  return (
    <Sheet
      open={wanted !== undefined}
      onOpenChange={(open) => open || onClose()}
      title={shown === 'new' ? 'Add Task' : 'Edit Task'}
      size="medium"
      inUrl
    >
      {shown === 'new' && <Editor onClose={onClose} onBooked={onBooked} />}
      {shown !== undefined && shown !== 'new' && (
        <StoredTask key={shown} id={shown} onClose={onClose} onBooked={onBooked} onMissing={onMissing} />
      )}
    </Sheet>
  );
}

const LOADING = <SkeletonRows label="Loading task" count={5} className="h-14" />;

function StoredTask({ id, onClose, onBooked, onMissing }: { id: string } & Omit<TaskDialogProps, 'task'>) {
  const query = useQuery(taskOptions(useQueryClient(), id));
  const { data, error } = query;
  const isUnknown = hasCode(error, 'NOT_FOUND') || hasCode(error, 'INVALID_INPUT');
  const isMissing = data === undefined && isUnknown;
  useEffect(() => {
    if (!isMissing) return;
    toast.error('Task not found. It may have been deleted.');
    onMissing();
  }, [isMissing, onMissing]);
  if (isMissing) return LOADING;
  return (
    <QueryView query={query} skeleton={LOADING}>
      {(task) => <Editor task={task} gone={isUnknown} onClose={onClose} onBooked={onBooked} />}
    </QueryView>
  );
}

type EditorProps = Parameters<Awaited<ReturnType<typeof loadEditor>>['TaskEditor']>[0];

/** Its code has the schemas of the contract, which the lists need not wait for. */
function Editor(props: EditorProps) {
  const file = useLazyModule(loadEditor, true, props.onClose);
  return file ? <file.TaskEditor {...props} /> : LOADING;
}
