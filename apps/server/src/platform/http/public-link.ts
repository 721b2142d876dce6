import type { FastifyRequest } from 'fastify';
import { type LinkedRecord, markLinkOpened, openPublicLink, type ResolvedPublicLink } from '../auth/public-links.sql.ts';
import { runTenantSnapshot, runTenantTransaction, type TenantScope } from '../db/tenant-scope.ts';
import { type DeclaredError, toFailure } from '../errors/failures.ts';
import type { RateLimit } from '../limits/rate-limit.sql.ts';
import { enforceLinkCallLimit } from '../limits/rate-limit.ts';
import { publishChange } from '../live/live.ts';
import type { GuardedContext } from './call-context.ts';
import { getClientIp } from './client-ip.ts';
import type { Platform } from './platform.ts';

export interface PublicRecordKind {
  readonly kind: string;
  readonly notFound: DeclaredError;
  /** Replaces the default rate limit of public calls. Counted per link and network. */
  readonly rateLimit?: RateLimit;
}

/** The options of a handler for a call defined with `definePublicLinkCall`. */
interface PublicLinkOptions {
  readonly context: GuardedContext;
  readonly input: { readonly token: string };
  readonly path: readonly string[];
}

type LinkWork<Options, Result> = (scope: TenantScope, recordId: string, options: Options) => Promise<Result>;

/** Wraps a handler that reads data on behalf of the link's holder. All statements see one snapshot, so that the amounts agree. */
export function publicLinkQuery<Options extends PublicLinkOptions, Result>(record: PublicRecordKind, work: LinkWork<Options, Result>) {
  return async (options: Options): Promise<Result> => {
    const { tenant, recordId } = await openLinkForCall(record, options);
    return runTenantSnapshot(options.context.platform.pools.app, tenant, (scope) => work(scope, recordId, options));
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

async function openRateLimitedLink(
  { pools }: Pick<Platform, 'pools'>,
  { kind, notFound, rateLimit }: PublicRecordKind,
  access: LinkAccess,
): Promise<ResolvedPublicLink> {
  const link = await openPublicLink(pools.system, access.token, kind, access.now);
  await enforceLinkCallLimit(pools.system, access.ip, access.call, link && { recordId: link.recordId, limit: rateLimit });
  if (!link) throw toFailure(notFound);
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
