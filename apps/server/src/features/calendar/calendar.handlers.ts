import type { CalendarFeed, StaffFeed } from '@callout/contract/calendar';
import { findOrCreatePublicToken, findPublicLink, revokePublicLink } from '../../platform/auth/public-links.sql.ts';
import { getMember } from '../../platform/db/actor.ts';
import { readRecord } from '../../platform/db/records.ts';
import type { TenantScope } from '../../platform/db/tenant-scope.ts';
import { calls, tenantMutation, tenantQuery } from '../../platform/http/calls.ts';
import { staffRecordType } from '../staff/staff.sql.ts';
import { findClashes, listCalendarEvents, listUnscheduledJobs } from './calendar.sql.ts';
import { buildFeedUrl, FEED_LINK_KIND } from './calendar-feed.route.ts';
import { readDayPack } from './read-day-pack.ts';
import { scheduleJob, scheduleTask } from './schedule-event.ts';

export const calendarHandlers = {
  events: calls.calendar.events.handler(tenantQuery((scope, { input }) => listCalendarEvents(scope, input))),

  pack: calls.calendar.pack.handler(tenantQuery((scope, { input }) => readDayPack(scope, input))),

  unscheduled: calls.calendar.unscheduled.handler(tenantQuery((scope, { input }) => listUnscheduledJobs(scope, input.cursor))),

  clashes: calls.calendar.clashes.handler(
    tenantQuery(async (scope, { input: { duration = null, ...input } }) => ({ clashes: await findClashes(scope, { ...input, duration }) })),
  ),

  scheduleJob: calls.calendar.scheduleJob.handler(tenantMutation((scope, { input }) => scheduleJob(scope, input))),

  scheduleTask: calls.calendar.scheduleTask.handler(tenantMutation((scope, { input }) => scheduleTask(scope, input))),

  feed: calls.calendar.feed.handler(tenantQuery((scope, { context }) => readMyFeed(scope, context.platform.appUrl))),

  openFeed: calls.calendar.openFeed.handler(
    tenantMutation(async (scope, { context }) => {
      await findOrCreatePublicToken(scope, getMyFeedLink(scope));
      return readMyFeed(scope, context.platform.appUrl);
    }),
  ),

  closeFeed: calls.calendar.closeFeed.handler(
    tenantMutation(async (scope, { context }) => {
      await revokePublicLink(scope, getMyFeedLink(scope));
      return readMyFeed(scope, context.platform.appUrl);
    }),
  ),

  staffFeed: calls.calendar.staffFeed.handler(tenantQuery((scope, { input }) => readStaffFeed(scope, input.id))),

  closeStaffFeed: calls.calendar.closeStaffFeed.handler(
    tenantMutation(async (scope, { input }) => {
      await revokePublicLink(scope, getFeedLink(input.id));
      return readStaffFeed(scope, input.id);
    }),
  ),
};

/** A staff member has only one feed, so the staff id identifies the feed's link. */
const getFeedLink = (staffId: string) => ({ kind: FEED_LINK_KIND, id: staffId });
const getMyFeedLink = ({ actor }: TenantScope) => getFeedLink(getMember(actor).staffId);

async function readMyFeed(scope: TenantScope, appUrl: string): Promise<CalendarFeed> {
  const link = await findPublicLink(scope, getMyFeedLink(scope));
  return { url: link && buildFeedUrl(appUrl, link.token), last_opened_at: link?.last_opened_at ?? null };
}

async function readStaffFeed(scope: TenantScope, staffId: string): Promise<StaffFeed> {
  await readRecord(scope, staffRecordType, staffId);
  const link = await findPublicLink(scope, getFeedLink(staffId));
  return { is_on: link !== null, last_opened_at: link?.last_opened_at ?? null };
}
