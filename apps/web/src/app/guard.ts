import type { Me } from '@callout/contract/company';
import type { QueryClient } from '@tanstack/react-query';
import { redirect } from '@tanstack/react-router';
import { meQuery } from '../features/company/company.api.ts';
import { isSignedOut } from '../lib/error-messages.ts';
import { sessionJustEnded } from './session.ts';

const HOME = '/dashboard';

/** The signed-in person, or the way to /auth and back. */
export async function requireSignedIn(queryClient: QueryClient, href: string): Promise<Me> {
  try {
    return await queryClient.ensureQueryData({ ...meQuery, revalidateIfStale: true });
  } catch (error) {
    if (isSignedOut(error)) throw redirect({ to: '/auth', search: href === HOME || href === '/' ? {} : { next: href }, replace: true });
    throw error;
  }
}

/** Who is there, if anybody can be known to be: a page that works without sign-in does not fail with it. */
export async function visitor(queryClient: QueryClient): Promise<Me | undefined> {
  if (sessionJustEnded()) return undefined;
  try {
    return await queryClient.ensureQueryData({ ...meQuery, retry: false });
  } catch {
    return undefined;
  }
}
