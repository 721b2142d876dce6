import type { TenantScope } from '../db/tenant-scope.ts';
import { createMailCounter, type MailCounter, type SentMailLimits } from '../limits/mail-limits.ts';
import type { GuardedContext, MemberContext } from './call-context.ts';
import { tenantMutation } from './calls.ts';

export interface MailingContext extends MemberContext {
  readonly limits: MailCounter;
}

/** A handler that mails somebody on behalf of its company, within the limits. */
export function mailingMutation<Options extends { context: GuardedContext }, Result>(
  mailLimits: SentMailLimits,
  work: (scope: TenantScope, options: Options & { context: MailingContext }) => Promise<Result>,
): (options: Options) => Promise<Result> {
  return (options) => {
    const { platform, ip } = options.context;
    const limits = createMailCounter(platform.pools.system, ip, mailLimits);
    const mutate = tenantMutation<Options, Result>((scope, member) => work(scope, { ...member, context: { ...member.context, limits } }));
    return mutate(options);
  };
}
