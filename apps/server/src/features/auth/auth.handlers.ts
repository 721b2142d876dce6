import { INVALID_EMAIL_MESSAGE } from '@callout/contract/fields';
import { findPasswordHashByEmail, isEmailTaken } from '../../platform/auth/account-changes.sql.ts';
import { isValidAccountEmail } from '../../platform/auth/accounts.ts';
import { requireUncommonPassword } from '../../platform/auth/common-passwords.ts';
import { findPasswordLink, hashLinkToken } from '../../platform/auth/password-links.sql.ts';
import { endSession, endUserSessions, findSession, listSessionIps, listSessions } from '../../platform/auth/session.sql.ts';
import { isSystemAdminEmail } from '../../platform/auth/system-admin.ts';
import { runInTransaction } from '../../platform/db/transaction.ts';
import type { CallContext, PersonContext } from '../../platform/http/call-context.ts';
import { calls, requireUser } from '../../platform/http/calls.ts';
import { isExpectedUser } from '../../platform/http/request-session.ts';
import {
  type AccountAttempt,
  countAccountAttempt,
  forgetAccountAttempts,
  PASSWORD_RESET_LIMITS,
  refundAccountAttempt,
  SIGN_IN_LIMITS,
  takeBackAccountAttempt,
} from '../../platform/limits/account-limits.ts';
import { createFairQueue } from '../../platform/limits/fair-queue.ts';
import { deleteAttempts, type RateLimit, refundAttempt } from '../../platform/limits/rate-limit.sql.ts';
import { createRateLimitFailure, enforceRateLimit, getNetworkPrefix } from '../../platform/limits/rate-limit.ts';
import { publishEndedSessions } from '../../platform/live/live.ts';
import { getMailOutcome } from '../../platform/mail/send-mail.ts';
import { changePassword, confirmNewEmail, requestEmailChange, verifyPassword } from './change-account.ts';
import { CONFIRMATION_MAIL_LIMIT_PER_PERSON, requestEmailConfirmation } from './confirm-email.ts';
import { describeDevice } from './describe-device.ts';
import { redeemPasswordLink } from './redeem-password-link.ts';
import { passwordResetMailTask } from './reset-password.ts';
import { countUnconfirmedMail, enforceUnconfirmedMailLimits, getFirstMailKey } from './unconfirmed-mail-limits.ts';

/** Limits how often someone with a stolen session can guess the current password. */
const CURRENT_PASSWORD_LIMIT: RateLimit = { attempts: 10, seconds: 5 * 60 };
/** Every change sends an email and takes the time of three hashes. */
const PASSWORD_CHANGE_LIMIT: RateLimit = { attempts: 10, seconds: 60 * 60 };
/**
 * A sign-in takes a dozen statements, most of them on the same rate limits. Without this queue, a burst of them would take all connections
 * of the system pool, and everyone's session lookup would wait.
 */
const signInQueue = createFairQueue({ name: 'sign-ins', slots: 4, slotsPerGroup: 2, maxWaitingPerKey: 100, maxWaitMs: 10_000 });
const buildAccountUnderAttackMessage = (canMail: boolean) =>
  `Too many people have tried to sign in to this account. Use “Forgot your password?” ${
    canMail ? 'to get a link by email' : 'and ask your administrator for the link in the outbox'
  }, or sign in on a device that you have used before.`;

