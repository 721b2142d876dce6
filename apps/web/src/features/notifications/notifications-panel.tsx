import { Popover } from '@base-ui/react/popover';
import type { Notification } from '@callout/contract/notifications';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type ReactElement, useState } from 'react';
import { newId } from '../../lib/new-id.ts';
import { QueryView } from '../../lib/query-view.tsx';
import { Button } from '../../ui/button.tsx';
import { useBackCloses } from '../../ui/use-back-closes.ts';
import { NotificationItem } from './notification-item.tsx';
import { notificationsQuery, useClearNotifications, useMarkAllRead, useMarkRead, useRemoveNotification } from './notifications.api.ts';

const POPUP =
  'flex max-h-[min(34rem,calc(100dvh-8rem))] w-[min(25rem,calc(100vw-1rem))] flex-col overflow-clip rounded-card bg-raised shadow-float outline-none transition-opacity duration-120 ' +
  'data-ending-style:opacity-0 data-starting-style:opacity-0';

/** The list under the bell. A click outside, Escape, Back, or a click on an item closes it. */
export function NotificationsPanel({ trigger }: { trigger: ReactElement }) {
  const [open, setOpen] = useState(true);
  useBackCloses(open, () => setOpen(false));
  return (
    <Popover.Root open={open} onOpenChange={setOpen}>
      <Popover.Trigger render={trigger} />
      <Popover.Portal>
        <Popover.Positioner align="end" sideOffset={6} collisionPadding={8} className="z-60">
          <Popover.Popup data-corner-panel="" className={POPUP}>
            <PanelHead />
            <PanelBody onClose={() => setOpen(false)} />
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  );
}

function PanelHead() {
  const { data } = useQuery(notificationsQuery);
  const markAllRead = useMarkAllRead();
  const clear = useClearNotifications();
  return (
    <div className="flex min-h-13 shrink-0 flex-wrap items-center gap-x-1 border-b py-1 pr-2 pl-4">
      <Popover.Title className="flex-1 text-lg font-semibold">Notifications</Popover.Title>
      {data && data.unread > 0 && (
        <Button tone="quiet" className="px-2.5! text-accent-ink!" busy={markAllRead.isPending} onClick={() => markAllRead.mutate()}>
          Mark all read
        </Button>
      )}
      {data && data.rows.length > 0 && (
        <Button tone="quiet" className="px-2.5!" busy={clear.isPending} onClick={() => clear.mutate(newId())}>
          Clear all
        </Button>
      )}
    </div>
  );
}

function PanelBody({ onClose }: { onClose: () => void }) {
  const list = useQuery(notificationsQuery);
  const navigate = useNavigate();
  const markRead = useMarkRead();
  const remove = useRemoveNotification();

  const open = ({ id, read, data }: Notification) => {
    if (!read) markRead.mutate(id);
    if (data.quote_id) void navigate({ to: '/quotes/$id', params: { id: data.quote_id } });
    else if (data.job_id) void navigate({ to: '/jobs/$id', params: { id: data.job_id } });
    else if (data.staff_id) void navigate({ to: '/staff/$id', params: { id: data.staff_id } });
    onClose();
  };

  // Refetched every half minute, so that 'less than a minute ago' stays true.
  const now = new Date(list.dataUpdatedAt).toISOString();
  return (
    <QueryView
      query={list}
      skeleton={<PanelSentence text="Loading notifications..." />}
      isEmpty={({ rows }) => rows.length === 0}
      empty={<PanelSentence text="No notifications" />}
    >
      {({ rows }) => (
        <ul aria-label="Notifications" className="min-h-0 divide-y overflow-y-auto overscroll-contain">
          {rows.map((notification) => (
            <NotificationItem
              key={notification.id}
              notification={notification}
              now={now}
              onOpen={() => open(notification)}
              onRemove={() => remove.mutate(notification.id)}
            />
          ))}
        </ul>
      )}
    </QueryView>
  );
}

function PanelSentence({ text }: { text: string }) {
  return <p className="px-4 py-10 text-center text-base text-ink-2">{text}</p>;
}
