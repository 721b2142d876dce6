import { type OpenedLink, openPublicLink } from '../auth/public-links.sql.ts';
import { limitLinkCall } from '../limits/rate-limit.ts';
import type { GuardedContext } from './call-context.ts';

interface LinkCall {
  readonly context: GuardedContext;
  readonly input: { readonly token: string };
  readonly path: readonly string[];
}

/** For the calls of a public page (`linkCall` in the contract): opens the link, and counts the call. Null when no such link is open. */
export async function openLimitedLink({ context, input, path }: LinkCall, kind: string): Promise<OpenedLink | null> {
  const { system } = context.platform.pools;
  const link = await openPublicLink(system, input.token, kind, context.now);
  await limitLinkCall(system, context.ip, path.join('.'), link?.recordId ?? null);
  return link;
}
