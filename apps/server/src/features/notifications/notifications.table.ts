import type { Notification } from '@callout/contract/notifications';
import { boolean, jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { instant } from '../../platform/db/columns.ts';

export interface NotificationEvent {
  /** Id of what happened, such as a comment, so that the notification can be retracted with it. */
  readonly id: string;
  /** The name of the person who caused the event. */
  readonly author: string;
}

/** One or several events in one notification, such as comments on one job. */
export interface NotificationGrouping {
  readonly key: string;
  /** When the first event happened. */
  readonly since: string;
  /** Missing in notifications from before events were stored, which therefore can't be extended or retracted. */
  readonly events?: readonly NotificationEvent[];
}

export const notifications = pgTable(
  'notifications',
  {
    company_id: uuid().notNull(),
    id: uuid().notNull(),
    user_id: uuid().notNull(),
    message: text().notNull(),
    type: text().notNull(),
    read: boolean().notNull(),
    data: jsonb().$type<Notification['data']>().notNull(),
    created_at: instant().notNull(),
    /** Id of the "Clear all" action that hid the notification. */
    cleared_by: uuid(),
    cleared_at: instant(),
    grouping: jsonb().$type<NotificationGrouping>(),
  },
  (table) => [primaryKey({ columns: [table.company_id, table.id] })],
);

/** One row per "Clear all" or undo action, so that a retried request takes effect only once. */
export const notification_clearings = pgTable(
  'notification_clearings',
  { company_id: uuid().notNull(), id: uuid().notNull(), user_id: uuid().notNull(), created_at: instant().notNull() },
  (table) => [primaryKey({ columns: [table.company_id, table.user_id, table.id] })],
);
