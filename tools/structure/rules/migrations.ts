import type { SourceFile } from '../source-file.ts';

interface Statement {
  /** Without comments, strings and function bodies. */
  readonly text: string;
  readonly start: number;
}

interface Migration {
  readonly name: string;
  readonly firstLine: string;
  readonly isContract: boolean;
  readonly isTransactional: boolean;
  readonly statements: readonly Statement[];
  /** Tables that the file itself creates. They are empty and not in use, so anything may be done to them. */
  readonly newTables: ReadonlySet<string>;
  /** What the file creates, such as 'view staff_rates'. */
  readonly created: ReadonlySet<string>;
  readonly releases: readonly string[];
}

interface MigrationRule {
  readonly name: string;
  readonly checkFile?: (migration: Migration) => string | undefined;
  readonly checkStatement?: (statement: string, migration: Migration) => string | undefined;
}

/** Migrations before this number ran when every server stopped for an upgrade. */
const FIRST_CHECKED_NUMBER = 85;
const MIGRATION_PATH = /^apps\/server\/migrations\/(\d{4})?([^/]*\.sql)$/;
const NO_TRANSACTION = '-- transaction: none';

const isAboutNewTable = (statement: string, { newTables }: Migration) => {
  const [, table] =
    /^(?:alter\s+table|truncate(?:\s+table)?|delete\s+from|update)\s+(?:if\s+exists\s+)?(?:only\s+)?(\w+)/i.exec(statement) ?? [];
  return table !== undefined && newTables.has(table);
};

/** Splits an ALTER TABLE statement into its actions. */
const listActions = (statement: string) => statement.split(/,(?=\s*(?:add|alter|drop|validate)\b)/i);

const CONCURRENT_INDEX =
  /^(?:create\s+(?:unique\s+)?index\s+concurrently\s+if\s+not\s+exists|drop\s+index\s+concurrently\s+if\s+exists)\s/i;
const INDEX_ON_TABLE = /^create\s+(?:unique\s+)?index\s+(?!concurrently\b)[\s\S]*?\bon\s+(?:only\s+)?(\w+)/i;
const INDEXED_CONSTRAINT = /\b(?:unique|primary\s+key|exclude)\b(?!\s+using\s+index)/i;

function checkIndexes(statement: string, migration: Migration): string | undefined {
  const table = INDEX_ON_TABLE.exec(statement)?.[1];
  const isBuiltInAlter = /^alter\s+table\b[\s\S]*\badd\b/i.test(statement) && INDEXED_CONSTRAINT.test(statement);
  const isOnExistingTable =
    table === undefined ? isBuiltInAlter && !isAboutNewTable(statement, migration) : !migration.newTables.has(table);
  if (!isOnExistingTable) return undefined;
  return `No one can write to the table while this index is built: build it in a file that begins with '${NO_TRANSACTION}', with 'create index concurrently if not exists', and add a constraint 'using index'`;
}

function checkTransaction({ isTransactional, statements }: Migration): string | undefined {
  const isConcurrent = statements.some(({ text }) => /\bindex\s+concurrently\b/i.test(text));
  if (isTransactional)
    return isConcurrent ? `A concurrent index build can't run in a transaction: begin the file with '${NO_TRANSACTION}'` : undefined;
  if (statements.every(({ text }) => CONCURRENT_INDEX.test(text))) return undefined;
  return `A file without a transaction may contain only 'create index concurrently if not exists' and 'drop index concurrently if exists', which can be repeated after a crash`;
}

const DESTRUCTIVE: readonly [pattern: RegExp, what: string][] = [
  [/^drop\s+table\b/i, 'drops a table'],
  [
    /^alter\s+table\b[\s\S]*\bdrop\s+(?:column\b|(?!constraint\b|default\b|not\s+null\b|expression\b|identity\b|column\b)\w)/i,
    'drops a column',
  ],
  [/^alter\s+(?:table|view|materialized|type|function|procedure|sequence|schema)\b[\s\S]*\brename\b/i, 'renames something'],
  [/\bset\s+not\s+null\b/i, 'rejects rows that the previous release may write'],
  [/^(?:truncate|delete\s+from)\b/i, 'deletes rows'],
];
const DROPPED_OBJECT =
  /^drop\s+(function|procedure|view|materialized\s+view|trigger|type|domain|schema|sequence)\s+(?:if\s+exists\s+)?(\w+)/i;

