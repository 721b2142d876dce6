import { type OpenedLink, openPublicLink } from '../auth/public-links.sql.ts';
import { changeAs, readAs, type TenantScope } from '../db/tenant-scope.ts';
import { type DeclaredError, failureOf } from '../errors/failures.ts';
import { limitLinkCall } from '../limits/rate-limit.ts';
import type { GuardedContext } from './call-context.ts';

/** A kind of record that has public pages. */
export interface PublicRecord {
  readonly kind: string;
  readonly notFound: DeclaredError;
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
    const { tenant, recordId } = await openLimitedLink(record, options);
    return readAs(options.context.platform.pools.app, tenant, (scope) => work(scope, recordId, options));
  };
}

/** A handler that changes something for them, in one transaction. */
export function linkMutation<Options extends LinkCall, Result>(record: PublicRecord, work: LinkWork<Options, Result>) {
  return async (options: Options): Promise<Result> => {
    const { tenant, recordId } = await openLimitedLink(record, options);
    return changeAs(options.context.platform.pools.app, tenant, (scope) => work(scope, recordId, options));
  };
}

async function openLimitedLink({ kind, notFound }: PublicRecord, { context, input, path }: LinkCall): Promise<OpenedLink> {
  const { system } = context.platform.pools;
  const link = await openPublicLink(system, input.token, kind, context.now);
  await limitLinkCall(system, context.ip, path.join('.'), link?.recordId ?? null);
  if (!link) throw failureOf(notFound);
  return link;
}
