import type { Rule } from '../rule.ts';

interface Forbidden {
  readonly name: string;
  readonly pattern: RegExp;
  /** Look into strings too. */
  readonly inStrings?: true;
  readonly where?: RegExp;
  readonly except?: RegExp;
  readonly says: string;
}

/** Tools read their configuration and their setup from the default export. */
const FOR_TOOLS = /(^|\/)((vite|vitest|playwright)\.config|e2e\/support\/product)\.ts$/;

const FORBIDDEN: readonly Forbidden[] = [
  { name: 'no-barrels', pattern: /\bexport\s*\*/g, says: '`export *` makes a barrel: import from the file that has the thing' },
  {
    name: 'no-default-export',
    pattern: /\bexport\s+(?:default\b|\{[^}]*\bas\s+default\b)/g,
    except: FOR_TOOLS,
    says: 'no default exports: a thing has one name everywhere',
  },
  {
    name: 'no-enum',
    pattern: /(?<![.\w$])(?:const\s+)?enum\s+[A-Za-z_$][\w$]*\s*\{/g,
    says: 'no enums: they are not erasable; use a list `as const`',
  },
  { name: 'no-any', pattern: /(?:[:<,|&(=]|=>|\bas)\s*any\b(?!\s*[(:.=])/g, says: 'no `any`: use `unknown` and look, or name the type' },
  {
    name: 'no-non-null',
    pattern: /(?<=[\w$)\]])!(?=[.[(,;)\]}])/g,
    says: 'no `!`: handle the missing value or make the type say it is there',
  },
  {
    name: 'no-double-cast',
    pattern: /\bas\s+unknown\s+as\b/g,
    says: 'no `as unknown as`: it switches the compiler off; parse or narrow instead',
  },
  {
    name: 'no-sleeps-in-tests',
    pattern: /\bwaitForTimeout\s*\(/g,
    says: 'a wait by the clock hides a race: wait for what a person would see',
  },
  {
    name: 'conflicts-name-their-target',
    pattern: /\.onConflictDoNothing\s*\((?!\s*\{\s*target\b)|\bon\s+conflict\s+do\s+nothing\b/gi,
    inStrings: true,
    where: /^apps\/server\//,
    says: 'name the target, as in onConflictDoNothing({ target: [table.company_id, table.id] }): else any other unique value that collides passes for a taken id',
  },
  {
    name: 'capabilities-not-roles',
    pattern: /\brole\s*[!=]==?\s*['"`]|['"`]\s*[!=]==?\s*\w+\.role\b/g,
    inStrings: true,
    where: /^apps\/[^/]+\/src\//,
    except: /\.test\.tsx?$/,
    says: 'ask `can(role, capability)`, never for a role by name: the table in domain/roles decides',
  },
];

const ruleFrom = ({ name, pattern, inStrings, where, except, says }: Forbidden): Rule => ({
  name,
  look: ({ path, code, uncommented }) => {
    if ((where && !where.test(path)) || except?.test(path)) return [];
    return [...(inStrings ? uncommented : code).matchAll(pattern)].map(({ index }) => ({ index, says }));
  },
});

export const language: readonly Rule[] = FORBIDDEN.map(ruleFrom);
