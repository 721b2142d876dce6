import type { Node } from 'oxc-parser';
import { findName, findString, isTestFile, type StructureRule } from '../source-file.ts';

/** Files that need a default export, because tools load them through it. */
const CONFIG_FILE = /(^|\/)((vite|vitest|playwright)\.config|e2e\/support\/global-setup)\.ts$/;

const SQL_FILE = /^apps\/server\/(migrations\/|src\/platform\/db\/|.*\.(sql|table)\.ts$)/;
const SQL_STATEMENT =
  /^\s*(?:select\s[\s\S]*\sfrom\s|insert\s+into\s|update\s+[\w."]+\s+set\s|delete\s+from\s|with\s+\w+\s+as\s*\(|(?:create|alter|drop)\s+(?:table|index|role|policy|schema)\b|(?:begin|commit|rollback)\s*$)/i;
const SQL_LIBRARY = /^(?:drizzle-orm(?:\/|$)|pg$)/;
/** Allowed, because libraries that write their own SQL, such as the sign-in library, get the pool through it. */
const DRIZZLE_DRIVER = 'drizzle-orm/node-postgres';
const SQL_MESSAGE = 'SQL belongs in *.sql.ts, in functions that take a TenantScope first, so that no query forgets the tenant';

const BUSINESS_WORDS = new Set(
  ['customer', 'invoice', 'supplier', 'quote', 'job', 'staff', 'company', 'onboarding', 'gst'].flatMap((word) => [word, `${word}s`]),
);

const isMemberAccess = (node: Node, object: string, property: string) =>
  node.type === 'MemberExpression' && findName(node.object) === object && findName(node) === property;
const isProcessEnv = (node: Node | null) => node !== null && isMemberAccess(node, 'process', 'env');
const isCallTo = (node: Node, name: string) => node.type === 'CallExpression' && findName(node.callee) === name;

/** Returns true if the node reads a single variable. Passing all of process.env to readConfig or a child process is allowed. */
function readsEnvironmentVariable(node: Node): boolean {
  if (node.type === 'MemberExpression') return isProcessEnv(node.object);
  if (node.type === 'VariableDeclarator') return node.id.type === 'ObjectPattern' && isProcessEnv(node.init);
  return node.type === 'AssignmentExpression' && node.left.type === 'ObjectPattern' && isProcessEnv(node.right);
}

const IMPURE_NAMES = new Set(['randomUUID', 'getRandomValues', 'setTimeout', 'setInterval']);

function isImpure(node: Node): boolean {
  if (node.type === 'Identifier') return IMPURE_NAMES.has(node.name);
  if (node.type === 'NewExpression') return findName(node.callee) === 'Date' && node.arguments.length === 0;
  if (isCallTo(node, 'Date') || isCallTo(node, 'fetch')) return true;
  return isMemberAccess(node, 'Date', 'now') || isMemberAccess(node, 'Math', 'random') || isMemberAccess(node, 'performance', 'now');
}

const MACHINE_ZONE_METHOD =
  /^(?:toLocale(?:Date|Time)?String|to(?:Date|Time)String|getTimezoneOffset|[gs]et(?:FullYear|Month|Date|Day|Hours|Minutes|Seconds))$/;

/** Returns true if the node reads or writes a date in the time zone of the machine that runs the code. */
function usesMachineTimeZone(node: Node): boolean {
  if (node.type === 'NewExpression' && findName(node.callee) === 'Date') return node.arguments.length > 1;
  if (node.type !== 'CallExpression' && node.type !== 'NewExpression') return false;
  if (node.callee.type !== 'MemberExpression') return false;
  const name = findName(node.callee) ?? '';
  if (name !== 'DateTimeFormat') return MACHINE_ZONE_METHOD.test(name);
  const [, options] = node.arguments;
  return !(
    options?.type === 'ObjectExpression' &&
    options.properties.some((option) => option.type === 'Property' && findName(option.key) === 'timeZone')
  );
}

/** Detects the browser's time zone, and names it where the displayed one differs. */
const BROWSER_TIME_ZONE_FILE = 'apps/web/src/lib/time-zone.ts';

function isDefaultExport(node: Node): boolean {
  if (node.type === 'ExportSpecifier') return findName(node.exported) === 'default';
  return node.type === 'ExportDefaultDeclaration';
}

function isConflictWithoutTarget(node: Node): boolean {
  if (/\bon\s+conflict\s+do\s+nothing\b/i.test(findString(node) ?? '')) return true;
  if (node.type !== 'CallExpression' || !isCallTo(node, 'onConflictDoNothing')) return false;
  const [options] = node.arguments;
  return !(
    options?.type === 'ObjectExpression' &&
    options.properties.some((option) => option.type === 'Property' && findName(option.key) === 'target')
  );
}

function comparesRole(node: Node): boolean {
  if (node.type !== 'BinaryExpression' || !/^[!=]==?$/.test(node.operator)) return false;
  const { left, right } = node;
  return (findName(left) === 'role' && findString(right) !== undefined) || (findName(right) === 'role' && findString(left) !== undefined);
}

function findBusinessWord(node: Node): string | undefined {
  const text = findName(node) ?? findString(node) ?? (node.type === 'JSXText' || node.type === 'Literal' ? node.raw : undefined) ?? '';
  return text.match(/[A-Z]?[a-z]+|[A-Z]+(?![a-z])/g)?.find((word) => BUSINESS_WORDS.has(word.toLowerCase()));
}

const forbid = (
  name: string,
  message: string,
  isForbidden: (node: Node) => boolean,
  appliesTo: (path: string) => boolean = () => true,
) => ({
  name,
  appliesTo,
  checkNode: (node: Node) => (isForbidden(node) ? message : undefined),
});

export const SYNTAX_RULES: readonly StructureRule[] = [
  forbid('no-barrels', '`export *` creates a barrel: import from the declaring file', ({ type }) => type === 'ExportAllDeclaration'),
  forbid(
    'no-default-export',
    'no default exports: a value has the same name everywhere',
    isDefaultExport,
    (path) => !CONFIG_FILE.test(path),
  ),
  forbid('no-enum', 'no enums: they are not erasable; use an `as const` array', ({ type }) => type === 'TSEnumDeclaration'),
  forbid('no-any', 'no `any`: use `unknown` and narrow it, or name the type', ({ type }) => type === 'TSAnyKeyword'),
  forbid(
    'no-non-null',
    "no `!`: handle the missing value, or change the type so that it can't be missing",
    ({ type }) => type === 'TSNonNullExpression',
  ),
  forbid(
    'no-double-cast',
    'no `as unknown as`: it disables type checking; parse or narrow instead',
    (node) =>
      node.type === 'TSAsExpression' &&
      node.expression.type === 'TSAsExpression' &&
      node.expression.typeAnnotation.type === 'TSUnknownKeyword',
  ),
  forbid('no-sleeps-in-tests', 'a fixed wait hides a race: wait for something visible to the user', (node) =>
    isCallTo(node, 'waitForTimeout'),
  ),
  forbid(
    'conflict-target',
    'name the target, as in onConflictDoNothing({ target: [table.company_id, table.id] }): otherwise a conflict on any other unique column is mistaken for a taken id',
    isConflictWithoutTarget,
    (path) => path.startsWith('apps/server/'),
  ),
  forbid(
    'capabilities-not-roles',
    'call `hasCapability(role, capability)` instead of comparing roles: the table in domain/roles maps roles to capabilities',
    comparesRole,
    (path) => /^apps\/[^/]+\/src\//.test(path) && !/\.test\.tsx?$/.test(path),
  ),
  forbid(
    'named-time-zone',
    "server, browser and company may be in three time zones: pass the company's or the displayed zone to domain/time",
    usesMachineTimeZone,
    (path) => /^(apps|packages)\/[^/]+\/src\//.test(path) && path !== BROWSER_TIME_ZONE_FILE && !isTestFile(path),
  ),
  {
    ...forbid(
      'sql-in-sql-files',
      SQL_MESSAGE,
      (node) =>
        SQL_STATEMENT.test(findString(node) ?? '') ||
        (node.type === 'TaggedTemplateExpression' && node.tag.type === 'Identifier' && node.tag.name === 'sql'),
      (path) => path.startsWith('apps/server/') && !SQL_FILE.test(path) && !isTestFile(path),
    ),
    checkImport: ({ specifier, isTypeOnly, names }, path) => {
      if (isTypeOnly || !SQL_LIBRARY.test(specifier)) return undefined;
      const importsOnlyErrors = names.length > 0 && names.every((name) => name.endsWith('Error'));
      const isDriver = specifier === DRIZZLE_DRIVER && path.startsWith('apps/server/src/platform/');
      return importsOnlyErrors || isDriver ? undefined : `imports '${specifier}': ${SQL_MESSAGE}`;
    },
  },
  forbid(
    'environment-in-config',
    'the environment is read and validated once, in apps/server/src/config.ts: use the Config',
    readsEnvironmentVariable,
    (path) => /^(apps\/[^/]+\/src|packages)\//.test(path) && path !== 'apps/server/src/config.ts',
  ),
  forbid(
    'domain-is-pure',
    'domain has no clock, randomness or I/O: the caller passes in the time or the id',
    isImpure,
    (path) => path.startsWith('packages/domain/') && !isTestFile(path),
  ),
  {
    name: 'no-business-words-in-ui',
    appliesTo: (path) => path.startsWith('apps/web/src/ui/') && !isTestFile(path),
    checkNode: (node) => {
      const word = findBusinessWord(node);
      return word && `'${word}': ui is the design system, without business words: pass them in from the feature`;
    },
  },
];
