import type { CalendarFeed } from '@callout/contract/calendar';
import { findPublicLink, publicTokenOf, revokePublicLink } from '../../platform/auth/public-links.sql.ts';
import { memberOf } from '../../platform/db/actor.ts';
import type { TenantScope } from '../../platform/db/tenant-scope.ts';
import { calls, tenantMutation, tenantQuery } from '../../platform/http/calls.ts';
import { findClashes, listEvents, listUnscheduled } from './calendar.sql.ts';
import { FEED_KIND, feedUrl } from './calendar-feed.route.ts';
import { changeJobStatus, changeTaskStatus } from './change-status.ts';
import { scheduleJob, scheduleTask } from './schedule-event.ts';

export const calendarHandlers = {
  events: calls.calendar.events.handler(tenantQuery((scope, { input }) => listEvents(scope, input))),

  unscheduled: calls.calendar.unscheduled.handler(tenantQuery((scope, { input }) => listUnscheduled(scope, input.cursor))),

  clashes: calls.calendar.clashes.handler(
    tenantQuery(async (scope, { input: { duration = null, ...input } }) => ({ clashes: await findClashes(scope, { ...input, duration }) })),
  ),

  scheduleJob: calls.calendar.scheduleJob.handler(tenantMutation((scope, { input }) => scheduleJob(scope, input))),

  scheduleTask: calls.calendar.scheduleTask.handler(tenantMutation((scope, { input }) => scheduleTask(scope, input))),

  feed: calls.calendar.feed.handler(tenantQuery((scope, { context }) => readFeed(scope, context.platform.appUrl))),

  openFeed: calls.calendar.openFeed.handler(
    tenantMutation(async (scope, { context }) => {
      await publicTokenOf(scope, ownFeed(scope));
      return readFeed(scope, context.platform.appUrl);
    }),
  ),

  closeFeed: calls.calendar.closeFeed.handler(
    tenantMutation(async (scope, { context }) => {
      await revokePublicLink(scope, ownFeed(scope));
      return readFeed(scope, context.platform.appUrl);
    }),
  ),
};

/** Of jobs and tasks; they can take a person's time again, which the calendar knows about. */
export const statusHandlers = {
  jobs: { setStatus: calls.jobs.setStatus.handler(tenantMutation((scope, { input }) => changeJobStatus(scope, input))) },
  tasks: { setStatus: calls.tasks.setStatus.handler(tenantMutation((scope, { input }) => changeTaskStatus(scope, input))) },
};

/** Everybody has one feed, of their own work. */
const ownFeed = ({ actor }: TenantScope) => ({ kind: FEED_KIND, id: memberOf(actor).staffId });

async function readFeed(scope: TenantScope, appUrl: string): Promise<CalendarFeed> {
  const link = await findPublicLink(scope, ownFeed(scope));
  return { url: link && feedUrl(appUrl, link.token), last_opened_at: link?.last_opened_at ?? null };
}
