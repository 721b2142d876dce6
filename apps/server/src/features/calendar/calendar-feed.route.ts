import { createHash } from 'node:crypto';
import { notFoundError } from '@callout/contract/errors';
import { calculateEventEnd, isBusyStatus } from '@callout/domain/calendar/calendar-event';
import { buildIcalFile, type IcalEvent } from '@callout/domain/documents/ical';
import { DAY_MS } from '@callout/domain/time/time-units';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { markLinkOpened } from '../../platform/auth/public-links.sql.ts';
import { runTenantQuery, type TenantScope } from '../../platform/db/tenant-scope.ts';
import { toFailure } from '../../platform/errors/failures.ts';
import type { Platform } from '../../platform/http/platform.ts';
import { openLinkForRequest } from '../../platform/http/public-link.ts';
import { hasMatchingEtag } from '../../platform/http/rendered-pages.ts';
import { enforceRateLimit } from '../../platform/limits/rate-limit.ts';
import { type FeedEvent, type FeedRange, findFeedOwner, listFeedEvents, readFeedFingerprint } from './calendar-feed.sql.ts';

/** The kind of public link that opens a staff member's calendar feed. */
export const FEED_LINK_KIND = 'calendar';

const feedNotFoundError = notFoundError('This calendar is not available');
/** Calendar apps usually poll once an hour and at most once a minute, so ten requests a minute are more than enough. */
const PUBLIC_FEED = { kind: FEED_LINK_KIND, notFound: feedNotFoundError, rateLimit: { attempts: 10, seconds: 60 } };

/** Limits how many feeds are built for a company, not counting 304 responses. Enough for hundreds of apps that poll once an hour. */
const COMPANY_FEED_LIMIT = { attempts: 60, seconds: 60 };

export const buildFeedUrl = (appUrl: string, token: string) => `${appUrl}/api/public/calendar/${token}.ics`;

/** Increment this after a change to the feed's format, so that calendar apps download their feeds again. */
const FEED_FORMAT_VERSION = 1;

/** Serves a person's jobs and tasks to calendar apps. The apps can't sign in, so anyone with the link can read the feed. */
export function registerCalendarFeedRoute(app: FastifyInstance, { pools, now, appUrl }: Platform): void {
  const sendFeed = async (request: FastifyRequest, reply: FastifyReply) => {
    const { tenant, recordId } = await openLinkForRequest(request, { pools, now }, PUBLIC_FEED, 'publicCalendar.feed');
    const { token } = request.params as { token: string };
    const range = getFeedRange(recordId, tenant.now);
    const { owner, fingerprint } = await runTenantQuery(pools.app, tenant, (scope) => openFeed(scope, token, range));
    const etagSource = JSON.stringify([FEED_FORMAT_VERSION, appUrl, owner.name, owner.company_name, fingerprint]);
    const etag = `"${createHash('sha256').update(etagSource).digest('base64url')}"`;
    reply.headers({ etag, 'cache-control': 'private, no-cache', 'x-robots-tag': 'noindex' });
    if (hasMatchingEtag(request.headers['if-none-match'], etag)) return reply.status(304).send();
    await enforceRateLimit(pools.system, `calendar feeds of ${tenant.companyId}`, COMPANY_FEED_LIMIT);
    reply.type('text/calendar; charset=utf-8').header('content-disposition', 'inline; filename="callout.ics"');
    if (request.method === 'HEAD') return reply.send();
    // Read the events after the ETag. If they change in between, the next poll gets a new ETag and downloads the feed again.
    const events = await runTenantQuery(pools.app, tenant, (scope) => listFeedEvents(scope, range));
    return reply.send(
      buildIcalFile(
        `${owner.company_name ?? 'Callout'} (${owner.name})`,
        events.map((event) => toIcalEvent(event, appUrl)),
      ),
    );
  };
  // Some calendar apps send a HEAD request before they fetch the feed.
  app.route({ method: ['GET', 'HEAD'], url: '/api/public/calendar/:token.ics', handler: sendFeed });
}

const FEED_DAYS_BACK = 30;
const FEED_DAYS_AHEAD = 365;

function getFeedRange(staff_id: string, now: string): FeedRange {
  const daysFromNow = (days: number) => new Date(Date.parse(now) + days * DAY_MS).toISOString();
  return { staff_id, from: daysFromNow(-FEED_DAYS_BACK), to: daysFromNow(FEED_DAYS_AHEAD) };
}

async function openFeed(scope: TenantScope, token: string, range: FeedRange) {
  const isOpen = await markLinkOpened(scope, { kind: FEED_LINK_KIND, id: range.staff_id, token });
  const owner = await findFeedOwner(scope, range.staff_id);
  if (!isOpen || !owner) throw toFailure(feedNotFoundError);
  return { owner, fingerprint: await readFeedFingerprint(scope, range) };
}

function toIcalEvent(event: FeedEvent, appUrl: string): IcalEvent {
  const { kind, id, title, starts_at, duration, address, updated_at, version } = event;
  const isJob = kind === 'job';
  return {
    uid: `${kind}-${id}@callout`,
    start: starts_at,
    end: calculateEventEnd(starts_at, duration),
    summary: isJob && event.customer_id ? `${title} (${event.customer_company ?? event.customer_name})` : title,
    location: address,
    description: (isJob ? buildJobNotes(event) : [event.description]).filter((note) => note !== null && note !== '').join('\n'),
    url: isJob ? `${appUrl}/jobs/${id}` : `${appUrl}/todo`,
    status: event.status === 'pending' || event.status === 'contacted' ? 'TENTATIVE' : 'CONFIRMED',
    isBusy: event.status === 'active' || (event.status !== 'completed' && isBusyStatus(event.status)),
    changedAt: updated_at,
    sequence: version - 1,
  };
}

/** Lists what a person needs on the way to a job, but no prices, because anyone with the link can read the feed. */
const buildJobNotes = ({ job_number, customer_id, customer_name, customer_phone, description }: FeedEvent) => [
  `Job #${job_number}`,
  customer_id && `${customer_name} ${customer_phone}`,
  description,
];
