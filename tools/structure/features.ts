/** A feature imports only the features before it; pages that combine features are composed in routes. */
const FEATURES = [
  'company',
  'notifications',
  'staff',
  'categories',
  'customers',
  'suppliers',
  'payments',
  'jobs',
  'comments',
  'quotes',
  'timer',
  'board',
  'tasks',
  'calendar',
  'invoices',
  'dashboard',
  'admin',
];

/** The server's `files` has routes and its `history` statements, but no page. */
const FEATURE_ORDER = { server: ['auth', 'files', 'history', ...FEATURES], web: ['auth', ...FEATURES] };

/** The server's platform folders, lowest first: each imports only those before it. */
const PLATFORM_LAYERS = ['errors', 'db', 'limits', 'queue', 'mail', 'files', 'workers', 'pdf', 'live', 'auth', 'http'];

/** The platform folder of a file; its rank is -1 when it is not in the list. */
export function platformLayerOf(path: string): { readonly folder: string; readonly rank: number } | undefined {
  const folder = /^apps\/server\/src\/platform\/([^/]+)\//.exec(path)?.[1];
  return folder === undefined ? undefined : { folder, rank: PLATFORM_LAYERS.indexOf(folder) };
}

export interface FeatureFile {
  readonly app: 'server' | 'web';
  readonly feature: string;
  /** From the feature's folder. */
  readonly relativePath: string;
  /** -1 when the feature is not in the list. */
  readonly rank: number;
}

export function featureFileOf(path: string): FeatureFile | undefined {
  const [, folder, feature = '', relativePath = ''] = /^apps\/(server|web)\/src\/features\/([^/]+)\/(.+)$/.exec(path) ?? [];
  if (folder === undefined) return undefined;
  const app = folder === 'server' ? 'server' : 'web';
  return { app, feature, relativePath, rank: FEATURE_ORDER[app].indexOf(feature) };
}
