import { z } from 'zod';
import { call } from './call.ts';
import { errorStatus, linkExpired, notFound } from './errors.ts';
import { Id, Instant, OutputId, requiredEmail } from './fields.ts';

export const PASSWORD_MIN = 6;
const PASSWORD_MAX = 128;
export const PASSWORD_TOO_SHORT = `Password must be at least ${PASSWORD_MIN} characters long`;

const password = (tooShort: string) =>
  z
    .string('Password is required')
    .min(PASSWORD_MIN, tooShort)
    .max(PASSWORD_MAX, `Password must be at most ${PASSWORD_MAX} characters long`);

export const Password = password(PASSWORD_TOO_SHORT);

export const Credentials = z.object({ email: requiredEmail('Email'), password: Password });
export type Credentials = z.infer<typeof Credentials>;

export const ResetRequest = z.object({ email: requiredEmail('Email') });
export type ResetRequest = z.infer<typeof ResetRequest>;

/** The secret part of a mailed link. */
export const LinkToken = z.string().regex(/^[\w-]{1,200}$/, 'This link is incomplete');

export const NewPassword = z.object({ token: LinkToken, password: Password });
export type NewPassword = z.infer<typeof NewPassword>;

/** Required again for changes that could lock the owner out. */
const CurrentPassword = z.string('Current password is required').min(1, 'Current password is required').max(PASSWORD_MAX);

export const PasswordChange = z.object({
  current_password: CurrentPassword,
  new_password: password(`Password must be at least ${PASSWORD_MIN} characters`),
});
export type PasswordChange = z.infer<typeof PasswordChange>;

export const EmailChange = z.object({ email: requiredEmail('Email'), current_password: CurrentPassword });
export type EmailChange = z.infer<typeof EmailChange>;

/** A browser in which the person is signed in. */
export const SignedInDevice = z.object({
  id: OutputId,
  /** 'Chrome', 'Windows'; null when unknown. */
  browser: z.string().nullable(),
  system: z.string().nullable(),
  /** The IP address it was last seen at. */
  network: z.string().nullable(),
  signed_in_at: Instant,
  /** Accurate to ten minutes. */
  last_active_at: Instant,
  is_current: z.boolean(),
});
export type SignedInDevice = z.infer<typeof SignedInDevice>;

/** 'kept': no mail server is configured, so the mail stays in the outbox, and the page says so. */
export const MailOutcome = z.object({ mail: z.enum(['queued', 'kept']) });

const wrongPassword = { WRONG_PASSWORD: { status: errorStatus.WRONG_PASSWORD, message: 'Current password is incorrect' } } as const;

const emailTaken = { EMAIL_TAKEN: { status: errorStatus.EMAIL_TAKEN, message: 'An account with this email already exists.' } } as const;

export const auth = {
  signUp: call('public')
    .route({ method: 'POST', path: '/auth/sign-up', summary: 'Create an account', tags: ['auth'], successStatus: 201 })
    .input(Credentials)
    .output(z.object({}))
    .errors({ EMAIL_TAKEN: { status: errorStatus.EMAIL_TAKEN, message: 'An account with this email already exists. Please sign in.' } }),

  signIn: call('public')
    .route({ method: 'POST', path: '/auth/sign-in', summary: 'Sign in with email and password', tags: ['auth'] })
    .input(Credentials)
    .output(z.object({}))
    .errors({ INVALID_CREDENTIALS: { status: errorStatus.INVALID_CREDENTIALS, message: 'Invalid email or password. Please try again.' } }),

  signOut: call('public')
    .route({ method: 'POST', path: '/auth/sign-out', summary: 'End this session', tags: ['auth'] })
    .output(z.object({})),

  requestPasswordReset: call('public')
    .route({ method: 'POST', path: '/auth/request-password-reset', summary: 'Mail a link that sets a new password', tags: ['auth'] })
    .input(ResetRequest)
    .output(MailOutcome),

  viewResetLink: call('public')
    .route({ method: 'POST', path: '/auth/reset-password/view', summary: 'Whether the mailed token still works', tags: ['auth'] })
    .input(z.object({ token: LinkToken }))
    .output(z.object({}))
    .errors(linkExpired),

  resetPassword: call('public')
    .route({ method: 'POST', path: '/auth/reset-password', summary: 'Set a new password with the mailed token', tags: ['auth'] })
    .input(NewPassword)
    .output(z.object({}))
    .errors(linkExpired),

  changePassword: call('signed-in')
    .route({ method: 'PUT', path: '/me/password', summary: 'Change my password; ends my other sessions', tags: ['auth'] })
    .input(PasswordChange)
    .output(z.object({}))
    .errors(wrongPassword),

  requestEmailChange: call('signed-in')
    .route({ method: 'POST', path: '/me/email-change', summary: 'Mail a link to my new email that confirms it', tags: ['auth'] })
    .input(EmailChange)
    .output(MailOutcome)
    .errors({ ...wrongPassword, ...emailTaken }),

  requestEmailConfirmation: call('signed-in')
    .route({ method: 'POST', path: '/me/email-confirmation', summary: 'Mail a link to my own email that confirms it', tags: ['auth'] })
    .output(MailOutcome)
    .errors({ ALREADY_DONE: { status: errorStatus.ALREADY_DONE, message: 'Your email address is already confirmed.' } }),

  confirmEmailChange: call('signed-in')
    .route({
      method: 'POST',
      path: '/auth/confirm-email',
      summary: 'Change my email with the mailed token; ends my other sessions',
      tags: ['auth'],
    })
    .input(z.object({ token: LinkToken }))
    .output(z.object({ email: z.string() }))
    .errors({ ...linkExpired, ...emailTaken }),

  undoEmailChange: call('public')
    .route({
      method: 'POST',
      path: '/auth/undo-email-change',
      summary: 'Recover an account with the token mailed to its old email: restores that email, sets a password, ends every session',
      tags: ['auth'],
    })
    .input(NewPassword)
    .output(z.object({ email: z.string() }))
    .errors({ ...linkExpired, ...emailTaken }),

  sessions: call('signed-in')
    .route({ method: 'GET', path: '/me/sessions', summary: 'The devices I am signed in on, this one first', tags: ['auth'] })
    .output(z.object({ rows: z.array(SignedInDevice) })),

  endSession: call('signed-in')
    .route({ method: 'DELETE', path: '/me/sessions/{id}', summary: 'Sign out one of my devices', tags: ['auth'] })
    .input(z.object({ id: Id }))
    .output(z.object({}))
    .errors(notFound('This device is already signed out.')),

  endOtherSessions: call('signed-in')
    .route({ method: 'DELETE', path: '/me/sessions', summary: 'Sign out all my devices but this one', tags: ['auth'] })
    .output(z.object({})),
};
