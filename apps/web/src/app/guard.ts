import type { Me } from '@callout/contract/company';
import type { QueryClient } from '@tanstack/react-query';
import { redirect } from '@tanstack/react-router';
import { meQuery } from '../features/company/company.api.ts';
import { isSignedOut } from '../lib/error-messages.ts';
import { sessionJustEnded } from './session.ts';

const HOME = '/dashboard';

/** What the last answer said: on a bad line nobody should ask the same twice on the way to the sign-in form. */
let signedOut = false;

/** Cached data first: pages read it afresh by themselves when it is old. */
async function whoIsThere(queryClient: QueryClient): Promise<Me> {
  try {
    const me = await queryClient.query({ ...meQuery, staleTime: 'static' });
    signedOut = false;
    return me;
  } catch (error) {
    signedOut = isSignedOut(error);
    throw error;
  }
}

/** The signed-in person, or the way to /auth and back. */
export async function requireSignedIn(queryClient: QueryClient, href: string): Promise<Me> {
  try {
    return await whoIsThere(queryClient);
  } catch (error) {
    if (isSignedOut(error)) throw redirect({ to: '/auth', search: href === HOME || href === '/' ? {} : { next: href }, replace: true });
    throw error;
  }
}

/** Who is there, if anybody can be known to be: a page that works without sign-in does not fail with it. */
export async function visitor(queryClient: QueryClient): Promise<Me | undefined> {
  if (signedOut || sessionJustEnded()) return undefined;
  try {
    return await whoIsThere(queryClient);
  } catch {
    return undefined;
  }
}
