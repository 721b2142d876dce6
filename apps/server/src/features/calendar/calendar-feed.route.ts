import { createHash } from 'node:crypto';
import { notFound } from '@callout/contract/errors';
import { eventEnd, takesTime } from '@callout/domain/calendar/calendar-event';
import { type IcalEvent, icalCalendar } from '@callout/domain/documents/ical';
import type { FastifyInstance } from 'fastify';
import { markLinkOpened } from '../../platform/auth/public-links.sql.ts';
import { changeAs, type TenantScope } from '../../platform/db/tenant-scope.ts';
import { failureOf } from '../../platform/errors/failures.ts';
import type { Platform } from '../../platform/http/platform.ts';
import { openRequestLink } from '../../platform/http/public-link.ts';
import { type FeedEvent, findFeedOwner, listFeedEvents } from './calendar-feed.sql.ts';

/** The kind of public link that opens the calendar of a staff member. */
export const FEED_KIND = 'calendar';

const feedNotFound = notFound('This calendar is not available');
const publicFeed = { kind: FEED_KIND, notFound: feedNotFound };

export const feedUrl = (appUrl: string, token: string) => `${appUrl}/api/public/calendar/${token}.ics`;

/** A person's jobs and tasks for the calendar programs that subscribe to it, which cannot sign in: whoever has the link may read it. */
export function calendarFeedRoute(app: FastifyInstance, platform: Platform): void {
  // Some programs ask for the headers first.
  app.get('/api/public/calendar/:token.ics', { exposeHeadRoute: true }, async (request, reply) => {
    const { tenant, recordId } = await openRequestLink(request, platform, publicFeed, 'publicCalendar.feed');
    const text = await changeAs(platform.pools.app, tenant, async (scope) => {
      await markLinkOpened(scope, { kind: FEED_KIND, id: recordId });
      return feedText(scope, recordId, platform.appUrl);
    });
    const etag = `"${createHash('sha256').update(text).digest('base64url')}"`;
    reply.headers({ etag, 'cache-control': 'private, no-cache', 'x-robots-tag': 'noindex' });
    if (isKept(request.headers['if-none-match'], etag)) return reply.status(304).send();
    return reply.type('text/calendar; charset=utf-8').header('content-disposition', 'inline; filename="callout.ics"').send(text);
  });
}

/** Proxies that compress an answer mark its tag as weak. */
const isKept = (known: string | undefined, etag: string) => (known ?? '').split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag);

const DAY_MS = 86_400_000;
const DAYS_BACK = 30;
const DAYS_AHEAD = 365;

async function feedText(scope: TenantScope, staffId: string, appUrl: string): Promise<string> {
  const owner = await findFeedOwner(scope, staffId);
  if (!owner) throw failureOf(feedNotFound);
  const daysFromNow = (days: number) => new Date(Date.parse(scope.now) + days * DAY_MS).toISOString();
  const events = await listFeedEvents(scope, staffId, { from: daysFromNow(-DAYS_BACK), to: daysFromNow(DAYS_AHEAD) });
  return icalCalendar(
    `${owner.company_name ?? 'Callout'} (${owner.name})`,
    events.map((event) => icalEventOf(event, appUrl)),
  );
}

function icalEventOf(event: FeedEvent, appUrl: string): IcalEvent {
  const { kind, id, title, starts_at, duration, address, updated_at, version } = event;
  const isJob = kind === 'job';
  return {
    uid: `${kind}-${id}@callout`,
    start: starts_at,
    end: eventEnd(starts_at, duration),
    summary: isJob && event.customer ? `${title} (${event.customer.company_name ?? event.customer.name})` : title,
    location: address,
    description: (isJob ? jobNotes(event) : [event.description]).filter((note) => note !== null && note !== '').join('\n'),
    url: isJob ? `${appUrl}/jobs/${id}` : `${appUrl}/todo`,
    status: event.status === 'pending' || event.status === 'contacted' ? 'TENTATIVE' : 'CONFIRMED',
    isBusy: event.status === 'active' || (event.status !== 'completed' && takesTime(event.status)),
    changedAt: updated_at,
    sequence: version - 1,
  };
}

/** What they need on the way there; no prices. */
const jobNotes = ({ job_number, customer, description }: FeedEvent) => [
  `Job #${job_number}`,
  customer && `${customer.name} ${customer.phone}`,
  description,
];
