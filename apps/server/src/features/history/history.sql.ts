import { randomUUID } from 'node:crypto';
import type { RecordEvent } from '@callout/contract/comments';
import { PAGE_SIZE } from '@callout/contract/lists';
import { and, desc, eq, notInArray, type SQL, sql } from 'drizzle-orm';
import { staff_members } from '../../platform/auth/auth.table.ts';
import { userIdOf } from '../../platform/db/actor.ts';
import { isInstantKey, pageOf, readCursor } from '../../platform/db/cursor.ts';
import { inCompany } from '../../platform/db/records.ts';
import type { TenantScope } from '../../platform/db/tenant-scope.ts';
import type { MailSender } from '../../platform/mail/mail-record.sql.ts';
import { type Changes, record_events } from './history.table.ts';

/** Kinds of records that have a history. */
export type RecordName = 'job' | 'quote';

const ORDER = 'newest first';

/** Notes a change in the transaction that makes it, under the name its author has now, or `who` when they are no member. */
export async function recordEvent(
  scope: TenantScope,
  kind: RecordName,
  recordId: string,
  action: string,
  changes: Changes = {},
  who = 'Callout',
): Promise<void> {
  await scope.db.insert(record_events).values({
    company_id: scope.companyId,
    id: randomUUID(),
    record_kind: kind,
    record_id: recordId,
    at: scope.now,
    ...authorOf(scope, who),
    action,
    changes,
  });
}

/** The same change of many records, in one statement; `ids` selects them. */
export async function recordEvents(scope: TenantScope, kind: RecordName, ids: SQL, action: string, changes: Changes): Promise<void> {
  const { staff_id, who } = authorOf(scope, 'Callout');
  await scope.db.insert(record_events).select(
    sql`select ${scope.companyId}::uuid, gen_random_uuid(), ${kind}, records.id, ${scope.now}::timestamptz, ${staff_id}::uuid, ${who},
      ${action}, ${JSON.stringify(changes)}::jsonb from (${ids}) as records (id)`,
  );
}

function authorOf(scope: TenantScope, who: string) {
  const { actor } = scope;
  const staffId = actor.kind === 'person' ? (actor.member?.staffId ?? null) : null;
  return { staff_id: staffId, who: staffId ? sql`coalesce(${nameOf(scope, staffId)}, 'Somebody')` : who };
}

/** The current name of a member, as an expression. */
export function nameOf(scope: TenantScope, staffId: string) {
  return sql<string>`(select ${staff_members.name} from ${staff_members} where ${inCompany(scope, staff_members, staffId)})`;
}

/** Who sends a mail, by the name they have now; the server has none. */
export function senderOf(scope: TenantScope): MailSender {
  const { actor } = scope;
  const staffId = actor.kind === 'person' ? actor.member?.staffId : undefined;
  return { user_id: userIdOf(actor), sent_by: staffId === undefined ? null : nameOf(scope, staffId) };
}

/** A page of a record's events, the newest first; those of the `hidden` actions are left out. */
export async function listEvents(
  scope: TenantScope,
  record: { kind: RecordName; id: string },
  cursor: string | undefined,
  hidden: readonly string[] = [],
): Promise<{ rows: RecordEvent[]; next_cursor: string | null }> {
  const { id, at, who, action, changes } = record_events;
  const position = cursor === undefined ? undefined : readCursor(cursor, ORDER, [isInstantKey]);
  const found = await scope.db
    .select({ id, at, who, action, changes, sort_keys: sql<string>`json_build_array(${at}::text)::text` })
    .from(record_events)
    .where(
      and(
        inCompany(scope, record_events),
        eq(record_events.record_kind, record.kind),
        eq(record_events.record_id, record.id),
        hidden.length > 0 ? notInArray(action, [...hidden]) : undefined,
        position && sql`(${at}, ${id}) < (${position.keys[0]}::timestamptz, ${position.id}::uuid)`,
      ),
    )
    .orderBy(desc(at), desc(id))
    .limit(PAGE_SIZE + 1);
  return pageOf(found, PAGE_SIZE, ORDER);
}

/** The fields that differ. */
export function changesBetween<Field extends string>(
  before: Readonly<Record<Field, string | null>>,
  after: Readonly<Record<Field, string | null>>,
): Changes {
  const fields = Object.keys(after) as Field[];
  return Object.fromEntries(fields.flatMap((field) => (before[field] === after[field] ? [] : [[field, [before[field], after[field]]]])));
}
