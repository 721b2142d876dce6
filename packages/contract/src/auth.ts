import { z } from 'zod';
import { call } from './call.ts';
import { errorStatus } from './errors.ts';
import { requiredEmail } from './fields.ts';

export const PASSWORD_MIN = 6;
const PASSWORD_MAX = 128;
export const PASSWORD_TOO_SHORT = `Password must be at least ${PASSWORD_MIN} characters long`;

const Password = z
  .string('Password is required')
  .min(PASSWORD_MIN, PASSWORD_TOO_SHORT)
  .max(PASSWORD_MAX, `Password must be at most ${PASSWORD_MAX} characters long`);

export const Credentials = z.object({ email: requiredEmail('Email'), password: Password });
export type Credentials = z.infer<typeof Credentials>;

export const ResetRequest = z.object({ email: requiredEmail('Email') });
export type ResetRequest = z.infer<typeof ResetRequest>;

export const NewPassword = z.object({ token: z.string().regex(/^[\w-]{1,200}$/, 'This link is not complete'), password: Password });
export type NewPassword = z.infer<typeof NewPassword>;

/** 'kept': no mail server is configured, so the mail waits in the outbox and the person is told so. */
export const MailOutcome = z.object({ mail: z.enum(['queued', 'kept']) });

export const auth = {
  signUp: call('public')
    .route({ method: 'POST', path: '/auth/sign-up', summary: 'Create an account', tags: ['auth'], successStatus: 201 })
    .input(Credentials)
    .output(z.object({}))
    .errors({ EMAIL_TAKEN: { status: errorStatus.EMAIL_TAKEN, message: 'An account with this email already exists. Please sign in.' } }),

  signIn: call('public')
    .route({ method: 'POST', path: '/auth/sign-in', summary: 'Sign in with e-mail and password', tags: ['auth'] })
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

  resetPassword: call('public')
    .route({ method: 'POST', path: '/auth/reset-password', summary: 'Set a new password with the mailed token', tags: ['auth'] })
    .input(NewPassword)
    .output(z.object({}))
    .errors({
      LINK_EXPIRED: { status: errorStatus.LINK_EXPIRED, message: 'This link was used before or has expired. Please request a new one.' },
    }),
};
