import type { Notification, NotificationType } from '@callout/contract/notifications';
import { relativeTime } from '@callout/domain/time/date-format';
import { Bell, CircleAlert, CircleCheck, Info, type LucideIcon, Trash2, TriangleAlert } from 'lucide-react';
import { localDateTime } from '../../lib/time-zone.ts';
import { IconButton } from '../../ui/button.tsx';
import { classes } from '../../ui/classes.ts';

type Look = { icon: LucideIcon; tone: string };

const LOOKS: Record<NotificationType, Look> = {
  success: { icon: CircleCheck, tone: 'bg-ok-soft text-ok-ink' },
  info: { icon: Info, tone: 'bg-info-soft text-info-ink' },
  warning: { icon: TriangleAlert, tone: 'bg-warn-soft text-warn-ink' },
  error: { icon: CircleAlert, tone: 'bg-danger-soft text-danger-ink' },
};

const OTHER: Look = { icon: Bell, tone: 'bg-neutral-soft text-neutral-ink' };

function lookOf(type: string): Look {
  return Object.hasOwn(LOOKS, type) ? LOOKS[type as NotificationType] : OTHER;
}

/** Moves the focus before the button disappears with its row, so that the next one can be deleted by keyboard. */
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
  const { message, type, read, created_at: createdAt } = notification;
  const { icon: Icon, tone } = lookOf(type);
  return (
    <li className={classes('flex items-start pr-1', !read && 'bg-accent-soft/50')}>
      <button
        type="button"
        onClick={onOpen}
        className="flex min-w-0 flex-1 items-start gap-3 py-3 pl-4 text-left -outline-offset-2 hover:bg-sunken"
      >
        <span data-type={type} className={classes('flex size-8 shrink-0 items-center justify-center rounded-full', tone)}>
          <Icon aria-hidden="true" className="size-4.5" />
        </span>
        <span className="min-w-0 flex-1">
          <span className={classes('block text-base [overflow-wrap:anywhere]', read ? 'text-ink-2' : 'font-medium text-ink')}>
            {!read && <span className="sr-only">Unread: </span>}
            {message}
          </span>
          <time dateTime={createdAt} title={localDateTime(createdAt)} className="mt-0.5 block text-xs text-ink-3">
            {relativeTime(createdAt, now)}
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
