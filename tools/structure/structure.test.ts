import { describe, expect, it } from 'vitest';
import { EXCEPTIONS, findViolations, RULES } from './structure.ts';

function findBrokenRules(path: string, text: string): string[] {
  return [...new Set(findViolations([{ path, text }], []).map(({ rule }) => rule))];
}

const buildImport = (specifier: string) => `import { thing } from '${specifier}';\n`;

const VIOLATIONS: readonly [rule: string, path: string, text: string][] = [
  ['import-boundaries', 'packages/domain/src/money/money.ts', buildImport('zod')],
  ['import-boundaries', 'packages/domain/src/money/money.ts', buildImport('node:fs')],
  ['import-boundaries', 'packages/domain/src/money/money.ts', buildImport('@callout/contract/fields')],
  ['import-boundaries', 'packages/domain/src/money/money.ts', `import type { Config } from '@callout/server/config';`],
  ['import-boundaries', 'packages/domain/src/money/money.ts', `export { thing } from 'lodash';`],
  ['import-boundaries', 'packages/domain/src/money/money.ts', `const thing = await import('lodash');`],
  ['import-boundaries', 'packages/contract/src/jobs.ts', buildImport('@orpc/server')],
  ['import-boundaries', 'packages/contract/src/jobs.ts', buildImport('@callout/web/lib/query-client')],
  ['import-boundaries', 'packages/contract/src/jobs.test.ts', buildImport('@callout/server/app')],
  ['import-boundaries', 'packages/contract/src/jobs.test.ts', buildImport('@callout/embedded-postgres/errors')],
  ['import-boundaries', 'packages/domain/src/money/money.ts', buildImport('@callout/embedded-postgres/errors')],
  ['import-boundaries', 'packages/embedded-postgres/src/cluster.ts', buildImport('@callout/domain/roles/roles')],
  ['import-boundaries', 'packages/embedded-postgres/src/cluster.ts', buildImport('zod')],
  ['import-boundaries', 'packages/embedded-postgres/src/cluster.ts', buildImport('./data-folder.fixture.ts')],
  ['import-boundaries', 'packages/embedded-postgres/src/cluster.test.ts', buildImport('@callout/server/config')],
  ['import-boundaries', 'apps/server/src/app.ts', buildImport('../../web/src/lib/formats.ts')],
  ['import-boundaries', 'apps/server/src/app.ts', buildImport('../test/database.ts')],
  ['import-boundaries', 'apps/server/src/app.ts', buildImport('./config.test.ts')],
  ['import-boundaries', 'apps/web/src/lib/formats.ts', buildImport('@callout/server/config')],
  ['import-boundaries', 'apps/web/src/lib/formats.ts', buildImport('@callout/embedded-postgres/errors')],
  ['import-boundaries', 'apps/web/src/lib/formats.ts', buildImport('../features/jobs/job-view.tsx')],
  ['import-boundaries', 'apps/server/src/platform/mail/outbox.ts', buildImport('../../features/quotes/send-quote.ts')],
  ['import-boundaries', 'apps/server/src/features/quotes/send-quote.ts', buildImport('../../app.ts')],
  ['import-boundaries', 'apps/web/src/ui/button.tsx', buildImport('../features/jobs/job-view.tsx')],
  ['import-boundaries', 'apps/web/src/ui/button.tsx', buildImport('@callout/domain/roles/roles')],
  ['import-boundaries', 'apps/web/src/ui/button.tsx', buildImport('../lib/api-client.ts')],
  ['import-boundaries', 'apps/web/src/features/jobs/job-view.tsx', buildImport('../../app/router.tsx')],
  ['import-boundaries', 'apps/web/src/features/jobs/job-view.tsx', buildImport('../../lib/api-client.ts')],
  ['import-boundaries', 'apps/web/src/app/routes/quote.$id.tsx', buildImport('../../features/quotes/public/quote-page.tsx')],
  ['import-boundaries', 'apps/web/src/features/quotes/quote-page.tsx', buildImport('../../public-pages/document-page.tsx')],
  ['import-boundaries', 'apps/web/src/public-pages/document-page.tsx', buildImport('../features/quotes/quote-status.ts')],
  ['import-boundaries', 'apps/web/src/lib/formats.ts', buildImport('../public-pages/document-page.tsx')],
  ['import-boundaries', 'e2e/jobs.spec.ts', buildImport('../apps/server/src/config.ts')],
  ['packages-by-name', 'apps/server/src/app.ts', buildImport('../../../packages/domain/src/roles/roles.ts')],
  ['feature-order', 'apps/server/src/features/jobs/finish-job.ts', buildImport('../quotes/quotes.sql.ts')],
  ['feature-order', 'apps/web/src/features/customers/customer-view.tsx', buildImport('../jobs/jobs.api.ts')],
  ['feature-order', 'apps/server/src/features/quotes/accept-quote.ts', buildImport('../jobs/jobs.handlers.ts')],
  ['platform-order', 'apps/server/src/platform/db/pools.ts', buildImport('../http/calls.ts')],
  ['platform-order', 'apps/server/src/platform/mail/outbox.sql.ts', `import type { LiveUpdates } from '../live/live.ts';`],
  ['platform-order', 'apps/server/src/platform/payments/charge.ts', ''],
  ['tenant-access', 'apps/server/src/features/jobs/finish-job.ts', buildImport('../../platform/db/mint-tenant.ts')],
  ['tenant-access', 'apps/server/src/platform/http/calls.ts', buildImport('../db/mint-tenant.ts')],
  ['file-names', 'apps/web/src/lib/utils.ts', ''],
  ['file-names', 'packages/domain/src/money/index.ts', ''],
  ['file-names', 'packages/domain/src/money/types.ts', ''],
  ['file-names', 'apps/web/src/ui/TextField.tsx', ''],
  ['feature-files', 'apps/server/src/features/quotes/quotes.service.ts', ''],
  ['feature-files', 'apps/server/src/features/quotes/quotes.ts', ''],
  ['feature-files', 'apps/server/src/features/quotes/sending/send-quote.ts', ''],
  ['feature-files', 'apps/server/src/features/quotes/findPaths.handlers.ts', ''],
  ['feature-files', 'apps/server/src/features/findPaths/findPaths.handlers.ts', ''],
  ['feature-files', 'apps/web/src/features/quotes/findPaths.api.ts', ''],
  ['feature-files', 'apps/web/src/features/quotes/quotes.hooks.ts', ''],
  ['sql-in-sql-files', 'apps/server/src/features/jobs/finish-job.ts', 'await tx.query(`select id from jobs where id = $1`);'],
  ['sql-in-sql-files', 'apps/server/src/features/jobs/finish-job.ts', `await tx.query("update jobs set status = 'done'");`],
  ['sql-in-sql-files', 'apps/server/src/features/jobs/finish-job.ts', `await tx.query('select id as "jobId" from jobs where id = $1');`],
  ['sql-in-sql-files', 'apps/server/src/features/jobs/finish-job.ts', 'const order = sql`name desc`;'],
  ['sql-in-sql-files', 'apps/server/src/features/jobs/finish-job.ts', `import { eq } from 'drizzle-orm';`],
  ['sql-in-sql-files', 'apps/server/src/log.ts', `import { DrizzleQueryError, sql } from 'drizzle-orm';`],
  ['sql-in-sql-files', 'apps/server/src/features/jobs/finish-job.ts', `import { drizzle } from 'drizzle-orm/node-postgres';`],
  ['conflict-target', 'apps/server/src/features/jobs/jobs.sql.ts', 'insert(jobs).values(job).onConflictDoNothing().returning();'],
  ['conflict-target', 'apps/server/src/features/jobs/jobs.sql.ts', 'insert(jobs).onConflictDoNothing({ where: isOpen })'],
  ['conflict-target', 'apps/server/src/features/jobs/jobs.sql.ts', 'sql`insert into jobs values (1) on conflict do nothing`'],
  ['conflict-target', 'apps/server/src/features/jobs/jobs.sql.ts', 'sql`insert into jobs values (1) ON CONFLICT\n DO NOTHING`'],
  ['environment-in-config', 'apps/server/src/platform/mail/smtp.ts', 'const host = process.env.SMTP_HOST;'],
  ['environment-in-config', 'apps/server/src/platform/mail/smtp.ts', 'const { SMTP_HOST } = process.env;'],
  ['environment-in-config', 'apps/web/src/lib/formats.ts', `const mode = process.env['NODE_ENV'];`],
  ['domain-is-pure', 'packages/domain/src/time/day.ts', 'const now = Date.now();'],
  ['domain-is-pure', 'packages/domain/src/time/day.ts', 'const today = new Date();'],
  ['domain-is-pure', 'packages/domain/src/time/day.ts', 'const today = new Date;'],
  ['domain-is-pure', 'packages/domain/src/time/day.ts', 'const chance = Math.random();'],
  ['domain-is-pure', 'packages/domain/src/time/day.ts', 'const id = crypto.randomUUID();'],
  ['named-time-zone', 'apps/web/src/features/jobs/job-view.tsx', `const text = new Date(at).toLocaleDateString('en-US');`],
  ['named-time-zone', 'apps/web/src/features/jobs/job-view.tsx', 'const day = created?.getDate();'],
  ['named-time-zone', 'apps/server/src/features/jobs/finish-job.ts', 'const year = new Date(scope.now).getFullYear();'],
  ['named-time-zone', 'apps/server/src/features/jobs/finish-job.ts', 'const midnight = new Date(2026, 0, 5);'],
  ['named-time-zone', 'packages/domain/src/time/day.ts', `const format = new Intl.DateTimeFormat('en-US', { weekday: 'long' });`],
  ['named-time-zone', 'packages/domain/src/time/day.ts', 'const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;'],
  ['no-business-words-in-ui', 'apps/web/src/ui/card.tsx', 'export const CustomerCard = 1;'],
  ['no-business-words-in-ui', 'apps/web/src/ui/card.tsx', `const text = 'No jobs yet';`],
  ['no-business-words-in-ui', 'apps/web/src/ui/card.tsx', 'const text = <p>No jobs yet</p>;'],
  ['no-business-words-in-ui', 'apps/web/src/ui/card.tsx', 'const isPath = /^customers/.test(path);'],
  ['file-length', 'packages/domain/src/money/money.ts', 'export {};\n'.repeat(401)],
  ['file-length', 'packages/domain/src/money/money.test.ts', 'export {};\n'.repeat(801)],
  ['no-barrels', 'packages/domain/src/money/money.ts', `export * from './currency.ts';`],
  ['no-default-export', 'packages/domain/src/money/money.ts', 'export default function add() {}'],
  ['no-default-export', 'packages/domain/src/money/money.ts', 'export { add as default };'],
  ['no-enum', 'packages/domain/src/money/money.ts', 'enum Currency { NZD }'],
  ['no-any', 'packages/domain/src/money/money.ts', 'function add(amount: any) {}'],
  ['no-any', 'packages/domain/src/money/money.ts', 'const list = value as any[];'],
  ['no-any', 'packages/domain/src/money/money.ts', 'const map = new Map<string, any>();'],
  ['no-non-null', 'packages/domain/src/money/money.ts', 'const first = list[0]!.name;'],
  ['no-non-null', 'packages/domain/src/money/money.ts', 'add(first!);'],
  ['no-double-cast', 'packages/domain/src/money/money.ts', 'const row = value as unknown as Row;'],
  ['no-sleeps-in-tests', 'e2e/jobs.spec.ts', 'await page.waitForTimeout(500);'],
  ['capabilities-not-roles', 'apps/server/src/features/jobs/finish-job.ts', `const may = actor.role === 'admin';`],
  ['capabilities-not-roles', 'apps/web/src/features/jobs/job-view.tsx', `const may = 'staff' !== me.role;`],
  ['capabilities-not-roles', 'apps/web/src/features/jobs/job-view.tsx', `const may = me?.role === 'staff';`],
];

