import { useSyncExternalStore } from 'react';
import { classNames } from '../../ui/class-names.ts';
import { UnsentNotice } from '../unsent-notice.tsx';
import { listCommands, subscribeToCommands } from './outbox.ts';

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
  return <UnsentNotice iconOnly className={classNames('shrink-0 [animation:appear_160ms_1s_both]', className)} />;
}
