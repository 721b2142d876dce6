import type { FastifyRequest } from 'fastify';
import { type LinkedRecord, markLinkOpened, type OpenedLink, openPublicLink } from '../auth/public-links.sql.ts';
import { changeAs, readAs, type TenantScope } from '../db/tenant-scope.ts';
import { type DeclaredError, failureOf } from '../errors/failures.ts';
import type { Limit } from '../limits/rate-limit.sql.ts';
import { limitLinkCall } from '../limits/rate-limit.ts';
import type { GuardedContext } from './call-context.ts';
import { clientIp } from './client-ip.ts';
import type { Platform } from './platform.ts';

/** A kind of record that has public pages. */
export interface PublicRecord {
  readonly kind: string;
  readonly notFound: DeclaredError;
  /** How often one network may open a link, when that is less than any public call. */
  readonly limit?: Limit;
}

/** A call of a public page: `linkCall` in the contract. */
interface LinkCall {
  readonly context: GuardedContext;
  readonly input: { readonly token: string };
  readonly path: readonly string[];
}

/** The work of a public page's call, on the record that its link opens. */
type LinkWork<Options, Result> = (scope: TenantScope, recordId: string, options: Options) => Promise<Result>;

/** A handler that reads for whoever has the link. */
export function linkQuery<Options extends LinkCall, Result>(record: PublicRecord, work: LinkWork<Options, Result>) {
  return async (options: Options): Promise<Result> => {
    const { tenant, recordId } = await openCallLink(record, options);
    return readAs(options.context.platform.pools.app, tenant, (scope) => work(scope, recordId, options));
  };
}

/** A handler that changes something for them, in one transaction. */
export function linkMutation<Options extends LinkCall, Result>(record: PublicRecord, work: LinkWork<Options, Result>) {
  return async (options: Options): Promise<Result> => {
    const { tenant, recordId } = await openCallLink(record, options);
    return changeAs(options.context.platform.pools.app, tenant, (scope) => work(scope, recordId, options));
  };
}

async function openCallLink(record: PublicRecord, { context, input, path }: LinkCall): Promise<OpenedLink> {
  const { platform, ip, now } = context;
  return openCountedLink(platform, record, { token: input.token, ip, now, call: path.join('.') });
}

/** For a route of a public page beside the contract: `:token` in its path, counted under `call`. */
export async function openRequestLink(
  request: FastifyRequest,
  platform: Pick<Platform, 'pools' | 'now'>,
  record: PublicRecord,
  call: string,
): Promise<OpenedLink> {
  const { token } = request.params as { token: string };
  return openCountedLink(platform, record, { token, ip: clientIp(request), now: platform.now().toISOString(), call });
}

interface LinkUse {
  readonly token: string;
  readonly ip: string;
  readonly now: string;
  readonly call: string;
}

async function openCountedLink(
  { pools }: Pick<Platform, 'pools'>,
  { kind, notFound, limit }: PublicRecord,
  use: LinkUse,
): Promise<OpenedLink> {
  const link = await openPublicLink(pools.system, use.token, kind, use.now);
  await limitLinkCall(pools.system, use.ip, use.call, link && { recordId: link.recordId, limit });
  if (!link) throw failureOf(notFound);
  return link;
}

/** Programs that open a link by themselves and say so: previews of messengers, crawlers, scanners. Cubot makes phones. */
const LINK_PREVIEW = /(?<!cu)bot\b|crawler|spider|preview|facebookexternalhit|whatsapp\/|curl\/|wget\/|python-|go-http-client/i;

/** Notes that the recipient has looked at the record. False for a member of the company and for a link preview. */
export async function recordLinkOpening(scope: TenantScope, record: LinkedRecord, { actor, userAgent }: GuardedContext): Promise<boolean> {
  const isMember = actor?.member?.companyId === scope.companyId;
  if (isMember || userAgent === '' || LINK_PREVIEW.test(userAgent)) return false;
  await markLinkOpened(scope, record);
  return true;
}
