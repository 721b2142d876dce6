import type { Role } from '@callout/domain/roles/roles';
import { boolean, integer, jsonb, numeric, pgTable, primaryKey, text, timestamp, uuid } from 'drizzle-orm/pg-core';
import { instant } from '../db/columns.ts';

/** Defines a timestamp column for better-auth's tables. Their keys must be camelCase, so each column needs an explicit snake_case name. */
const timestamptz = (name: string) => timestamp(name, { withTimezone: true, precision: 3 });
const timestamps = { createdAt: timestamptz('created_at').notNull(), updatedAt: timestamptz('updated_at').notNull() };

export const users = pgTable('users', {
  id: uuid().primaryKey(),
  name: text().notNull(),
  email: text().notNull(),
  emailVerified: boolean('email_verified').notNull(),
  image: text(),
  menuOrder: jsonb('menu_order').$type<string[]>(),
  startCardDismissed: boolean('start_card_dismissed').notNull().default(false),
  ...timestamps,
});

export const sessions = pgTable('sessions', {
  id: uuid().primaryKey(),
  token: text().notNull(),
  userId: uuid('user_id').notNull(),
  expiresAt: timestamptz('expires_at').notNull(),
  ipAddress: text('ip_address'),
  userAgent: text('user_agent'),
  lastActiveAt: timestamptz('last_active_at').notNull().defaultNow(),
  ...timestamps,
});

export const accounts = pgTable('accounts', {
  id: uuid().primaryKey(),
  accountId: text('account_id').notNull(),
  providerId: text('provider_id').notNull(),
  userId: uuid('user_id').notNull(),
  accessToken: text('access_token'),
  refreshToken: text('refresh_token'),
  idToken: text('id_token'),
  accessTokenExpiresAt: timestamptz('access_token_expires_at'),
  refreshTokenExpiresAt: timestamptz('refresh_token_expires_at'),
  scope: text(),
  password: text(),
  claimedEmail: text('claimed_email'),
  ...timestamps,
});

/** Always empty. better-auth requires this table, but our links are stored in password_links. */
export const verifications = pgTable('verifications', {
  id: uuid().primaryKey(),
  identifier: text().notNull(),
  value: text().notNull(),
  expiresAt: timestamptz('expires_at').notNull(),
  ...timestamps,
});

/** Each row is a person's membership in a company, with their name and role. */
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
    /** True for the person who started the company. */
    is_owner: boolean().notNull().default(false),
    created_at: instant().notNull(),
    updated_at: instant().notNull(),
    version: integer().notNull(),
    deleted_at: instant(),
    /** The name of the person who deleted the member. */
    removed_by: text(),
    /** Set when the member is deleted: the id of their login. */
    former_login: uuid(),
  },
  (table) => [primaryKey({ columns: [table.company_id, table.id] })],
);

/** The colors that distinguish staff members. All companies share the same palette. */
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
