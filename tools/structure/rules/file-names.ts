import { featureFileOf } from '../features.ts';
import type { Rule } from '../source-file.ts';

const KEBAB = '[a-z0-9]+(?:-[a-z0-9]+)*';
const FILE_NAME = new RegExp(`^${KEBAB}(?:\\.${KEBAB})*\\.(?:ts|tsx|mjs)$`);
const MEANINGLESS = /^(utils?|helpers?|common|misc|types?|index|shared|constants|data)\./;

/** The router reads its routes from file names: `$id.tsx`, `__root.tsx`, `_layout.tsx`, `index.tsx`. */
const ROUTES = /^apps\/web\/src\/app\/routes\//;

const MAX_LINES = 400;

const FEATURE_FILES = {
  server: {
    pattern: new RegExp(
      `^(?:${KEBAB}\\.(?:handlers|route|sql|table|mail|pdf)|${KEBAB}(?:\\.${KEBAB})?\\.test|[a-z]+(?:-[a-z0-9]+)+)\\.tsx?$`,
    ),
    allowed:
      '<feature>.handlers.ts, *.route.ts for files, <feature>.sql.ts, <feature>.table.ts, one <verb-noun>.ts per use case, *.mail.ts, *.pdf.ts and *.test.ts',
    namedByFeature: /\.(handlers|table)\.ts$/,
  },
  web: {
    pattern: new RegExp(`^(?:public/)?(?:${KEBAB}\\.api\\.ts|${KEBAB}(?:\\.test)?\\.tsx?)$`),
    allowed:
      '<feature>.api.ts (a part that loads separately: <feature>-<part>.api.ts), kebab-case components and their tests, and public/ for pages without a session',
    namedByFeature: /\.api\.ts$/,
  },
} as const;

const nameOfFile = (path: string) => path.slice(path.lastIndexOf('/') + 1);

export const FILE_RULES: readonly Rule[] = [
  {
    name: 'file-names',
    appliesTo: (path) => !ROUTES.test(path),
    checkFile: ({ path }) => {
      const name = nameOfFile(path);
      if (MEANINGLESS.test(name)) return `'${name}' does not say what is in the file: name it after its main noun or verb`;
      return FILE_NAME.test(name) ? undefined : `'${name}': file names are lower case with hyphens, components included`;
    },
  },
  {
    name: 'feature-files',
    checkFile: ({ path }) => {
      const file = featureFileOf(path);
      if (!file) return undefined;
      const { app, feature, relativePath, rank } = file;
      if (rank < 0) return `'${feature}' is not in the list of features: add it to tools/structure/features.ts`;
      const { pattern, allowed, namedByFeature } = FEATURE_FILES[app];
      if (!pattern.test(relativePath)) return `'${relativePath}': a ${app} feature contains only ${allowed}`;
      const [basename = ''] = nameOfFile(relativePath).split('.');
      const isNamedByFeature = basename === feature || (app === 'web' && basename.startsWith(`${feature}-`));
      if (!namedByFeature.test(relativePath) || isNamedByFeature) return undefined;
      return `'${relativePath}': name the file after its feature, ${feature}, or ${feature}-<part> on the page`;
    },
  },
  {
    name: 'file-length',
    checkFile: ({ text }) => {
      const lines = text.split('\n').length - 1;
      return lines > MAX_LINES ? `${lines} lines, the limit is ${MAX_LINES}: split the file by meaning` : undefined;
    },
  },
];
