import { parseFeaturePath } from '../features.ts';
import type { StructureRule } from '../source-file.ts';

const KEBAB_CASE = '[a-z0-9]+(?:-[a-z0-9]+)*';
const FILE_NAME = new RegExp(`^${KEBAB_CASE}(?:\\.${KEBAB_CASE})*\\.(?:ts|tsx|mjs)$`);
const MEANINGLESS_NAME = /^(utils?|helpers?|common|misc|types?|index|shared|constants|data)\./;

/** Exempt, because the router derives routes from file names such as `$id.tsx`, `__root.tsx`, `_layout.tsx` and `index.tsx`. */
const ROUTE_PATH = /^apps\/web\/src\/app\/routes\//;

const MAX_LINES = 400;
/** A test file may be longer, so that one topic stays in one file. */
const MAX_TEST_LINES = 800;
const TEST_FILE_NAME = /\.(test|spec)\.tsx?$/;

const FEATURE_FILES = {
  server: {
    pattern: new RegExp(
      `^(?:${KEBAB_CASE}\\.(?:handlers|route|sql|table|mail|pdf)|${KEBAB_CASE}(?:\\.${KEBAB_CASE})?\\.test|[a-z]+(?:-[a-z0-9]+)+)\\.tsx?$`,
    ),
    allowed:
      '<feature>.handlers.ts, *.route.ts for files, *.sql.ts, <feature>.table.ts, one <verb-noun>.ts per use case, *.mail.ts, *.pdf.ts and *.test.ts',
    namedByFeature: /\.(handlers|table)\.ts$/,
  },
  web: {
    pattern: new RegExp(`^(?:public/)?(?:${KEBAB_CASE}\\.api\\.ts|${KEBAB_CASE}(?:\\.test)?\\.tsx?)$`),
    allowed:
      '<feature>.api.ts (a part that loads separately: <feature>-<part>.api.ts), kebab-case components and their tests, and public/ for pages without a session',
    namedByFeature: /\.api\.ts$/,
  },
} as const;

const getFileName = (path: string) => path.slice(path.lastIndexOf('/') + 1);

export const FILE_RULES: readonly StructureRule[] = [
  {
    name: 'file-names',
    appliesTo: (path) => !ROUTE_PATH.test(path),
    checkFile: ({ path }) => {
      const name = getFileName(path);
      if (MEANINGLESS_NAME.test(name)) return `'${name}' doesn't say what the file contains: name it after its main noun or verb`;
      return FILE_NAME.test(name) ? undefined : `'${name}': file names use kebab case, even for components`;
    },
  },
  {
    name: 'feature-files',
    checkFile: ({ path }) => {
      const file = parseFeaturePath(path);
      if (!file) return undefined;
      const { app, feature, relativePath, rank } = file;
      if (rank < 0) return `'${feature}' is not in the list of features: add it to tools/structure/features.ts`;
      const { pattern, allowed, namedByFeature } = FEATURE_FILES[app];
      if (!pattern.test(relativePath)) return `'${relativePath}': a ${app} feature contains only ${allowed}`;
      const [basename = ''] = getFileName(relativePath).split('.');
      const isNamedByFeature = basename === feature || (app === 'web' && basename.startsWith(`${feature}-`));
      if (!namedByFeature.test(relativePath) || isNamedByFeature) return undefined;
      return `'${relativePath}': name the file after its feature, ${feature}, or ${feature}-<part> in the web app`;
    },
  },
  {
    name: 'file-length',
    checkFile: ({ path, text }) => {
      const lines = text.split('\n').length - 1;
      const limit = TEST_FILE_NAME.test(path) ? MAX_TEST_LINES : MAX_LINES;
      return lines > limit ? `${lines} lines, the limit is ${limit}: split the file by topic` : undefined;
    },
  },
];
