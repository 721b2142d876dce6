import type { TenantScope } from '../db/tenant-scope.ts';
import { createMailLimiter, type MailLimiter, type ManualMailLimits } from '../limits/mail-limits.ts';
import type { GuardedContext, MemberContext } from './call-context.ts';
import { tenantMutation } from './calls.ts';

export interface MailingContext extends MemberContext {
  readonly mailLimiter: MailLimiter;
}

/** Wraps a mutation that sends email on its company's behalf, within the rate limits for email. */
export function mailingMutation<Options extends { context: GuardedContext }, Result>(
  mailLimits: ManualMailLimits,
  work: (scope: TenantScope, options: Options & { context: MailingContext }) => Promise<Result>,
  mutation = tenantMutation,
): (options: Options) => Promise<Result> {
  return (options) => {
    const { platform, ip } = options.context;
    const mailLimiter = createMailLimiter(platform.pools.system, ip, mailLimits);
    const mutate = mutation<Options, Result>((scope, member) => work(scope, { ...member, context: { ...member.context, mailLimiter } }));
    return mutate(options);
  };
}
