import { isTest, type Rule } from '../rule.ts';

const SQL_PLACES = /^apps\/server\/(migrations\/|src\/platform\/db\/|.*\.(sql|table)\.ts$)/;
const SQL_TEXT =
  /['"`]\s*(?:select\s[^'"`]*\sfrom\s|insert\s+into\s|update\s+[\w."]+\s+set\s|delete\s+from\s|with\s+\w+\s+as\s*\(|(?:create|alter|drop)\s+(?:table|index|role|policy|schema)\b|(?:begin|commit|rollback)\s*['"`])/gi;
const SQL_LIBRARY = /^(?:drizzle-orm(?:\/|$)|pg$)/;
/** The classes of its errors say nothing to the database. */
const ERRORS_ONLY = /^import\s*\{\s*(?:\w+Error\s*,?\s*)+\}/;
/** Hands the pool to a library that writes its own statements, such as sign-in. */
const DRIVER = 'drizzle-orm/node-postgres';

export const sqlInSqlFiles: Rule = {
  name: 'sql-in-sql-files',
  look: ({ path, imports, code, uncommented }) => {
    if (!path.startsWith('apps/server/') || SQL_PLACES.test(path) || isTest(path)) return [];
    const why = 'SQL lives in *.sql.ts, takes a TenantScope first, and nowhere else: there the tenant cannot be forgotten';
    const texts = [...uncommented.matchAll(SQL_TEXT)].map(({ index }) => ({ index, says: why }));
    const tagged = [...code.matchAll(/(?<![\w$.])sql(?:<[^>]*>)?`/g)].map(({ index }) => ({ index, says: why }));
    const libraries = imports
      .filter(({ specifier, typeOnly }) => SQL_LIBRARY.test(specifier) && !typeOnly)
      .filter(({ index }) => !ERRORS_ONLY.test(code.slice(index)))
      .filter(({ specifier }) => specifier !== DRIVER || !path.startsWith('apps/server/src/platform/'))
      .map(({ specifier, index }) => ({ index, says: `imports '${specifier}': ${why}` }));
    return [...texts, ...tagged, ...libraries];
  },
};

/** Handing the whole environment on, to readConfig or to a child process, is no reading of it. */
const NAMED_VARIABLE = /\bprocess\.env\s*(?:\?\.|\.|\[)|\}\s*=\s*process\.env\b/g;

export const environmentInConfig: Rule = {
  name: 'environment-in-config',
  look: ({ path, code }) => {
    if (!/^(apps\/[^/]+\/src|packages)\//.test(path) || path === 'apps/server/src/config.ts') return [];
    return [...code.matchAll(NAMED_VARIABLE)].map(({ index }) => ({
      index,
      says: 'the environment is read and checked once, in apps/server/src/config.ts: take the value from the Config',
    }));
  },
};

const CLOCK_AND_CHANCE =
  /\bDate\s*\.\s*now\b|\bnew\s+Date\s*(?:\(\s*\)|(?![\s(]))|(?<![\w$.]|new\s)Date\s*\(|\bMath\s*\.\s*random\b|\bperformance\s*\.\s*now\b|\brandomUUID\b|\bgetRandomValues\b|\bsetTimeout\b|\bsetInterval\b|\bfetch\s*\(/g;

export const domainIsPure: Rule = {
  name: 'domain-is-pure',
  look: ({ path, code }) => {
    if (!path.startsWith('packages/domain/') || isTest(path)) return [];
    return [...code.matchAll(CLOCK_AND_CHANCE)].map(({ index, 0: found }) => ({
      index,
      says: `'${found.trim()}': domain has no clock, no randomness and no I/O; the caller hands in the instant or the id`,
    }));
  },
};

const BUSINESS_WORDS = new Set(
  ['customer', 'invoice', 'supplier', 'quote', 'job', 'staff', 'company', 'onboarding', 'gst'].flatMap((word) => [word, `${word}s`]),
);

export const uiKnowsNoBusiness: Rule = {
  name: 'ui-knows-no-business',
  look: ({ path, uncommented }) => {
    if (!path.startsWith('apps/web/src/ui/') || isTest(path)) return [];
    const words = [...uncommented.matchAll(/[A-Z]?[a-z]+|[A-Z]+(?![a-z])/g)];
    return words
      .filter(({ 0: word }) => BUSINESS_WORDS.has(word.toLowerCase()))
      .map(({ index, 0: word }) => ({
        index,
        says: `'${word}': ui is the design system and knows no business word; hand it in from the feature`,
      }));
  },
};

const MOST_LINES = 400;

export const filesOnOneTable: Rule = {
  name: 'files-stay-readable',
  look: ({ text }) => {
    const lines = text.split('\n').length - 1;
    return lines > MOST_LINES ? [{ index: 0, says: `${lines} lines, the most is ${MOST_LINES}: split the file by meaning` }] : [];
  },
};
