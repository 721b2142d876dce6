import { Popover } from '@base-ui/react/popover';
import type { Notification } from '@callout/contract/notifications';
import { useNavigate } from '@tanstack/react-router';
import { type ReactElement, useState } from 'react';
import { useCommand } from '../../lib/commands/use-command.ts';
import { createId } from '../../lib/create-id.ts';
import { QueryView } from '../../lib/query-view.tsx';
import { Button } from '../../ui/button.tsx';
import { useCloseOnBack } from '../../ui/use-close-on-back.ts';
import { NotificationItem } from './notification-item.tsx';
import {
  markAllNotificationsRead,
  markNotificationRead,
  removeNotification,
  useClearNotifications,
  useNotifications,
} from './notifications.api.ts';

const POPUP_CLASSES =
  'flex max-h-[min(34rem,calc(100dvh-8rem))] w-[min(25rem,calc(100vw-1rem))] flex-col overflow-clip rounded-card bg-raised shadow-float outline-none transition-opacity duration-120 ' +
  'data-ending-style:opacity-0 data-starting-style:opacity-0';

/** Popover below the bell. Closes on Escape, Back, an outside click, or a click on a notification. */
export function NotificationsPanel({ trigger }: { trigger: ReactElement }) {
  const [isOpen, setOpen] = useState(true);
  useCloseOnBack(isOpen, () => setOpen(false));
  return (
    <Popover.Root open={isOpen} onOpenChange={setOpen}>
      <Popover.Trigger render={trigger} />
      <Popover.Portal>
        <Popover.Positioner align="end" sideOffset={6} collisionPadding={8} className="z-60">
          <Popover.Popup data-corner-panel="" className={POPUP_CLASSES}>
            <NotificationsPanelHeader />
            <NotificationsPanelBody onClose={() => setOpen(false)} />
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  );
}

function NotificationsPanelHeader() {
  const { data } = useNotifications();
  const markAllRead = useCommand(markAllNotificationsRead);
  const clear = useClearNotifications();
  return (
    <div className="flex min-h-13 shrink-0 flex-wrap items-center gap-x-1 border-b py-1 pr-2 pl-4">
      <Popover.Title className="flex-1 text-lg font-semibold">Notifications</Popover.Title>
      {data && data.unread > 0 && (
        <Button tone="accent" className="px-2.5!" busy={markAllRead.isPending} onClick={() => markAllRead.mutate()}>
          Mark all read
        </Button>
      )}
      {data && data.rows.length > 0 && (
        <Button tone="quiet" className="px-2.5!" busy={clear.isPending} onClick={() => clear.mutate({ id: createId() })}>
          Clear all
        </Button>
      )}
    </div>
  );
}

function NotificationsPanelBody({ onClose }: { onClose: () => void }) {
  const list = useNotifications();
  const navigate = useNavigate();
  const markRead = useCommand(markNotificationRead, { isSilent: true });
  const remove = useCommand(removeNotification);

  const openNotification = (notification: Notification) => {
    const { read, data } = notification;
    if (!read) markRead.mutate(notification);
    if (data.quote_id) void navigate({ to: '/quotes/$id', params: { id: data.quote_id } });
    else if (data.job_id) void navigate({ to: '/jobs/$id', params: { id: data.job_id } });
    else if (data.staff_id) void navigate({ to: '/staff/$id', params: { id: data.staff_id } });
    onClose();
  };

  // The list is refetched every 30 seconds, so relative times based on the last fetch stay up to date.
  const now = new Date(list.dataUpdatedAt).toISOString();
  return (
    <QueryView
      query={list}
      skeleton={<PanelMessage text="Loading notifications..." />}
      isEmpty={({ rows }) => rows.length === 0}
      empty={<PanelMessage text="No notifications" />}
    >
      {({ rows }) => (
        <ul aria-label="Notifications" className="min-h-0 divide-y overflow-y-auto overscroll-contain">
          {rows.map((notification) => (
            <NotificationItem
              key={notification.id}
              notification={notification}
              now={now}
              onOpen={() => openNotification(notification)}
              onRemove={() => remove.mutate(notification)}
            />
          ))}
        </ul>
      )}
    </QueryView>
  );
}

function PanelMessage({ text }: { text: string }) {
  return <p className="px-4 py-10 text-center text-base text-ink-2">{text}</p>;
}
