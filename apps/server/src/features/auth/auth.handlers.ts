import { INVALID_EMAIL } from '@callout/contract/fields';
import { isAccountAddress } from '../../platform/auth/accounts.ts';
import { emailIsTaken, endSession } from '../../platform/auth/session.sql.ts';
import { SIGN_IN_LIMIT, signInKey } from '../../platform/auth/sign-in-limit.ts';
import { isAdminEmail } from '../../platform/auth/system-admin.ts';
import type { CallContext } from '../../platform/http/call-context.ts';
import { calls, requireUser } from '../../platform/http/calls.ts';
import { forgetAttempts, type Limit } from '../../platform/limits/rate-limit.sql.ts';
import { limitAttempts } from '../../platform/limits/rate-limit.ts';
import { mailOutcome } from '../../platform/mail/send-mail.ts';
import { askToConfirm, changePassword, confirmNewEmail } from './change-account.ts';
import { requestEmailConfirmation } from './confirm-own-email.ts';
import { sendPasswordReset } from './reset-password.ts';

const RESET_MAILS: Limit = { attempts: 5, seconds: 60 * 60 };
const CONFIRMATION_MAILS: Limit = { attempts: 5, seconds: 60 * 60 };

export const authHandlers = {
  signUp: calls.auth.signUp.handler(async ({ input, context, errors }) => {
    const { accounts, pools, config } = context.platform;
    if (!isAccountAddress(input.email)) throw errors.INVALID_INPUT({ data: { fields: { email: INVALID_EMAIL } } });
    if (await emailIsTaken(pools.system, input.email)) throw errors.EMAIL_TAKEN();
    const userId = await accounts.signUp(input.email, input.password).catch(async (error: unknown) => {
      // Two sign-ups at the same moment: the second one finds the address taken after all.
      throw (await emailIsTaken(pools.system, input.email)) ? errors.EMAIL_TAKEN() : error;
    });
    // Whoever runs this server is asked to show that the address is theirs; everybody else may, by a forgotten password.
    if (isAdminEmail(input.email, config.adminEmail)) await askToConfirm(context.platform, { userId, companyId: null }, input.email);
    return {};
  }),

  signIn: calls.auth.signIn.handler(async ({ input, context, errors }) => {
    await limitAttempts(context.platform.pools.system, signInKey(input.email), SIGN_IN_LIMIT);
    const cookies = await context.platform.accounts.signIn(input.email, input.password, { ip: context.ip, userAgent: context.userAgent });
    if (!cookies) throw errors.INVALID_CREDENTIALS();
    await forgetAttempts(context.platform.pools.system, signInKey(input.email));
    context.setCookies(cookies);
    return {};
  }),

  signOut: calls.auth.signOut.handler(async ({ context }) => {
    await endCurrentSession(context);
    return {};
  }),

  requestPasswordReset: calls.auth.requestPasswordReset.handler(async ({ input, context }) => {
    await limitAttempts(context.platform.pools.system, `reset ${input.email.toLowerCase()}`, RESET_MAILS);
    await sendPasswordReset.later(context.platform.pools.system, { email: input.email });
    return { mail: mailOutcome(context.platform.config) };
  }),

  resetPassword: calls.auth.resetPassword.handler(async ({ input, context, errors }) => {
    if (!(await context.platform.accounts.resetPassword(input.token, input.password))) throw errors.LINK_EXPIRED();
    return {};
  }),

  changePassword: calls.auth.changePassword.handler(
    requireUser(async ({ input, context, errors }) => {
      const { platform, actor } = context;
      await limitAttempts(platform.pools.system, signInKey(actor.email), SIGN_IN_LIMIT);
      if (!(await changePassword(platform, actor, input.current_password, input.new_password))) throw errors.WRONG_PASSWORD();
      await forgetAttempts(platform.pools.system, signInKey(actor.email));
      return {};
    }),
  ),

  requestEmailChange: calls.auth.requestEmailChange.handler(
    requireUser(async ({ input, context, errors }) => {
      const { platform, actor } = context;
      await limitAttempts(platform.pools.system, `email-change ${actor.userId}`, CONFIRMATION_MAILS);
      const wrong = (says: string) => errors.INVALID_INPUT({ data: { fields: { email: says } } });
      if (!isAccountAddress(input.email)) throw wrong(INVALID_EMAIL);
      if (input.email.toLowerCase() === actor.email) throw wrong('This is your email address already');
      if (await emailIsTaken(platform.pools.system, input.email)) throw errors.EMAIL_TAKEN();
      await askToConfirm(platform, { userId: actor.userId, companyId: actor.member?.companyId ?? null }, input.email);
      return { mail: mailOutcome(platform.config) };
    }),
  ),

  requestEmailConfirmation: calls.auth.requestEmailConfirmation.handler(
    requireUser(async ({ context, errors }) => {
      if (!(await requestEmailConfirmation(context.platform, context.actor))) throw errors.ALREADY_DONE();
      return { mail: mailOutcome(context.platform.config) };
    }),
  ),

  confirmEmailChange: calls.auth.confirmEmailChange.handler(async ({ input, context, errors }) => {
    const confirmed = await confirmNewEmail(context.platform, input.token);
    if (confirmed === null) throw errors.LINK_EXPIRED();
    if (confirmed === 'taken') throw errors.EMAIL_TAKEN();
    return confirmed;
  }),
};

async function endCurrentSession(context: CallContext): Promise<void> {
  const { pools, sessionCookie, live } = context.platform;
  if (context.sessionToken) {
    const ended = await endSession(pools.system, context.sessionToken);
    if (ended) await live.endSession(ended);
  }
  context.setCookies([sessionCookie.cleared()]);
}
