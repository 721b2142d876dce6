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

/** Sign-in comes before all others; on the server so do the routes for files, which have no page of their own. */
const ORDER = { server: ['auth', 'files', ...FEATURES], web: ['auth', ...FEATURES] } as const;

/** The server's platform folders from the ground up: each imports only those before it. */
export const PLATFORM_LAYERS = ['errors', 'db', 'limits', 'queue', 'mail', 'files', 'live', 'auth', 'http'] as const;

/** The platform folder a file is in; -1 as its rank for one that is not in the list of layers. */
export function platformLayer(path: string): { readonly folder: string; readonly rank: number } | undefined {
  const folder = /^apps\/server\/src\/platform\/([^/]+)\//.exec(path)?.[1];
  const layers: readonly string[] = PLATFORM_LAYERS;
  return folder === undefined ? undefined : { folder, rank: layers.indexOf(folder) };
}

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
