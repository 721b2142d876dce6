import type { Role } from '@callout/domain/roles/roles';
import { boolean, integer, jsonb, numeric, pgTable, primaryKey, text, timestamp, uuid } from 'drizzle-orm/pg-core';
import { instant } from '../db/columns.ts';

/** better-auth names its fields itself, hence camelCase here and nowhere else. */
const moment = (name: string) => timestamp(name, { withTimezone: true, precision: 3 });
const created = { createdAt: moment('created_at').notNull(), updatedAt: moment('updated_at').notNull() };

export const users = pgTable('users', {
  id: uuid().primaryKey(),
  name: text().notNull(),
  email: text().notNull(),
  emailVerified: boolean('email_verified').notNull(),
  image: text(),
  menuOrder: jsonb('menu_order').$type<string[]>(),
  startCardDismissed: boolean('start_card_dismissed').notNull().default(false),
  ...created,
});

export const sessions = pgTable('sessions', {
  id: uuid().primaryKey(),
  token: text().notNull(),
  userId: uuid('user_id').notNull(),
  expiresAt: moment('expires_at').notNull(),
  ipAddress: text('ip_address'),
  userAgent: text('user_agent'),
  lastActiveAt: moment('last_active_at').notNull().defaultNow(),
  ...created,
});

export const accounts = pgTable('accounts', {
  id: uuid().primaryKey(),
  accountId: text('account_id').notNull(),
  providerId: text('provider_id').notNull(),
  userId: uuid('user_id').notNull(),
  accessToken: text('access_token'),
  refreshToken: text('refresh_token'),
  idToken: text('id_token'),
  accessTokenExpiresAt: moment('access_token_expires_at'),
  refreshTokenExpiresAt: moment('refresh_token_expires_at'),
  scope: text(),
  password: text(),
  claimedEmail: text('claimed_email'),
  ...created,
});

/** Empty: better-auth does not start without it, and our links are in password_links. */
export const verifications = pgTable('verifications', {
  id: uuid().primaryKey(),
  identifier: text().notNull(),
  value: text().notNull(),
  expiresAt: moment('expires_at').notNull(),
  ...created,
});

/** A person's membership of a company, with their name and role. */
export const staff_members = pgTable(
  'staff_members',
  {
    company_id: uuid().notNull(),
    id: uuid().notNull(),
    profile_id: uuid(),
    name: text().notNull(),
    email: text().notNull(),
    phone: text(),
    hourly_rate: numeric({ precision: 12, scale: 2 }),
    role: text().$type<Role>().notNull(),
    color_id: uuid(),
    avatar_url: text(),
    /** Who started the company. */
    is_owner: boolean().notNull().default(false),
    created_at: instant().notNull(),
    updated_at: instant().notNull(),
    version: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.company_id, table.id] })],
);

/** The colors that distinguish staff members, the same for every company. */
export const staff_colors = pgTable('staff_colors', {
  id: uuid().primaryKey(),
  name: text().notNull(),
  hex_code: text().notNull(),
});

export const public_links = pgTable(
  'public_links',
  {
    company_id: uuid().notNull(),
    id: uuid().notNull(),
    token: text().notNull(),
    record_kind: text().notNull(),
    record_id: uuid().notNull(),
    created_at: instant().notNull(),
    revoked_at: instant(),
    first_opened_at: instant(),
    last_opened_at: instant(),
  },
  (table) => [primaryKey({ columns: [table.company_id, table.id] })],
);
