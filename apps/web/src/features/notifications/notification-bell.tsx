import { Bell } from 'lucide-react';
import { useState } from 'react';
import { IconButton } from '../../ui/button.tsx';
import { useLazyModule } from '../../ui/use-lazy-module.ts';
import { useNotifications } from './notifications.api.ts';
import { formatBadgeCount } from './notifications-cache.ts';

export function NotificationBell({ isEnabled }: { isEnabled: boolean }) {
  const { data } = useNotifications(isEnabled);
  const [isPanelRequested, setPanelRequested] = useState(false);
  const panel = useLazyModule(
    () => import('./notifications-panel.tsx'),
    isPanelRequested,
    () => setPanelRequested(false),
  );
  const badge = formatBadgeCount(data?.unread ?? 0);
  const bell = (
    <IconButton
      label={badge ? `Notifications, ${badge} unread` : 'Notifications'}
      aria-haspopup="dialog"
      className="relative"
      onClick={() => setPanelRequested(true)}
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
