import type { Credentials, EmailChange, NewPassword, PasswordChange, ResetRequest } from '@callout/contract/auth';
import { api } from '../../lib/api.ts';

export const signIn = (credentials: Credentials) => api.auth.signIn(credentials);
export const signUp = (credentials: Credentials) => api.auth.signUp(credentials);
export const requestPasswordReset = (request: ResetRequest) => api.auth.requestPasswordReset(request);
export const resetPassword = (change: NewPassword) => api.auth.resetPassword(change);
export const changePassword = (change: PasswordChange) => api.auth.changePassword(change);
export const requestEmailChange = (change: EmailChange) => api.auth.requestEmailChange(change);
export const requestEmailConfirmation = () => api.auth.requestEmailConfirmation();
export const confirmEmailChange = (token: string) => api.auth.confirmEmailChange({ token });
export const signOut = () => api.auth.signOut();
