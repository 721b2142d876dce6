import type { ContractOutputs } from '@callout/contract/contract';
import { MAX_PACKED_COMMENTS, MAX_PACKED_JOBS } from '@callout/contract/day-pack';
import { getMember } from '../../platform/db/actor.ts';
import type { TenantScope } from '../../platform/db/tenant-scope.ts';
import { listCommentsOfJobs } from '../comments/comments.sql.ts';
import { listCustomersById } from '../customers/customers.sql.ts';
import { findJobs } from '../jobs/jobs.sql.ts';
import { listCalendarEvents } from './calendar.sql.ts';

/** Reads what the caller needs to work on their own booked jobs without a connection, in five statements. */
export async function readDayPack(scope: TenantScope, range: { from: string; to: string }): Promise<ContractOutputs['calendar']['pack']> {
  const events = await listCalendarEvents(scope, { ...range, staff_id: getMember(scope.actor).staffId });
  const getDistance = ({ booking_date }: { booking_date: string }) => Math.abs(Date.parse(booking_date) - Date.parse(scope.now));
  const booked = events.jobs.filter(({ status }) => status !== 'canceled').toSorted((one, other) => getDistance(one) - getDistance(other));
  const jobs = await findJobs(
    scope,
    booked.slice(0, MAX_PACKED_JOBS).map(({ id }) => id),
  );
  const customerIds = new Set(jobs.flatMap(({ customer_id }) => customer_id ?? []));
  const customers = await listCustomersById(scope, [...customerIds]);
  const comments = await listCommentsOfJobs(
    scope,
    jobs.map(({ id }) => id),
    MAX_PACKED_COMMENTS,
  );
  return { jobs, customers, comments };
}
