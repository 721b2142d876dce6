import type { Node } from 'oxc-parser';
import { isTest, nameOf, type Rule, stringOf } from '../source-file.ts';

/** Tools read their configuration and setup from a default export. */
const CONFIGURATION = /(^|\/)((vite|vitest|playwright)\.config|e2e\/support\/product)\.ts$/;

const SQL_FILES = /^apps\/server\/(migrations\/|src\/platform\/db\/|.*\.(sql|table)\.ts$)/;
const SQL_TEXT =
  /^\s*(?:select\s[\s\S]*\sfrom\s|insert\s+into\s|update\s+[\w."]+\s+set\s|delete\s+from\s|with\s+\w+\s+as\s*\(|(?:create|alter|drop)\s+(?:table|index|role|policy|schema)\b|(?:begin|commit|rollback)\s*$)/i;
const SQL_LIBRARY = /^(?:drizzle-orm(?:\/|$)|pg$)/;
/** Passes the pool to a library that writes its own statements, such as the one for sign-in. */
const DRIVER = 'drizzle-orm/node-postgres';
const SQL_MESSAGE = 'SQL belongs in *.sql.ts, in functions that take a TenantScope first: there the tenant cannot be forgotten';

const BUSINESS_WORDS = new Set(
  ['customer', 'invoice', 'supplier', 'quote', 'job', 'staff', 'company', 'onboarding', 'gst'].flatMap((word) => [word, `${word}s`]),
);

const isMember = (node: Node, object: string, property: string) =>
  node.type === 'MemberExpression' && nameOf(node.object) === object && nameOf(node) === property;
const isProcessEnv = (node: Node | null) => node !== null && isMember(node, 'process', 'env');
const isCallOf = (node: Node, name: string) => node.type === 'CallExpression' && nameOf(node.callee) === name;

/** Passing all of process.env on, to readConfig or to a child process, is allowed. */
function readsVariable(node: Node): boolean {
  if (node.type === 'MemberExpression') return isProcessEnv(node.object);
  if (node.type === 'VariableDeclarator') return node.id.type === 'ObjectPattern' && isProcessEnv(node.init);
  return node.type === 'AssignmentExpression' && node.left.type === 'ObjectPattern' && isProcessEnv(node.right);
}

const IMPURE_NAMES = new Set(['randomUUID', 'getRandomValues', 'setTimeout', 'setInterval']);

function isImpure(node: Node): boolean {
  if (node.type === 'Identifier') return IMPURE_NAMES.has(node.name);
  if (node.type === 'NewExpression') return nameOf(node.callee) === 'Date' && node.arguments.length === 0;
  if (isCallOf(node, 'Date') || isCallOf(node, 'fetch')) return true;
  return isMember(node, 'Date', 'now') || isMember(node, 'Math', 'random') || isMember(node, 'performance', 'now');
}

function isDefaultExport(node: Node): boolean {
  if (node.type === 'ExportSpecifier') return nameOf(node.exported) === 'default';
  return node.type === 'ExportDefaultDeclaration';
}

function isConflictWithoutTarget(node: Node): boolean {
  if (/\bon\s+conflict\s+do\s+nothing\b/i.test(stringOf(node) ?? '')) return true;
  if (node.type !== 'CallExpression' || !isCallOf(node, 'onConflictDoNothing')) return false;
  const [options] = node.arguments;
  return !(
    options?.type === 'ObjectExpression' &&
    options.properties.some((option) => option.type === 'Property' && nameOf(option.key) === 'target')
  );
}

function comparesRole(node: Node): boolean {
  if (node.type !== 'BinaryExpression' || !/^[!=]==?$/.test(node.operator)) return false;
  const { left, right } = node;
  return (nameOf(left) === 'role' && stringOf(right) !== undefined) || (nameOf(right) === 'role' && stringOf(left) !== undefined);
}

function businessWordIn(node: Node): string | undefined {
  const text = nameOf(node) ?? stringOf(node) ?? (node.type === 'JSXText' || node.type === 'Literal' ? node.raw : undefined) ?? '';
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

export const SYNTAX_RULES: readonly Rule[] = [
  forbid('no-barrels', '`export *` makes a barrel: import from the file that has the thing', ({ type }) => type === 'ExportAllDeclaration'),
  forbid(
    'no-default-export',
    'no default exports: a thing has the same name everywhere',
    isDefaultExport,
    (path) => !CONFIGURATION.test(path),
  ),
  forbid('no-enum', 'no enums: they are not erasable; use a list `as const`', ({ type }) => type === 'TSEnumDeclaration'),
  forbid('no-any', 'no `any`: use `unknown` and narrow it, or name the type', ({ type }) => type === 'TSAnyKeyword'),
  forbid(
    'no-non-null',
    'no `!`: handle the missing value, or change the type so that it cannot be missing',
    ({ type }) => type === 'TSNonNullExpression',
  ),
  forbid(
    'no-double-cast',
    'no `as unknown as`: it switches the compiler off; parse or narrow instead',
    (node) =>
      node.type === 'TSAsExpression' &&
      node.expression.type === 'TSAsExpression' &&
      node.expression.typeAnnotation.type === 'TSUnknownKeyword',
  ),
  forbid('no-sleeps-in-tests', 'a fixed wait hides a race: wait for something the user would see', (node) =>
    isCallOf(node, 'waitForTimeout'),
  ),
  forbid(
    'conflict-target',
    'name the target, as in onConflictDoNothing({ target: [table.company_id, table.id] }): otherwise any other unique value that collides is mistaken for a taken id',
    isConflictWithoutTarget,
    (path) => path.startsWith('apps/server/'),
  ),
  forbid(
    'capabilities-not-roles',
    'call `can(role, capability)` instead of comparing roles: the table in domain/roles decides',
    comparesRole,
    (path) => /^apps\/[^/]+\/src\//.test(path) && !/\.test\.tsx?$/.test(path),
  ),
  {
    ...forbid(
      'sql-in-sql-files',
      SQL_MESSAGE,
      (node) =>
        SQL_TEXT.test(stringOf(node) ?? '') ||
        (node.type === 'TaggedTemplateExpression' && node.tag.type === 'Identifier' && node.tag.name === 'sql'),
      (path) => path.startsWith('apps/server/') && !SQL_FILES.test(path) && !isTest(path),
    ),
    checkImport: ({ specifier, isTypeOnly, names }, path) => {
      if (isTypeOnly || !SQL_LIBRARY.test(specifier)) return undefined;
      const importsOnlyErrors = names.length > 0 && names.every((name) => name.endsWith('Error'));
      const isDriver = specifier === DRIVER && path.startsWith('apps/server/src/platform/');
      return importsOnlyErrors || isDriver ? undefined : `imports '${specifier}': ${SQL_MESSAGE}`;
    },
  },
  forbid(
    'environment-in-config',
    'the environment is read and checked once, in apps/server/src/config.ts: take the value from the Config',
    readsVariable,
    (path) => /^(apps\/[^/]+\/src|packages)\//.test(path) && path !== 'apps/server/src/config.ts',
  ),
  forbid(
    'domain-is-pure',
    'domain has no clock, no randomness and no I/O: the caller passes the time or the id in',
    isImpure,
    (path) => path.startsWith('packages/domain/') && !isTest(path),
  ),
  {
    name: 'no-business-words-in-ui',
    appliesTo: (path) => path.startsWith('apps/web/src/ui/') && !isTest(path),
    checkNode: (node) => {
      const word = businessWordIn(node);
      return word && `'${word}': ui is the design system and knows no business words; pass it in from the feature`;
    },
  },
];
