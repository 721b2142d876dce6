import type { Notification, NotificationType } from '@callout/contract/notifications';
import { formatRelativeTime } from '@callout/domain/time/date-format';
import { Bell, CircleAlert, CircleCheck, Info, type LucideIcon, Trash2, TriangleAlert } from 'lucide-react';
import { useDisplayFormat } from '../../lib/time-zone.ts';
import { IconButton } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';

type NotificationStyle = { icon: LucideIcon; colors: string };

const STYLE_BY_TYPE: Record<NotificationType, NotificationStyle> = {
  success: { icon: CircleCheck, colors: 'bg-ok-soft text-ok-ink' },
  info: { icon: Info, colors: 'bg-info-soft text-info-ink' },
  warning: { icon: TriangleAlert, colors: 'bg-warn-soft text-warn-ink' },
  error: { icon: CircleAlert, colors: 'bg-danger-soft text-danger-ink' },
};

const DEFAULT_STYLE: NotificationStyle = { icon: Bell, colors: 'bg-neutral-soft text-neutral-ink' };

function getNotificationStyle(type: string): NotificationStyle {
  return Object.hasOwn(STYLE_BY_TYPE, type) ? STYLE_BY_TYPE[type as NotificationType] : DEFAULT_STYLE;
}

/** Focuses an adjacent row before the button's own row is removed, so that keyboard users can keep deleting. */
function focusNextRow(button: HTMLElement): void {
  const row = button.closest('li');
  const next = row?.nextElementSibling ?? row?.previousElementSibling;
  next?.querySelector<HTMLElement>('[data-remove]')?.focus();
}

interface NotificationItemProps {
  notification: Notification;
  now: string;
  onOpen: () => void;
  onRemove: () => void;
}

export function NotificationItem({ notification, now, onOpen, onRemove }: NotificationItemProps) {
  const { formatDisplayDateTime } = useDisplayFormat();
  const { message, type, read, created_at: createdAt } = notification;
  const { icon: Icon, colors } = getNotificationStyle(type);
  return (
    <li className={classNames('flex items-start pr-1', !read && 'bg-accent-soft/50')}>
      <button
        type="button"
        onClick={onOpen}
        className="flex min-w-0 flex-1 items-start gap-3 py-3 pl-4 text-left -outline-offset-2 hover:bg-sunken"
      >
        <span data-type={type} className={classNames('flex size-8 shrink-0 items-center justify-center rounded-full', colors)}>
          <Icon aria-hidden="true" className="size-4.5" />
        </span>
        <span className="min-w-0 flex-1">
          <span className={classNames('block text-base [overflow-wrap:anywhere]', read ? 'text-ink-2' : 'font-medium text-ink')}>
            {!read && <span className="sr-only">Unread: </span>}
            {message}
          </span>
          <time dateTime={createdAt} title={formatDisplayDateTime(createdAt)} className="mt-0.5 block text-xs text-ink-3">
            {formatRelativeTime(createdAt, now)}
          </time>
        </span>
        {!read && <span aria-hidden="true" className="mt-1.5 size-2 shrink-0 rounded-full bg-accent" />}
      </button>
      <IconButton
        data-remove=""
        label={`Delete notification: ${message}`}
        title="Delete"
        onClick={({ currentTarget }) => {
          focusNextRow(currentTarget);
          onRemove();
        }}
        className="mt-1.5"
      >
        <Trash2 aria-hidden="true" />
      </IconButton>
    </li>
  );
}
