import { randomUUID } from 'node:crypto';
import type { RecordEvent } from '@callout/contract/comments';
import { PAGE_SIZE } from '@callout/contract/lists';
import { and, desc, eq, notInArray, sql } from 'drizzle-orm';
import { staff_members } from '../../platform/auth/auth.table.ts';
import { getMember } from '../../platform/db/actor.ts';
import { buildPage, decodeCursor, isInstantKey } from '../../platform/db/cursor.ts';
import { getLateMadeAt } from '../../platform/db/made-at.ts';
import { inCompany } from '../../platform/db/records.ts';
import type { TenantScope } from '../../platform/db/tenant-scope.ts';
import { type FieldChanges, record_events } from './history.table.ts';

export type HistoryKind = 'job' | 'quote';

const SORT_ORDER = 'newest first';

/** The action of a command that changed nothing. Recorded under the client's id, so that a retry isn't applied later; never listed. */
export const NO_CHANGE_ACTION = 'no_change';

/** Records a change in the transaction that makes it. Stores the author's current name, or `who` if the author is not a staff member. */
export async function recordEvent(
  scope: TenantScope,
  kind: HistoryKind,
  recordId: string,
  action: string,
  changes: FieldChanges = {},
  who = 'Callout',
  id: string = randomUUID(),
): Promise<void> {
  await scope.db.insert(record_events).values({
    company_id: scope.companyId,
    id,
    record_kind: kind,
    record_id: recordId,
    at: scope.now,
    made_at: getLateMadeAt(scope),
    ...getAuthor(scope, who),
    action,
    changes,
  });
}

/** Returns true if an event has this id. A change recorded under an id made by the client is thereby applied only once. */
export async function hasEvent(scope: TenantScope, id: string): Promise<boolean> {
  return (await scope.db.$count(record_events, inCompany(scope, record_events, id))) > 0;
}

/** Returns when the record's first change was made, which is when it was created. */
export async function findFirstEventTime(scope: TenantScope, kind: HistoryKind, recordId: string): Promise<string | null> {
  const { at, made_at, record_kind, record_id } = record_events;
  const [first] = await scope.db
    .select({ at, made_at })
    .from(record_events)
    .where(and(inCompany(scope, record_events), eq(record_kind, kind), eq(record_id, recordId)))
    .orderBy(at)
    .limit(1);
  return first ? (first.made_at ?? first.at) : null;
}

/** Returns when the caller first made such a change to the record after the given time, or null. */
export async function findEventAfter(scope: TenantScope, record: { kind: HistoryKind; id: string }, action: string, after: string) {
  const madeAt = sql<string>`coalesce(${record_events.made_at}, ${record_events.at})`.mapWith(record_events.at);
  const [found] = await scope.db
    .select({ madeAt })
    .from(record_events)
    .where(
      and(
        inCompany(scope, record_events),
        and(eq(record_events.record_kind, record.kind), eq(record_events.record_id, record.id), eq(record_events.action, action)),
        and(eq(record_events.staff_id, getMember(scope.actor).staffId), sql`not ${record_events.changes} ? 'timer_of'`),
        sql`${madeAt} >= ${after}::timestamptz`,
      ),
    )
    .orderBy(madeAt)
    .limit(1);
  return found?.madeAt ?? null;
}

/** Returns true if the job was last invoiced after it last changed to the status. */
export async function hasInvoiceSinceStatus(scope: TenantScope, jobId: string, status: string): Promise<boolean> {
  const { at, action, changes, record_kind, record_id } = record_events;
  const [row] = await scope.db
    .select({
      isInvoicedSince: sql<boolean>`coalesce(max(${at}) filter (where ${action} = 'invoiced')
        > max(${at}) filter (where ${changes} -> 'status' ->> 1 = ${status}), false)`,
    })
    .from(record_events)
    .where(and(inCompany(scope, record_events), eq(record_kind, 'job'), eq(record_id, jobId)));
  return row?.isInvoicedSince ?? false;
}

function getAuthor(scope: TenantScope, who: string) {
  const { actor } = scope;
  const staffId = actor.kind === 'person' ? (actor.member?.staffId ?? null) : null;
  return { staff_id: staffId, who: staffId ? sql`coalesce(${buildStaffNameSubquery(scope, staffId)}, 'Someone')` : who };
}

export function buildStaffNameSubquery(scope: TenantScope, staffId: string) {
  return sql<string>`(select ${staff_members.name} from ${staff_members} where ${inCompany(scope, staff_members, staffId)})`;
}

/** Lists one page of a record's events, newest first, except those with an excluded action. */
export async function listEvents(
  scope: TenantScope,
  record: { kind: HistoryKind; id: string },
  cursor: string | undefined,
  excludedActions: readonly string[] = [],
): Promise<{ rows: RecordEvent[]; next_cursor: string | null }> {
  const { id, at, made_at, who, action, changes } = record_events;
  const position = cursor === undefined ? undefined : decodeCursor(cursor, SORT_ORDER, [isInstantKey]);
  const found = await scope.db
    .select({ id, at, made_at, who, action, changes, sort_keys: sql<string>`json_build_array(${at}::text)::text` })
    .from(record_events)
    .where(
      and(
        inCompany(scope, record_events),
        eq(record_events.record_kind, record.kind),
        eq(record_events.record_id, record.id),
        notInArray(action, [NO_CHANGE_ACTION, ...excludedActions]),
        position && sql`(${at}, ${id}) < (${position.keys[0]}::timestamptz, ${position.id}::uuid)`,
      ),
    )
    .orderBy(desc(at), desc(id))
    .limit(PAGE_SIZE + 1);
  return buildPage(found, PAGE_SIZE, SORT_ORDER);
}

export function diffFields<Field extends string>(
  before: Readonly<Record<Field, string | null>>,
  after: Readonly<Record<Field, string | null>>,
): FieldChanges {
  const fields = Object.keys(after) as Field[];
  return Object.fromEntries(fields.flatMap((field) => (before[field] === after[field] ? [] : [[field, [before[field], after[field]]]])));
}
