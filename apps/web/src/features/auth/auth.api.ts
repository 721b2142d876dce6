import type { Credentials, NewPassword, ResetRequest } from '@callout/contract/auth';
import { api } from '../../lib/api.ts';

export const signIn = (credentials: Credentials) => api.auth.signIn(credentials);
export const signUp = (credentials: Credentials) => api.auth.signUp(credentials);
export const requestPasswordReset = (request: ResetRequest) => api.auth.requestPasswordReset(request);
export const resetPassword = (change: NewPassword) => api.auth.resetPassword(change);
export const signOut = () => api.auth.signOut();
