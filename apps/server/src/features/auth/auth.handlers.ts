import { INVALID_EMAIL } from '@callout/contract/fields';
import { isEmailTaken, readPasswordHashByEmail } from '../../platform/auth/account-changes.sql.ts';
import { isAccountEmail } from '../../platform/auth/accounts.ts';
import { refuseCommonPassword } from '../../platform/auth/common-passwords.ts';
import { hashLinkToken, readPasswordLink } from '../../platform/auth/password-links.sql.ts';
import { endSession, endSessionsOf, listSessions, readSession } from '../../platform/auth/session.sql.ts';
import { isAdminEmail } from '../../platform/auth/system-admin.ts';
import { inTransaction } from '../../platform/db/transaction.ts';
import type { CallContext, PersonContext } from '../../platform/http/call-context.ts';
import { calls, requireUser } from '../../platform/http/calls.ts';
import { isShownTo } from '../../platform/http/request-actor.ts';
import {
  type AccountAttempt,
  forgiveAccountAttempt,
  limitAccountAttempt,
  RESET_REQUEST,
  SIGN_IN,
} from '../../platform/limits/account-limits.ts';
import { deleteAttempts, type Limit } from '../../platform/limits/rate-limit.sql.ts';
import { limitAttempts, network } from '../../platform/limits/rate-limit.ts';
import { publishEndedSessions } from '../../platform/live/live.ts';
import { mailOutcome } from '../../platform/mail/send-mail.ts';
import { changePassword, confirmNewEmail, provePassword, requestEmailChange } from './change-account.ts';
import { CONFIRMATION_MAILS, requestEmailConfirmation } from './confirm-own-email.ts';
import { describeDevice } from './describe-device.ts';
import { sendPasswordReset } from './reset-password.ts';
import { usePasswordLink } from './use-password-link.ts';

/** Keeps a sender with many accounts from flooding a stranger's mailbox. */
const CONFIRMATION_MAILS_OF_NETWORK: Limit = { attempts: 30, seconds: 60 * 60 };
const CONFIRMATION_MAILS_TO_STRANGER: Limit = { attempts: 6, seconds: 24 * 60 * 60 };
/** Guesses of the current password in a stolen session. */
const CURRENT_PASSWORD: Limit = { attempts: 10, seconds: 5 * 60 };

export const authHandlers = {
  signUp: calls.auth.signUp.handler(async ({ input, context, errors }) => {
    const { accounts, pools, config } = context.platform;
    if (!isAccountEmail(input.email)) throw errors.INVALID_INPUT({ data: { fields: { email: INVALID_EMAIL } } });
    refuseCommonPassword('password', input.password, input.email);
    if (await isEmailTaken(pools.system, input.email)) throw errors.EMAIL_TAKEN();
    if (!(await accounts.signUp(input.email, input.password))) throw errors.EMAIL_TAKEN();
    // Anyone can sign up with this email, so its owner sets the password through the mailed link.
    if (isAdminEmail(input.email, config.adminEmail)) await sendPasswordReset.later(pools.system, { email: input.email });
    return {};
  }),

  signIn: calls.auth.signIn.handler(async ({ input, context, errors }) => {
    const { accounts, pools } = context.platform;
    const attempt = await attemptOn(context, input.email);
    await limitAccountAttempt(pools.system, SIGN_IN, attempt);
    const cookies = await accounts.signIn(input.email, input.password, context);
    if (!cookies) throw errors.INVALID_CREDENTIALS();
    await forgiveAccountAttempt(pools.system, SIGN_IN, attempt);
    context.setCookies(cookies);
    await rememberDevice(context, input.email);
    return {};
  }),

  signOut: calls.auth.signOut.handler(async ({ context }) => {
    await endCurrentSession(context);
    return {};
  }),

  requestPasswordReset: calls.auth.requestPasswordReset.handler(async ({ input, context }) => {
    const { pools, config } = context.platform;
    await limitAccountAttempt(pools.system, RESET_REQUEST, await attemptOn(context, input.email));
    await sendPasswordReset.later(pools.system, { email: input.email });
    return { mail: mailOutcome(config) };
  }),

  viewResetLink: calls.auth.viewResetLink.handler(async ({ input, context, errors }) => {
    if (!(await readPasswordLink(context.platform.pools.system, 'reset', hashLinkToken(input.token)))) throw errors.LINK_EXPIRED();
    return {};
  }),

  resetPassword: calls.auth.resetPassword.handler(async ({ input, context, errors }) => {
    const { LINK_EXPIRED } = errors;
    // A password reset keeps the email, so it cannot be taken.
    const email = await usePasswordLink(context.platform, { kind: 'reset', ...input }, { LINK_EXPIRED, EMAIL_TAKEN: LINK_EXPIRED });
    await clearAttemptsAndRememberDevice(context, email);
    return {};
  }),

  undoEmailChange: calls.auth.undoEmailChange.handler(async ({ input, context, errors }) => {
    const email = await usePasswordLink(context.platform, { kind: 'undo', ...input }, errors);
    await clearAttemptsAndRememberDevice(context, email);
    return { email };
  }),

  changePassword: calls.auth.changePassword.handler(
    requireUser(async ({ input, context, errors }) => {
      const { platform, actor } = context;
      refuseCommonPassword('new_password', input.new_password, actor.email);
      const proven = await checkCurrentPassword(context, input.current_password, errors);
      if (!(await changePassword(platform, actor, proven, input.new_password))) throw errors.WRONG_PASSWORD();
      await rememberDevice(context, actor.email);
      return {};
    }),
  ),

  requestEmailChange: calls.auth.requestEmailChange.handler(
    requireUser(async ({ input, context, errors }) => {
      const { platform, actor } = context;
      const wrong = (message: string) => errors.INVALID_INPUT({ data: { fields: { email: message } } });
      if (!isAccountEmail(input.email)) throw wrong(INVALID_EMAIL);
      if (input.email.toLowerCase() === actor.email) throw wrong('This is already your email.');
      const proven = await checkCurrentPassword(context, input.current_password, errors);
      await limitAttempts(platform.pools.system, `email-change ${actor.userId}`, CONFIRMATION_MAILS);
      await limitAttempts(platform.pools.system, `email-change from ${network(context.ip)}`, CONFIRMATION_MAILS_OF_NETWORK);
      await limitAttempts(platform.pools.system, `email-change to ${input.email.toLowerCase()}`, CONFIRMATION_MAILS_TO_STRANGER);
      if (await isEmailTaken(platform.pools.system, input.email, actor.userId)) throw errors.EMAIL_TAKEN();
      if (!(await requestEmailChange(platform, actor, proven, input.email))) throw errors.WRONG_PASSWORD();
      return { mail: mailOutcome(platform.config) };
    }),
  ),

  requestEmailConfirmation: calls.auth.requestEmailConfirmation.handler(
    requireUser(async ({ context, errors }) => {
      if (!(await requestEmailConfirmation(context.platform, context.actor))) throw errors.ALREADY_DONE();
      return { mail: mailOutcome(context.platform.config) };
    }),
  ),

  confirmEmailChange: calls.auth.confirmEmailChange.handler(
    requireUser(async ({ input, context, errors }) => {
      return { email: await confirmNewEmail(context.platform, context.actor, input.token, errors) };
    }),
  ),

  sessions: calls.auth.sessions.handler(
    requireUser(async ({ context }) => {
      const { platform, actor } = context;
      const devices = (await listSessions(platform.pools.system, actor.userId)).map((session) => describeDevice(session, actor.sessionId));
      return { rows: devices.toSorted((a, b) => Number(b.is_current) - Number(a.is_current)) };
    }),
  ),

  endSession: calls.auth.endSession.handler(
    requireUser(async ({ input, context, errors }) => {
      if (!(await endSessions(context, { only: input.id }))) throw errors.NOT_FOUND();
      return {};
    }),
  ),

  endOtherSessions: calls.auth.endOtherSessions.handler(
    requireUser(async ({ context }) => {
      await endSessions(context, { except: context.actor.sessionId });
      return {};
    }),
  ),
};