function checkExpansion(statement: string, migration: Migration): string | undefined {
  if (migration.isContract || isAboutNewTable(statement, migration)) return undefined;
  const [, kind = '', name = ''] = DROPPED_OBJECT.exec(statement) ?? [];
  const isDropped = kind !== '' && !migration.created.has(`${kind} ${name}`.toLowerCase());
  const what = isDropped ? `drops a ${kind.toLowerCase()}` : DESTRUCTIVE.find(([pattern]) => pattern.test(statement))?.[1];
  if (what === undefined) return undefined;
  return `This ${what}, and the previous release still runs on the new schema: stop using the thing in one release, and do this in a later one, in a file that ends with '.contract.sql'`;
}

const VOLATILE_DEFAULT = /\bdefault\b[\s\S]*\b(?:gen_random_uuid|uuidv\d|random|clock_timestamp|timeofday|nextval)\s*\(/i;
const REWRITTEN_COLUMN = /\bgenerated\s+always\s+as\b[\s\S]*\bstored\b|\bas\s+identity\b|\b(?:big|small)?serial\b/i;
const isColumnAdded = (action: string) =>
  /\badd\s+(?:column\b|(?!constraint\b|check\b|foreign\b|unique\b|primary\b|exclude\b)\w)/i.test(action);

const SLOW_ACTIONS: readonly [isSlow: (action: string) => boolean, message: string][] = [
  [
    (action) => /\balter\s+(?:column\s+)?\w+\s+(?:set\s+data\s+)?type\b/i.test(action),
    'A change of type rewrites the table under a lock, and the previous release expects the old type: add a column instead',
  ],
  [
    (action) => isColumnAdded(action) && /(?<!\bis\s+)\bnot\s+null\b/i.test(action) && !/\bdefault\b/i.test(action),
    'The previous release does not fill this column: give it a default, or add a check that is not valid and validate it later',
  ],
  [
    (action) => isColumnAdded(action) && (VOLATILE_DEFAULT.test(action) || REWRITTEN_COLUMN.test(action)),
    'This column rewrites the table under a lock: add it without a value, fill it with a trigger, and fill existing rows in batches',
  ],
  [
    (action) => /\badd\s+(?:constraint\s+\w+\s+)?(?:check|foreign\s+key)\b/i.test(action) && !/\bnot\s+valid\b/i.test(action),
    "Checking all rows would lock the table: add the constraint as 'not valid', and validate it in the next file",
  ],
  [
    (action) => /^(?:cluster|vacuum\s+full)\b|\bset\s+(?:tablespace|(?:un)?logged)\b/i.test(action),
    'This rewrites the table under a lock, during which no one can use it',
  ],
  [
    (action) => /^update\b/i.test(action),
    'This locks every row it changes until all of them are changed: fill existing rows in batches, in a task of the queue',
  ],
  [(action) => /^do\b/i.test(action), 'These rules cannot look into a block of code: write its statements one by one'],
];

function checkLocks(statement: string, migration: Migration): string | undefined {
  if (isAboutNewTable(statement, migration)) return undefined;
  if (/^(?:create|drop)\s/i.test(statement)) return undefined;
  const [, validated] = /\bvalidate\s+constraint\s+(\w+)/i.exec(statement) ?? [];
  const isJustAdded = migration.statements.some(({ text }) => new RegExp(String.raw`\badd\s+constraint\s+${validated}\b`, 'i').test(text));
  if (validated !== undefined && isJustAdded)
    return 'Validating in the transaction that added the constraint keeps its lock while all rows are read: do it in the next file';
  return SLOW_ACTIONS.find(([isSlow]) => listActions(statement).some(isSlow))?.[1];
}

const LOCKED_TABLE =
  /^(?:(?:alter|drop)\s+table\s+(?:if\s+exists\s+)?(?:only\s+)?|(?:create|drop)\s+(?:or\s+replace\s+)?(?:constraint\s+)?(?:trigger|policy)\b[\s\S]*?\bon\s+)(\w+)/i;

function checkSingleTable({ statements, newTables }: Migration): string | undefined {
  const tables = statements.flatMap(({ text }) => LOCKED_TABLE.exec(text)?.[1] ?? []).filter((table) => !newTables.has(table));
  const [first, second] = new Set(tables);
  if (second === undefined) return undefined;
  return `While this waits for ${second}, no one can use ${first}: change one table per file`;
}

const UNUSED_SINCE = /^-- unused since (\S+)$/;

function checkContract({ isContract, firstLine, releases }: Migration): string | undefined {
  if (!isContract) return undefined;
  const [, release] = UNUSED_SINCE.exec(firstLine) ?? [];
  if (release === undefined)
    return `Begin the file with '-- unused since <release>': the first release that no longer uses what is removed`;
  if (releases.includes(release)) return undefined;
  return `${release} is not in releases.json. Until it is released, the previous release still uses what is removed`;
}

export const MIGRATION_RULES: readonly MigrationRule[] = [
  {
    name: 'migration-names',
    checkFile: ({ name }) =>
      /^\d{4}_[a-z0-9_]+(\.contract)?\.sql$/.test(name)
        ? undefined
        : `Name a migration like 0085_what_changes.sql, or 0085_what_is_removed.contract.sql`,
  },
  { name: 'migration-transaction', checkFile: checkTransaction },
  { name: 'migration-contract', checkFile: checkContract },
  { name: 'migration-expand', checkStatement: checkExpansion },
  { name: 'migration-indexes', checkStatement: checkIndexes },
  { name: 'migration-locks', checkFile: checkSingleTable, checkStatement: checkLocks },
];

/** Checks that new migrations can run while the previous release serves people. */
export function findMigrationViolations(files: readonly SourceFile[], releases: readonly string[]) {
  return files.filter(isChecked).flatMap(({ path, text }) => {
    const migration = parseMigration(path, text, releases);
    const lineAt = (index: number) => text.slice(0, index).split('\n').length;
    return MIGRATION_RULES.flatMap(({ name, checkFile, checkStatement }) =>
      [
        { start: 0, message: checkFile?.(migration) },
        ...migration.statements.map((statement) => ({ start: statement.start, message: checkStatement?.(statement.text, migration) })),
      ].flatMap(({ start, message }) => (message === undefined ? [] : [{ rule: name, path, line: lineAt(start), message }])),
    );
  });
}

function isChecked({ path }: SourceFile): boolean {
  const [isMigration, number] = MIGRATION_PATH.exec(path) ?? [];
  return isMigration !== undefined && (number === undefined || Number(number) >= FIRST_CHECKED_NUMBER);
}

function parseMigration(path: string, text: string, releases: readonly string[]): Migration {
  const name = path.split('/').at(-1) ?? '';
  const statements = listStatements(text);
  const created = statements.flatMap(({ text: statement }) => {
    const [, kind, object] =
      /^create\s+(?:or\s+replace\s+)?(?:constraint\s+)?(\w+(?:\s+view)?)\s+(?:if\s+not\s+exists\s+)?(\w+)/i.exec(statement) ?? [];
    return kind === undefined ? [] : [`${kind} ${object}`.toLowerCase()];
  });
  return {
    name,
    firstLine: text.split('\n', 1)[0] ?? '',
    isContract: name.endsWith('.contract.sql'),
    isTransactional: !text.startsWith(`${NO_TRANSACTION}\n`),
    statements,
    newTables: new Set(created.flatMap((object) => /^table (\w+)$/.exec(object)?.[1] ?? [])),
    created: new Set(created),
    releases,
  };
}

/** Comments, function bodies and strings, which may contain anything. */
const OPAQUE_TEXT = /--.*|\$(\w*)\$[\s\S]*?\$\1\$|'(?:[^']|'')*'/g;

function listStatements(text: string): Statement[] {
  const blanked = text.replaceAll(OPAQUE_TEXT, (opaque) => opaque.replaceAll(/[^\n]/g, ' '));
  return [...blanked.matchAll(/[^;]+/g)].flatMap(({ 0: part, index }) => {
    const statement = part.trim();
    return statement === '' ? [] : [{ text: statement, start: index + part.indexOf(statement) }];
  });
}