const ALLOWED: readonly [path: string, text: string][] = [
  ['packages/domain/src/money/money.test.ts', 'export {};\n'.repeat(800)],
  ['e2e/jobs.spec.ts', 'export {};\n'.repeat(800)],
  ['packages/domain/src/money/money.ts', `import Big from 'big.js';\nimport { CURRENCIES } from './currency.ts';\n`],
  ['packages/domain/src/money/money.test.ts', `import fc from 'fast-check';\nimport { it } from 'vitest';\n`],
  ['packages/domain/src/time/day.ts', 'export const dayOf = (instant: string) => new Date(instant).getUTCDay();'],
  ['packages/domain/src/time/day.ts', `const format = new Intl.DateTimeFormat('en-US', { timeZone: zone, weekday: 'long' });`],
  ['apps/web/src/lib/time-zone.ts', 'const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;'],
  ['apps/web/test/dashboard.test.tsx', 'const day = new Date(2026, 0, 5).getDate();'],
  ['packages/domain/src/money/money.ts', 'const thing = await import(path);'],
  ['apps/server/src/features/jobs/finish-job.ts', `const isText = typeof role === 'string';`],
  ['packages/contract/src/jobs.ts', `import { z } from 'zod';\nimport { ROLES } from '@callout/domain/roles/roles';\n`],
  [
    'packages/embedded-postgres/src/cluster.ts',
    `import { join } from 'node:path';\nimport pg from 'pg';\nimport { thing } from './errors.ts';\n`,
  ],
  ['packages/embedded-postgres/src/data-folder.fixture.ts', `import { vi } from 'vitest';\n`],
  ['apps/server/src/main.ts', buildImport('@callout/embedded-postgres/embedded-postgres')],
  ['apps/server/src/features/quotes/accept-quote.ts', buildImport('../jobs/jobs.sql.ts')],
  ['apps/server/src/features/quotes/quote-sent.mail.tsx', ''],
  ['apps/server/src/platform/http/calls.ts', buildImport('../auth/session.sql.ts')],
  ['apps/server/src/platform/auth/session.sql.ts', buildImport('../db/mint-tenant.ts')],
  ['apps/server/src/features/jobs/jobs.sql.ts', 'insert(jobs).onConflictDoNothing({\n  target: [jobs.company_id, jobs.id],\n});'],
  ['apps/server/src/features/jobs/jobs.sql.ts', 'sql`insert into jobs values (1) on conflict (company_id, id) do nothing`'],
  ['apps/server/src/features/jobs/jobs.sql.ts', 'export const list = sql`select id from jobs`;'],
  ['apps/server/src/platform/auth/accounts.ts', `import type pg from 'pg';\nimport { drizzle } from 'drizzle-orm/node-postgres';\n`],
  ['apps/server/src/log.ts', `import { DrizzleQueryError } from 'drizzle-orm';`],
  ['apps/server/src/config.ts', 'const port = process.env.PORT;'],
  ['apps/server/src/features/jobs/jobs.test.ts', `const may = person.role === 'admin';`],
  ['apps/server/src/main.ts', 'const config = readConfig(process.env);'],
  ['apps/server/src/features/jobs/finish-job.ts', '// never select id from jobs here; process.env is not read, any old text!\n'],
  ['apps/web/src/app/routes/index.tsx', buildImport('../../features/dashboard/dashboard-view.tsx')],
  ['apps/web/src/features/jobs/jobs-count.api.ts', ''],
  ['apps/web/src/features/jobs/jobs.api.ts', buildImport('../../lib/api-client.ts')],
  ['apps/web/src/ui/button.tsx', `const x = <p>Don't worry, it's any day now!</p>;\nconst ok = !done && a !== b;\n`],
  ['apps/web/vite.config.ts', 'export default {};'],
  [
    'tools/structure/structure.test.ts',
    'const text = `import { x } from "lodash"; enum A { B } ${nested({ a: `as any` })} export * from`;',
  ],
  ['packages/domain/src/money/money.ts', String.raw`const pattern = /['"]: any|as unknown as/; const rest = 4 / 2; const quote = "it's";`],
];

