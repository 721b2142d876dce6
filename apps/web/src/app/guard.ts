import type { Me } from '@callout/contract/company';
import type { QueryClient } from '@tanstack/react-query';
import { redirect } from '@tanstack/react-router';
import { meQuery } from '../features/company/company.api.ts';
import { isSignedOut } from '../lib/error-messages.ts';
import { setCompanyTimeZone } from '../lib/time-zone.ts';
import { sessionJustEnded } from './session.ts';

const HOME = '/dashboard';

/** Whether the last response said so: on a slow connection the sign-in form must not wait for the same answer twice. */
let signedOut = false;

/** From the cache if possible: pages refetch it themselves once it is stale. */
async function fetchMe(queryClient: QueryClient): Promise<Me> {
  try {
    const me = await queryClient.query({ ...meQuery, staleTime: 'static' });
    signedOut = false;
    setCompanyTimeZone(me.profile?.timezone ?? null);
    return me;
  } catch (error) {
    signedOut = isSignedOut(error);
    throw error;
  }
}

/** The signed-in user, or a redirect to /auth that leads back here. */
export async function requireSignedIn(queryClient: QueryClient, href: string): Promise<Me> {
  try {
    return await fetchMe(queryClient);
  } catch (error) {
    if (isSignedOut(error)) throw redirect({ to: '/auth', search: href === HOME || href === '/' ? {} : { next: href }, replace: true });
    throw error;
  }
}

/** The signed-in user, if any. Never fails: the pages that call it also work without signing in. */
export async function fetchVisitor(queryClient: QueryClient): Promise<Me | undefined> {
  if (signedOut || sessionJustEnded()) return undefined;
  try {
    return await fetchMe(queryClient);
  } catch {
    return undefined;
  }
}
