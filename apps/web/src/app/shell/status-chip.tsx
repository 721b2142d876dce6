import { formatDate, formatDateTime, formatTime } from '@callout/domain/time/date-format';
import { Link } from '@tanstack/react-router';
import { CloudOff, TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import { useCommands } from '../../lib/commands/overlays.ts';
import { useIsOffline, useOfflineState } from '../../lib/offline-state.ts';
import { useDisplayTimeZone } from '../../lib/time-zone.ts';
import { classNames } from '../../ui/class-names.ts';

/**
 * The connection's state, in the header: what the server has refused, how much waits for a connection, or since when there is none. Leads to
 * the page of unsent changes. Shows nothing while the device is online and each change is answered at once.
 */
export function StatusChip() {
  const isOffline = useIsOffline();
  const isRefused = useCommands().some(({ refusal }) => refusal);
  // With a key, so that each loss of the connection is noticed anew.
  return (isOffline || isRefused) && <Chip key={String(isOffline)} isOffline={isOffline} />;
}

function Chip({ isOffline }: { isOffline: boolean }) {
  const commands = useCommands();
  const [noticedAt] = useState(() => Date.now());
  /** When the server responded last, or else when the browser noticed that it has no connection. */
  const since = useOfflineState((state) => state.lostAt) ?? noticedAt;
  const zone = useDisplayTimeZone();
  const oldestReadAt = useOfflineState((state) => state.oldestReadAt);
  const refused = commands.filter(({ refusal }) => refusal).length;
  const count = refused || commands.length;
  const offlineLabel = `Offline since ${formatShortly(since, zone)}`;
  const label = refused > 0 ? `Not accepted (${count})` : count > 0 ? `Waiting (${count})` : offlineLabel;
  const age = oldestReadAt !== undefined && ` This page was last updated ${formatDateTime(new Date(oldestReadAt).toISOString(), zone)}.`;
  const Icon = refused > 0 ? TriangleAlert : CloudOff;
  return (
    <Link
      to="/unsent"
      aria-label={label}
      title={isOffline ? `${offlineLabel}.${age || ''}` : label}
      className={classNames(
        'flex h-11 shrink-0 items-center gap-2 rounded-control px-3 text-base font-semibold whitespace-nowrap lg:h-9',
        refused > 0 ? 'bg-danger-soft text-danger-ink' : 'bg-warn-soft text-warn-ink',
      )}
    >
      <Icon aria-hidden="true" className="size-4" />
      {/* A phone's header has no room for the words beside a running timer. */}
      <span className="max-lg:hidden">{label}</span>
      <span className="tabular-nums lg:hidden">{count > 0 ? count : 'Offline'}</span>
    </Link>
  );
}

function formatShortly(time: number, zone: string): string {
  const [instant, now] = [new Date(time).toISOString(), new Date().toISOString()];
  const isToday = formatDate(instant, zone) === formatDate(now, zone);
  return isToday ? formatTime(instant, zone) : formatDate(instant, zone);
}
