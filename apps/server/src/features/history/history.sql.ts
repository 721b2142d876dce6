import { randomUUID } from 'node:crypto';
import type { RecordEvent } from '@callout/contract/comments';
import { and, desc, eq, sql } from 'drizzle-orm';
import { staff_members } from '../../platform/auth/auth.table.ts';
import { inCompany } from '../../platform/db/records.ts';
import type { TenantScope } from '../../platform/db/tenant-scope.ts';
import { type Changes, record_events } from './history.table.ts';

/** Kinds of records that have a history. */
export type RecordName = 'job';

const NEWEST = 500;

/** Notes a change in the transaction that makes it, under the name its author has now. */
export async function recordEvent(
  scope: TenantScope,
  kind: RecordName,
  recordId: string,
  action: string,
  changes: Changes = {},
): Promise<void> {
  const { actor } = scope;
  const staffId = actor.kind === 'person' ? (actor.member?.staffId ?? null) : null;
  await scope.db.insert(record_events).values({
    company_id: scope.companyId,
    id: randomUUID(),
    record_kind: kind,
    record_id: recordId,
    at: scope.now,
    staff_id: staffId,
    who: staffId ? sql`coalesce(${nameOf(scope, staffId)}, 'Somebody')` : 'Callout',
    action,
    changes,
  });
}

/** The current name of a member, as an expression. */
export function nameOf(scope: TenantScope, staffId: string) {
  return sql<string>`(select ${staff_members.name} from ${staff_members} where ${inCompany(scope, staff_members, staffId)})`;
}

export function listEvents(scope: TenantScope, kind: RecordName, recordId: string): Promise<RecordEvent[]> {
  const { id, at, who, action, changes } = record_events;
  return scope.db
    .select({ id, at, who, action, changes })
    .from(record_events)
    .where(and(inCompany(scope, record_events), eq(record_events.record_kind, kind), eq(record_events.record_id, recordId)))
    .orderBy(desc(record_events.at), desc(record_events.id))
    .limit(NEWEST);
}

/** The fields that differ. */
export function changesBetween<Field extends string>(
  before: Readonly<Record<Field, string | null>>,
  after: Readonly<Record<Field, string | null>>,
): Changes {
  const fields = Object.keys(after) as Field[];
  return Object.fromEntries(fields.flatMap((field) => (before[field] === after[field] ? [] : [[field, [before[field], after[field]]]])));
}
