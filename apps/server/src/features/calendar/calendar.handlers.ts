import { calls, tenantMutation, tenantQuery } from '../../platform/http/calls.ts';

const notBuilt = (): never => {
  throw new Error('Not built yet');
};

export const calendarHandlers = {
  events: calls.calendar.events.handler(tenantQuery(notBuilt)),
  unscheduled: calls.calendar.unscheduled.handler(tenantQuery(notBuilt)),
  clashes: calls.calendar.clashes.handler(tenantQuery(notBuilt)),
  scheduleJob: calls.calendar.scheduleJob.handler(tenantMutation(notBuilt)),
  scheduleTask: calls.calendar.scheduleTask.handler(tenantMutation(notBuilt)),
  feed: calls.calendar.feed.handler(tenantQuery(notBuilt)),
  openFeed: calls.calendar.openFeed.handler(tenantMutation(notBuilt)),
  closeFeed: calls.calendar.closeFeed.handler(tenantMutation(notBuilt)),
};
