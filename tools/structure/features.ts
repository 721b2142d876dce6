/** The features in their one order: a feature imports only earlier ones; pages that join features are composed in routes. */
export const FEATURES = [
  'company',
  'notifications',
  'staff',
  'categories',
  'customers',
  'suppliers',
  'jobs',
  'quotes',
  'timer',
  'tasks',
  'calendar',
  'invoices',
  'dashboard',
  'admin',
] as const;

/** On the page sign-in is a feature before all others; on the server it lives in platform/auth. */
const ORDER = { server: FEATURES, web: ['auth', ...FEATURES] } as const;

export interface FeaturePlace {
  readonly app: 'server' | 'web';
  readonly feature: string;
  /** The path inside the feature's folder. */
  readonly inside: string;
  /** -1 for a folder that is not in the list of features. */
  readonly rank: number;
}

export function featurePlace(path: string): FeaturePlace | undefined {
  const found = /^apps\/(server|web)\/src\/features\/([^/]+)\/(.+)$/.exec(path);
  if (!found) return undefined;
  const [, app, feature = '', inside = ''] = found;
  const order: readonly string[] = app === 'server' ? ORDER.server : ORDER.web;
  return { app: app === 'server' ? 'server' : 'web', feature, inside, rank: order.indexOf(feature) };
}
