import { useQuery } from '@tanstack/react-query';
import { Bell } from 'lucide-react';
import { useState } from 'react';
import { IconButton } from '../../ui/button.tsx';
import { useLazyModule } from '../../ui/use-lazy-module.ts';
import { notificationsQuery } from './notifications.api.ts';
import { badgeCount } from './notifications-cache.ts';

/** The bell with its badge. The list's code is loaded at the first click. */
export function NotificationBell({ isEnabled }: { isEnabled: boolean }) {
  const { data } = useQuery({ ...notificationsQuery, enabled: isEnabled });
  const [isWanted, setWanted] = useState(false);
  const panel = useLazyModule(
    () => import('./notifications-panel.tsx'),
    isWanted,
    () => setWanted(false),
  );
  const badge = badgeCount(data?.unread ?? 0);
  const bell = (
    <IconButton
      label={badge ? `Notifications, ${badge} unread` : 'Notifications'}
      aria-haspopup="dialog"
      className="relative"
      onClick={() => setWanted(true)}
    >
      <Bell aria-hidden="true" />
      {badge && (
        <span
          data-badge=""
          className="absolute top-0.5 left-1/2 flex h-4.5 min-w-4.5 items-center justify-center rounded-full bg-danger px-1 text-[0.6875rem] leading-none font-semibold text-on-danger tabular-nums ring-2 ring-surface lg:-top-0.5"
        >
          {badge}
        </span>
      )}
    </IconButton>
  );
  return panel ? <panel.NotificationsPanel trigger={bell} /> : bell;
}
