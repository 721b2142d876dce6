import { createHash } from 'node:crypto';
import { notFound } from '@callout/contract/errors';
import { eventEnd, takesTime } from '@callout/domain/calendar/calendar-event';
import { type IcalEvent, icalCalendar } from '@callout/domain/documents/ical';
import { DAY_MS } from '@callout/domain/time/time-units';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { markLinkOpened } from '../../platform/auth/public-links.sql.ts';
import { changeAs, readAs, type TenantScope } from '../../platform/db/tenant-scope.ts';
import { failureOf } from '../../platform/errors/failures.ts';
import type { Platform } from '../../platform/http/platform.ts';
import { openRequestLink } from '../../platform/http/public-link.ts';
import { limitAttempts } from '../../platform/limits/rate-limit.ts';
import { type FeedEvent, type FeedRange, findFeedOwner, listFeedEvents, readFeedState } from './calendar-feed.sql.ts';

/** The kind of public link that opens the calendar of a staff member. */
export const FEED_KIND = 'calendar';

const feedNotFound = notFound('This calendar is not available');
/** Programs ask once an hour, or once a minute at most. */
const publicFeed = { kind: FEED_KIND, notFound: feedNotFound, limit: { attempts: 10, seconds: 60 } };

/** Of all its people, that are put together; those that have not changed are not counted. Enough for hundreds who ask once an hour. */
const FEEDS_OF_COMPANY = { attempts: 60, seconds: 60 };

export const feedUrl = (appUrl: string, token: string) => `${appUrl}/api/public/calendar/${token}.ics`;

/** Changed with the text below, so that programs read it again. */
const TEXT_VERSION = 1;

/** A person's jobs and tasks for the calendar programs that subscribe to it, which cannot sign in: whoever has the link may read it. */
export function calendarFeedRoute(app: FastifyInstance, { pools, now, appUrl }: Platform): void {
  const answer = async (request: FastifyRequest, reply: FastifyReply) => {
    const { tenant, recordId } = await openRequestLink(request, { pools, now }, publicFeed, 'publicCalendar.feed');
    const { token } = request.params as { token: string };
    const range = rangeOf(recordId, tenant.now);
    const { owner, state } = await changeAs(pools.app, tenant, (scope) => openFeed(scope, token, range));
    const named = JSON.stringify([TEXT_VERSION, appUrl, owner.name, owner.company_name, state]);
    const etag = `"${createHash('sha256').update(named).digest('base64url')}"`;
    reply.headers({ etag, 'cache-control': 'private, no-cache', 'x-robots-tag': 'noindex' });
    if (isKept(request.headers['if-none-match'], etag)) return reply.status(304).send();
    await limitAttempts(pools.system, `calendar feeds of ${tenant.companyId}`, FEEDS_OF_COMPANY);
    reply.type('text/calendar; charset=utf-8').header('content-disposition', 'inline; filename="callout.ics"');
    if (request.method === 'HEAD') return reply.send();
    // Read after the tag: what changes in between has another one, and is read again.
    const events = await readAs(pools.app, tenant, (scope) => listFeedEvents(scope, range));
    return reply.send(
      icalCalendar(
        `${owner.company_name ?? 'Callout'} (${owner.name})`,
        events.map((event) => icalEventOf(event, appUrl)),
      ),
    );
  };
  // Some programs ask for the headers first.
  app.route({ method: ['GET', 'HEAD'], url: '/api/public/calendar/:token.ics', handler: answer });
}

/** Proxies that compress an answer mark its tag as weak. */
const isKept = (known: string | undefined, etag: string) => (known ?? '').split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag);

const DAYS_BACK = 30;
const DAYS_AHEAD = 365;

function rangeOf(staff_id: string, now: string): FeedRange {
  const daysFromNow = (days: number) => new Date(Date.parse(now) + days * DAY_MS).toISOString();
  return { staff_id, from: daysFromNow(-DAYS_BACK), to: daysFromNow(DAYS_AHEAD) };
}

async function openFeed(scope: TenantScope, token: string, range: FeedRange) {
  const isOpen = await markLinkOpened(scope, { kind: FEED_KIND, id: range.staff_id, token });
  const owner = await findFeedOwner(scope, range.staff_id);
  if (!isOpen || !owner) throw failureOf(feedNotFound);
  return { owner, state: await readFeedState(scope, range) };
}

function icalEventOf(event: FeedEvent, appUrl: string): IcalEvent {
  const { kind, id, title, starts_at, duration, address, updated_at, version } = event;
  const isJob = kind === 'job';
  return {
    uid: `${kind}-${id}@callout`,
    start: starts_at,
    end: eventEnd(starts_at, duration),
    summary: isJob && event.customer_id ? `${title} (${event.customer_company ?? event.customer_name})` : title,
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
const jobNotes = ({ job_number, customer_id, customer_name, customer_phone, description }: FeedEvent) => [
  `Job #${job_number}`,
  customer_id && `${customer_name} ${customer_phone}`,
  description,
];