async function attemptOn({ ip, cookies, platform }: CallContext, email: string): Promise<AccountAttempt> {
  const passwordHash = await readPasswordHashByEmail(platform.pools.system, email);
  return { email, ip, knownDevice: passwordHash && platform.deviceCookie.knownDevice(cookies, passwordHash) };
}

async function rememberDevice({ cookies, platform, setCookies }: CallContext, email: string): Promise<void> {
  const passwordHash = await readPasswordHashByEmail(platform.pools.system, email);
  if (passwordHash) setCookies([platform.deviceCookie.remember(cookies, passwordHash)]);
}

/** They opened a mailed link, so other people's wrong guesses must not lock them out. */
async function clearAttemptsAndRememberDevice(context: CallContext, email: string): Promise<void> {
  await forgiveAccountAttempt(context.platform.pools.system, SIGN_IN, { email, ip: context.ip, knownDevice: null });
  await rememberDevice(context, email);
}

/** Returns the verified password hash. Counted per session, so that a stolen session cannot use up the owner's attempts. */
async function checkCurrentPassword(
  { platform, actor }: PersonContext,
  typed: string,
  errors: { WRONG_PASSWORD(): Error },
): Promise<string> {
  const key = `current-password ${actor.userId} ${actor.sessionId}`;
  await limitAttempts(platform.pools.system, key, CURRENT_PASSWORD);
  const proven = await provePassword(platform, actor, typed);
  if (proven === null) throw errors.WRONG_PASSWORD();
  await deleteAttempts(platform.pools.system, key);
  return proven;
}

/** Returns whether any session was ended. */
async function endSessions({ platform, actor }: PersonContext, which: { only: string } | { except: string }): Promise<boolean> {
  return inTransaction(platform.pools.system, async (client) => {
    const ended = await endSessionsOf(client, actor.userId, which);
    await publishEndedSessions(client, ended);
    return ended.length > 0;
  });
}

async function endCurrentSession(context: CallContext): Promise<void> {
  const { pools, sessionCookie, live } = context.platform;
  if (context.sessionToken) {
    const session = await readSession(pools.system, context.sessionToken);
    // Somebody else has signed in since the page was opened: its person has no session here any more.
    if (session && !isShownTo(context.shownTo, session)) return;
    const ended = await endSession(pools.system, context.sessionToken);
    if (ended) await live.endSession(ended);
  }
  context.setCookies([sessionCookie.cleared()]);
  context.clearBrowserCache();
}
