import { Link } from '@tanstack/react-router';
import { CloudOff, TriangleAlert } from 'lucide-react';
import { useCommands } from '../../lib/commands/overlays.ts';
import { classNames } from '../../ui/class-names.ts';
import { useIsConnected } from '../offline/offline-state.ts';

/** Says in the header how many changes are not sent yet, and opens their page. Shows nothing while each is answered at once. */
export function UnsentChip() {
  const commands = useCommands();
  const isConnected = useIsConnected();
  const refused = commands.filter(({ refusal }) => refusal).length;
  const isOffline = commands.length > 0 && !isConnected;
  if (refused === 0 && !isOffline) return null;
  const [Icon, label, count] = refused > 0 ? [TriangleAlert, 'Not accepted', refused] : [CloudOff, 'Waiting', commands.length];
  return (
    <Link
      to="/unsent"
      aria-label={`${label} (${count})`}
      className={classNames(
        'flex h-11 shrink-0 items-center gap-2 rounded-control px-3 text-base font-semibold whitespace-nowrap lg:h-9',
        refused > 0 ? 'bg-danger-soft text-danger-ink' : 'bg-warn-soft text-warn-ink',
      )}
    >
      <Icon aria-hidden="true" className="size-4" />
      {/* A phone's header has no room for the words beside a running timer. */}
      <span className="max-lg:hidden">{`${label} (${count})`}</span>
      <span className="tabular-nums lg:hidden">{count}</span>
    </Link>
  );
}
