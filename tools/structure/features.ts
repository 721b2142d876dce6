/** A feature may import only features that are listed before it. Routes combine features into pages. */
const FEATURES = [
  'company',
  'notifications',
  'documents',
  'staff',
  'categories',
  'customers',
  'suppliers',
  'jobs',
  'comments',
  'quotes',
  'timer',
  'board',
  'tasks',
  'calendar',
  'invoices',
  'payments',
  'dashboard',
  'admin',
];

/** Features in import order. `files`, `history` and `deletions` exist only on the server, because they have no pages. */
const FEATURE_ORDER = { server: ['auth', 'files', 'history', 'deletions', ...FEATURES], web: ['auth', ...FEATURES] };

/** The server's platform folders, lowest first. Each may import only the folders before it. */
const PLATFORM_LAYERS = ['errors', 'telemetry', 'limits', 'db', 'queue', 'mail', 'files', 'workers', 'pdf', 'live', 'auth', 'http'];

/** Returns the platform folder that contains the file. The rank is -1 if the folder isn't in the list. */
export function parsePlatformPath(path: string): { readonly folder: string; readonly rank: number } | undefined {
  const folder = /^apps\/server\/src\/platform\/([^/]+)\//.exec(path)?.[1];
  return folder === undefined ? undefined : { folder, rank: PLATFORM_LAYERS.indexOf(folder) };
}

export interface FeatureFile {
  readonly app: 'server' | 'web';
  readonly feature: string;
  /** Path relative to the feature's folder. */
  readonly relativePath: string;
  /** Position in the list of features, or -1 if the feature isn't listed. */
  readonly rank: number;
}

export function parseFeaturePath(path: string): FeatureFile | undefined {
  const [, folder, feature = '', relativePath = ''] = /^apps\/(server|web)\/src\/features\/([^/]+)\/(.+)$/.exec(path) ?? [];
  if (folder === undefined) return undefined;
  const app = folder === 'server' ? 'server' : 'web';
  return { app, feature, relativePath, rank: FEATURE_ORDER[app].indexOf(feature) };
}
