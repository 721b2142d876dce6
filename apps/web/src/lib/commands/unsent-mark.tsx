import { CloudOff } from 'lucide-react';
import { useSyncExternalStore } from 'react';
import { classNames } from '../../ui/class-names.ts';
import { listCommands, subscribeToCommands } from './outbox.ts';

const TEXT = 'Not sent yet';

interface UnsentMarkProps {
  lane: string;
  /** Limits the mark to commands whose input has this id, in a lane that many records share. */
  id?: string;
  className?: string;
}

/** Marks a record while changes of its lane wait. Appears after a second, so that it doesn't flash whenever something is sent. */
export function UnsentMark({ lane, id, className }: UnsentMarkProps) {
  const isUnsent = useSyncExternalStore(subscribeToCommands, () =>
    listCommands().some(
      ({ lane: other, input, refusal }) => other === lane && !refusal && (id === undefined || (input as { id?: unknown }).id === id),
    ),
  );
  if (!isUnsent) return null;
  return (
    <span title={TEXT} className={classNames('shrink-0 text-warn-ink [animation:appear_160ms_1s_both]', className)}>
      <CloudOff aria-hidden="true" className="size-4" />
      <span className="sr-only">{TEXT}</span>
    </span>
  );
}