describe('the structure check', () => {
  it.each(VIOLATIONS)('reports %s in %s: %s', (rule, path, text) => {
    expect(findBrokenRules(path, text)).toContain(rule);
  });

  it.each(ALLOWED)('allows %s: %s', (path, text) => {
    expect(findBrokenRules(path, text)).toEqual([]);
  });

  it('has a test for a violation of every rule', () => {
    expect(new Set(VIOLATIONS.map(([rule]) => rule))).toEqual(new Set(RULES.map(({ name }) => name)));
  });

  it('reports a file that cannot be parsed instead of skipping it', () => {
    expect(findViolations([{ path: 'tools/some-tool.ts', text: 'const a = 1;\nconst = ;\n' }], [])).toMatchObject([
      { rule: 'syntax', line: 2 },
    ]);
  });

  it('reports the line of a violation', () => {
    const text = `/* a comment\n   over lines */\nconst a = 'x';\nenum B { C }\n`;
    expect(findViolations([{ path: 'tools/some-tool.ts', text }], [])).toMatchObject([{ rule: 'no-enum', line: 4 }]);
  });

  it('allows an exception for one file and reports it when it is no longer needed', () => {
    const exception = { rule: 'no-enum', path: 'tools/old-tool.ts', reason: 'a test' };
    expect(findViolations([{ path: 'tools/old-tool.ts', text: 'enum A { B }' }], [exception])).toEqual([]);
    expect(findViolations([{ path: 'tools/old-tool.ts', text: '' }], [exception])).toMatchObject([{ rule: 'unused-exception' }]);
  });

  it('has no exceptions', () => {
    expect(EXCEPTIONS).toEqual([]);
  });
});