export const authHandlers = {
  signUp: calls.auth.signUp.handler(async ({ input, context, errors }) => {
    const { accounts, pools, config } = context.platform;
    if (!isValidAccountEmail(input.email)) throw errors.INVALID_INPUT({ data: { fields: { email: INVALID_EMAIL_MESSAGE } } });
    requireUncommonPassword('password', input.password, input.email);
    if (await isEmailTaken(pools.system, input.email)) throw errors.EMAIL_TAKEN();
    if (!(await accounts.signUp(input.email, input.password, context.ip))) throw errors.EMAIL_TAKEN();
    // Anyone can sign up with the system administrator's email address, so its owner must set a password through an emailed link.
    if (isSystemAdminEmail(input.email, config.adminEmail)) await passwordResetMailTask.queue(pools.system, { email: input.email });
    return {};
  }),

  signIn: calls.auth.signIn.handler(({ input, context, errors }) =>
    signInQueue.run(getNetworkPrefix(context.ip), async () => {
      const { accounts, pools, config, sessionCookie } = context.platform;
      const attempt = await createAccountAttempt(context, input.email);
      const waitSeconds = await countAccountAttempt(pools.system, SIGN_IN_LIMITS, attempt);
      if (waitSeconds !== null) {
        const message = buildAccountUnderAttackMessage(getMailOutcome(config) === 'queued');
        throw createRateLimitFailure(waitSeconds, message, { offers_password_reset: true });
      }
      const token = await accounts.signIn(input.email, input.password, context).catch(async (error: unknown) => {
        // The password wasn't compared, for example because too many others are waiting.
        await takeBackAccountAttempt(pools.system, SIGN_IN_LIMITS, attempt);
        throw error;
      });
      if (!token) throw errors.INVALID_CREDENTIALS();
      await refundAccountAttempt(pools.system, SIGN_IN_LIMITS, attempt);
      context.setCookies([sessionCookie.buildSetCookie(token)]);
      await rememberDevice(context, input.email);
      return {};
    }),
  ),

  signOut: calls.auth.signOut.handler(async ({ context }) => {
    await endCurrentSession(context);
    return {};
  }),

  requestPasswordReset: calls.auth.requestPasswordReset.handler(async ({ input, context }) => {
    const { pools, config } = context.platform;
    const attempt = await createAccountAttempt(context, input.email);
    const waitSeconds = await countAccountAttempt(pools.system, PASSWORD_RESET_LIMITS, attempt);
    // Strangers on many networks can't keep the owner from a link: the links that they have requested are in the owner's mailbox and valid.
    // The response is therefore the same, and true, beyond the limit.
    if (waitSeconds === null) await passwordResetMailTask.queue(pools.system, { email: input.email });
    return { mail: getMailOutcome(config) };
  }),

  viewResetLink: calls.auth.viewResetLink.handler(async ({ input, context, errors }) => {
    if (!(await findPasswordLink(context.platform.pools.system, 'reset', hashLinkToken(input.token)))) throw errors.LINK_EXPIRED();
    return {};
  }),

  resetPassword: calls.auth.resetPassword.handler(async ({ input, context, errors }) => {
    const { LINK_EXPIRED } = errors;
    // A password reset doesn't change the email address, so EMAIL_TAKEN can't occur. LINK_EXPIRED is only a placeholder for it.
    const email = await redeemPasswordLink(
      context.platform,
      { kind: 'reset', ip: context.ip, ...input },
      { LINK_EXPIRED, EMAIL_TAKEN: LINK_EXPIRED },
    );
    await clearAttemptsAndRememberDevice(context, email);
    return {};
  }),

  undoEmailChange: calls.auth.undoEmailChange.handler(async ({ input, context, errors }) => {
    const email = await redeemPasswordLink(context.platform, { kind: 'undo', ip: context.ip, ...input }, errors);
    await clearAttemptsAndRememberDevice(context, email);
    return { email };
  }),

  changePassword: calls.auth.changePassword.handler(
    requireUser(async ({ input, context, errors }) => {
      const { platform, actor } = context;
      requireUncommonPassword('new_password', input.new_password, actor.email);
      const verifiedHash = await requireCurrentPassword(context, input.current_password, errors);
      await enforceRateLimit(platform.pools.system, `password-change ${actor.userId}`, PASSWORD_CHANGE_LIMIT);
      if (!actor.emailVerified) await enforceUnconfirmedMailLimits(context, actor.email, getFirstMailKey('password-change', actor.email));
      const isChanged = await changePassword(platform, actor, verifiedHash, { password: input.new_password, ip: context.ip });
      if (!isChanged) throw errors.WRONG_PASSWORD();
      await rememberDevice(context, actor.email);
      return {};
    }),
  ),

  requestEmailChange: calls.auth.requestEmailChange.handler(
    requireUser(async ({ input, context, errors }) => {
      const { platform, actor } = context;
      const createEmailFailure = (message: string) => errors.INVALID_INPUT({ data: { fields: { email: message } } });
      if (!isValidAccountEmail(input.email)) throw createEmailFailure(INVALID_EMAIL_MESSAGE);
      if (input.email.toLowerCase() === actor.email) throw createEmailFailure('This is already your email address.');
      const verifiedHash = await requireCurrentPassword(context, input.current_password, errors);
      await enforceRateLimit(platform.pools.system, `email-change ${actor.userId}`, CONFIRMATION_MAIL_LIMIT_PER_PERSON);
      await enforceUnconfirmedMailLimits(context, input.email, actor.emailVerified ? `email-change ${actor.userId}` : undefined);
      if (await isEmailTaken(platform.pools.system, input.email, actor.userId)) throw errors.EMAIL_TAKEN();
      if (!(await requestEmailChange(platform, actor, verifiedHash, input.email))) throw errors.WRONG_PASSWORD();
      return { mail: getMailOutcome(platform.config) };
    }),
  ),

  requestEmailConfirmation: calls.auth.requestEmailConfirmation.handler(
    requireUser(async ({ context, errors }) => {
      if (!(await requestEmailConfirmation(context))) throw errors.ALREADY_DONE();
      return { mail: getMailOutcome(context.platform.config) };
    }),
  ),

  confirmEmailChange: calls.auth.confirmEmailChange.handler(
    requireUser(async ({ input, context, errors }) => {
      const { platform, actor } = context;
      const notifyOldAddress = actor.emailVerified || (await countUnconfirmedMail(context, actor.email));
      return { email: await confirmNewEmail(platform, actor, { token: input.token, notifyOldAddress }, errors) };
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
      if (!(await endMySessions(context, { only: input.id }))) throw errors.NOT_FOUND();
      return {};
    }),
  ),

  endOtherSessions: calls.auth.endOtherSessions.handler(
    requireUser(async ({ context }) => {
      await endMySessions(context, { except: context.actor.sessionId });
      return {};
    }),
  ),
};

