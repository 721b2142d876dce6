import { z } from 'zod';
import { defineCall } from './call.ts';
import { ERROR_STATUS, linkExpiredError, notFoundError } from './errors.ts';
import { Id, Instant, OutputId, requiredEmail } from './fields.ts';

export const MIN_PASSWORD_LENGTH = 6;
const MAX_PASSWORD_LENGTH = 128;
export const PASSWORD_TOO_SHORT_MESSAGE = `Password must be at least ${MIN_PASSWORD_LENGTH} characters long`;

const passwordSchema = (tooShortMessage: string) =>
  z
    .string('Password is required')
    .min(MIN_PASSWORD_LENGTH, tooShortMessage)
    .max(MAX_PASSWORD_LENGTH, `Password must be at most ${MAX_PASSWORD_LENGTH} characters long`);

export const Password = passwordSchema(PASSWORD_TOO_SHORT_MESSAGE);

export const Credentials = z.object({ email: requiredEmail('Email'), password: Password });
export type Credentials = z.infer<typeof Credentials>;

export const PasswordResetRequest = z.object({ email: requiredEmail('Email') });
export type PasswordResetRequest = z.infer<typeof PasswordResetRequest>;

/** The secret part of an emailed link. */
export const LinkToken = z.string().regex(/^[\w-]{1,200}$/, 'This link is incomplete');

export const NewPassword = z.object({ token: LinkToken, password: Password });
export type NewPassword = z.infer<typeof NewPassword>;

/** Required for changes that could lock the owner out of their account. */
const CurrentPassword = z.string('Current password is required').min(1, 'Current password is required').max(MAX_PASSWORD_LENGTH);

export const ChangePasswordInput = z.object({
  current_password: CurrentPassword,
  new_password: passwordSchema(`Password must be at least ${MIN_PASSWORD_LENGTH} characters`),
});
export type ChangePasswordInput = z.infer<typeof ChangePasswordInput>;

export const ChangeEmailInput = z.object({ email: requiredEmail('Email'), current_password: CurrentPassword });
export type ChangeEmailInput = z.infer<typeof ChangeEmailInput>;

export const SignedInDevice = z.object({
  id: OutputId,
  /** Browser and operating system (`system`), such as 'Chrome' and 'Windows'; null if unknown. */
  browser: z.string().nullable(),
  system: z.string().nullable(),
  /** The device's last known IP address. */
  network: z.string().nullable(),
  signed_in_at: Instant,
  /** Accurate to within ten minutes. */
  last_active_at: Instant,
  is_current: z.boolean(),
});
export type SignedInDevice = z.infer<typeof SignedInDevice>;

/** 'kept' means that the email stays in the outbox, because no mail server is configured. The page tells the person so. */
export const MailOutcome = z.object({ mail: z.enum(['queued', 'kept']) });

const wrongPasswordError = { WRONG_PASSWORD: { status: ERROR_STATUS.WRONG_PASSWORD, message: 'Current password is incorrect' } } as const;

const emailTakenError = {
  EMAIL_TAKEN: { status: ERROR_STATUS.EMAIL_TAKEN, message: 'An account with this email already exists.' },
} as const;

export const auth = {
  signUp: defineCall('public')
    .route({ method: 'POST', path: '/auth/sign-up', summary: 'Create an account', tags: ['auth'], successStatus: 201 })
    .input(Credentials)
    .output(z.object({}))
    .errors({ EMAIL_TAKEN: { status: ERROR_STATUS.EMAIL_TAKEN, message: 'An account with this email already exists. Please sign in.' } }),

  signIn: defineCall('public')
    .route({ method: 'POST', path: '/auth/sign-in', summary: 'Sign in with email and password', tags: ['auth'] })
    .input(Credentials)
    .output(z.object({}))
    .errors({ INVALID_CREDENTIALS: { status: ERROR_STATUS.INVALID_CREDENTIALS, message: 'Invalid email or password. Please try again.' } }),

  signOut: defineCall('public')
    .route({ method: 'POST', path: '/auth/sign-out', summary: 'End this session', tags: ['auth'] })
    .output(z.object({})),

  requestPasswordReset: defineCall('public')
    .route({ method: 'POST', path: '/auth/request-password-reset', summary: 'Send a link to reset a password', tags: ['auth'] })
    .input(PasswordResetRequest)
    .output(MailOutcome),

  viewResetLink: defineCall('public')
    .route({ method: 'POST', path: '/auth/reset-password/view', summary: 'Check a password reset token', tags: ['auth'] })
    .input(z.object({ token: LinkToken }))
    .output(z.object({}))
    .errors(linkExpiredError),

  resetPassword: defineCall('public')
    .route({ method: 'POST', path: '/auth/reset-password', summary: 'Set a new password with the emailed token', tags: ['auth'] })
    .input(NewPassword)
    .output(z.object({}))
    .errors(linkExpiredError),

  changePassword: defineCall('signed-in')
    .route({ method: 'PUT', path: '/me/password', summary: 'Change my password; ends my other sessions', tags: ['auth'] })
    .input(ChangePasswordInput)
    .output(z.object({}))
    .errors(wrongPasswordError),

  requestEmailChange: defineCall('signed-in')
    .route({ method: 'POST', path: '/me/email-change', summary: 'Send a confirmation link to my new email address', tags: ['auth'] })
    .input(ChangeEmailInput)
    .output(MailOutcome)
    .errors({ ...wrongPasswordError, ...emailTakenError }),

  requestEmailConfirmation: defineCall('signed-in')
    .route({ method: 'POST', path: '/me/email-confirmation', summary: 'Send a confirmation link to my email address', tags: ['auth'] })
    .output(MailOutcome)
    .errors({ ALREADY_DONE: { status: ERROR_STATUS.ALREADY_DONE, message: 'Your email address is already confirmed.' } }),

  confirmEmailChange: defineCall('signed-in')
    .route({
      method: 'POST',
      path: '/auth/confirm-email',
      summary: 'Change my email address with the emailed token; ends my other sessions',
      tags: ['auth'],
    })
    .input(z.object({ token: LinkToken }))
    .output(z.object({ email: z.string() }))
    .errors({ ...linkExpiredError, ...emailTakenError }),

  undoEmailChange: defineCall('public')
    .route({
      method: 'POST',
      path: '/auth/undo-email-change',
      summary: 'Recover an account with the token emailed to its old address: restores that address, sets a password, ends all sessions',
      tags: ['auth'],
    })
    .input(NewPassword)
    .output(z.object({ email: z.string() }))
    .errors({ ...linkExpiredError, ...emailTakenError }),

  sessions: defineCall('signed-in')
    .route({ method: 'GET', path: '/me/sessions', summary: 'List the devices I am signed in on, this one first', tags: ['auth'] })
    .output(z.object({ rows: z.array(SignedInDevice) })),

  endSession: defineCall('signed-in')
    .route({ method: 'DELETE', path: '/me/sessions/{id}', summary: 'Sign out one of my devices', tags: ['auth'] })
    .input(z.object({ id: Id }))
    .output(z.object({}))
    .errors(notFoundError('This device is already signed out.')),

  endOtherSessions: defineCall('signed-in')
    .route({ method: 'DELETE', path: '/me/sessions', summary: 'Sign out all my other devices', tags: ['auth'] })
    .output(z.object({})),
};
