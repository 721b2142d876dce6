import type { FastifyRequest } from 'fastify';
import {
  type LinkedRecord,
  type LinkedRecordKind,
  markLinkOpened,
  openPublicLink,
  type ResolvedPublicLink,
  readLinkVersion,
} from '../auth/public-links.sql.ts';
import { runTenantSnapshot, runTenantTransaction, type TenantScope } from '../db/tenant-scope.ts';
import { type DeclaredError, toFailure } from '../errors/failures.ts';
import { createRateLimitFailure, getNetworkPrefix, PUBLIC_CALL_LIMIT } from '../limits/rate-limit.ts';
import { publishChange } from '../live/live.ts';
import type { GuardedContext } from './call-context.ts';
import { getClientIp } from './client-ip.ts';
import type { Platform } from './platform.ts';

export interface PublicRecordKind extends LinkedRecordKind {
  readonly notFound: DeclaredError;
}

/** The options of a handler for a call defined with `definePublicLinkCall`. */
interface PublicLinkOptions {
  readonly context: GuardedContext;
  readonly input: { readonly token: string };
  readonly path: readonly string[];
}

type LinkWork<Options, Result> = (scope: TenantScope, recordId: string, options: Options) => Promise<Result>;

/**
 * Wraps a handler that reads data on behalf of the link's holder. All statements see one snapshot, so that the amounts agree. If the record
 * kind has a version, an unchanged page is answered from memory. Only anonymous callers share pages: members may see more.
 */
export function publicLinkQuery<Options extends PublicLinkOptions, Result extends object>(
  record: PublicRecordKind,
  work: LinkWork<Options, Result>,
) {
  return async (options: Options): Promise<Result> => {
    const { context, input, path } = options;
    const { pools, publicPages } = context.platform;
    const { tenant, recordId, version } = await openLinkForCall(record, options);
    if (version === null || context.actor) return runTenantSnapshot(pools.app, tenant, (scope) => work(scope, recordId, options));
    const buildKey = (pageVersion: string) => [...path, input.token, pageVersion].join(' ');
    const unchanged = publicPages.find(buildKey(version));
    if (unchanged) {
      context.page.found = unchanged;
      return unchanged.output as Result;
    }
    return runTenantSnapshot(pools.app, tenant, async (scope) => {
      const page = await work(scope, recordId, options);
      context.page.key = buildKey(await readLinkVersion(scope, record, recordId));
      return page;
    });
  };
}

/** Wraps a handler that changes data in one transaction, on behalf of the link's holder. */
export function publicLinkMutation<Options extends PublicLinkOptions, Result>(record: PublicRecordKind, work: LinkWork<Options, Result>) {
  return async (options: Options): Promise<Result> => {
    const { tenant, recordId } = await openLinkForCall(record, options);
    return runTenantTransaction(options.context.platform.pools.app, tenant, (scope) => work(scope, recordId, options));
  };
}

async function openLinkForCall(record: PublicRecordKind, { context, input, path }: PublicLinkOptions): Promise<ResolvedPublicLink> {
  const { platform, ip, now } = context;
  return openRateLimitedLink(platform, record, { token: input.token, ip, now, call: path.join('.') });
}

/** Opens the public link with the path's `:token` for a route outside the contract. Counts toward the rate limit of `call`. */
export async function openLinkForRequest(
  request: FastifyRequest,
  platform: Pick<Platform, 'pools' | 'now'>,
  record: PublicRecordKind,
  call: string,
): Promise<ResolvedPublicLink> {
  const { token } = request.params as { token: string };
  return openRateLimitedLink(platform, record, { token, ip: getClientIp(request), now: platform.now().toISOString(), call });
}

interface LinkAccess {
  readonly token: string;
  readonly ip: string;
  readonly now: string;
  readonly call: string;
}

/** Limits each public link separately, because a whole mobile network can share one IP address. Guessed links share one limit. */
async function openRateLimitedLink(
  { pools }: Pick<Platform, 'pools'>,
  record: PublicRecordKind,
  { token, now, call, ip }: LinkAccess,
): Promise<ResolvedPublicLink> {
  const attemptKey = `call ${call} ${getNetworkPrefix(ip)}`;
  const { link, waitSeconds } = await openPublicLink(pools.system, record, { token, now, attemptKey, limit: PUBLIC_CALL_LIMIT });
  if (waitSeconds !== null) throw createRateLimitFailure(waitSeconds);
  if (!link) throw toFailure(record.notFound);
  return link;
}

/** Matches messenger previews, crawlers and scanners, which open links automatically. Cubot is a phone brand, not a bot. */
const LINK_PREVIEW_USER_AGENT = /(?<!cu)bot\b|crawler|spider|preview|facebookexternalhit|whatsapp\/|curl\/|wget\/|python-|go-http-client/i;

/** Records that the recipient has viewed the link, and tells the company's pages. Ignores the company's own members and link previews. */
export async function recordLinkView(
  scope: TenantScope,
  record: LinkedRecord,
  topic: string,
  { actor, userAgent }: GuardedContext,
): Promise<Record<string, never>> {
  const isMember = actor?.member?.companyId === scope.companyId;
  if (isMember || userAgent === '' || LINK_PREVIEW_USER_AGENT.test(userAgent)) return {};
  await markLinkOpened(scope, record);
  await publishChange(scope, topic);
  return {};
}