async function createAccountAttempt({ ip, cookieHeader, platform }: CallContext, email: string): Promise<AccountAttempt> {
  const { system } = platform.pools;
  const passwordHash = await findPasswordHashByEmail(system, email);
  const knownDevice = passwordHash && platform.deviceCookie.findKnownDevice(cookieHeader, passwordHash);
  const networks = (await listSessionIps(system, email)).map(getNetworkPrefix);
  return { email, ip, knownDevice, isKnownNetwork: networks.includes(getNetworkPrefix(ip)) };
}

async function rememberDevice({ cookieHeader, platform, setCookies }: CallContext, email: string): Promise<void> {
  const passwordHash = await findPasswordHashByEmail(platform.pools.system, email);
  if (passwordHash) setCookies([platform.deviceCookie.buildSetCookie(cookieHeader, passwordHash)]);
}

/**
 * Forgets wrong guesses made by others, because someone who opens an emailed link has proven who they are. The links that count toward the
 * limit of resets no longer work, so new ones may be sent.
 */
async function clearAttemptsAndRememberDevice(context: CallContext, email: string): Promise<void> {
  const attempt = { email, ip: context.ip, knownDevice: null, isKnownNetwork: false };
  await refundAccountAttempt(context.platform.pools.system, SIGN_IN_LIMITS, attempt);
  await forgetAccountAttempts(context.platform.pools.system, PASSWORD_RESET_LIMITS, attempt);
  await rememberDevice(context, email);
}

/** Returns the verified password hash. Attempts are counted per session, so someone with a stolen session can't lock out the owner. */
async function requireCurrentPassword(
  { platform, actor, ip }: PersonContext,
  password: string,
  errors: { WRONG_PASSWORD(): Error },
): Promise<string> {
  const key = `current-password ${actor.userId} ${actor.sessionId}`;
  await enforceRateLimit(platform.pools.system, key, CURRENT_PASSWORD_LIMIT);
  const verifiedHash = await verifyPassword(platform, actor, password, ip).catch(async (error: unknown) => {
    await refundAttempt(platform.pools.system, key);
    throw error;
  });
  if (verifiedHash === null) throw errors.WRONG_PASSWORD();
  await deleteAttempts(platform.pools.system, key);
  return verifiedHash;
}

async function endMySessions({ platform, actor }: PersonContext, which: { only: string } | { except: string }): Promise<boolean> {
  return runInTransaction(platform.pools.system, async (client) => {
    const ended = await endUserSessions(client, actor.userId, which);
    await publishEndedSessions(client, ended);
    return ended.length > 0;
  });
}

async function endCurrentSession(context: CallContext): Promise<void> {
  const { pools, sessionCookie, live } = context.platform;
  if (context.sessionToken) {
    const session = await findSession(pools.system, context.sessionToken);
    // Someone else has signed in on this browser since the page was opened. Signing out on the page must not end that session.
    if (session && !isExpectedUser(context.expectedUserId, session)) return;
    const ended = await endSession(pools.system, context.sessionToken);
    if (ended) await live.endSession(ended);
  }
  context.setCookies([sessionCookie.buildClearCookie()]);
  context.clearBrowserCache();
}
