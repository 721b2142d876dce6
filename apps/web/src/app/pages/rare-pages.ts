import { lazyRouteComponent } from '@tanstack/react-router';

/** Pages that few people see, in pieces of their own. */
export const NotBuiltPage = lazyRouteComponent(() => import('./not-built-page.tsx'), 'NotBuiltPage');
export const PublicNotBuiltPage = lazyRouteComponent(() => import('./public-not-built-page.tsx'), 'PublicNotBuiltPage');
export const NotFoundPage = lazyRouteComponent(() => import('./not-found-page.tsx'), 'NotFoundPage');
export const AccessDeniedPage = lazyRouteComponent(() => import('./access-denied-page.tsx'), 'AccessDeniedPage');
