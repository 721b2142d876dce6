import { describe, expect, it } from 'vitest';
import { findMigrationViolations, MIGRATION_RULES } from './rules/migrations.ts';

const RELEASES = ['0.2.0', '0.1.0'];

const findViolatedRules = (name: string, text: string) =>
  findMigrationViolations([{ path: `apps/server/migrations/${name}`, text }], RELEASES).map(({ rule }) => rule);

const NEW = '0085_what_changes.sql';
const CONTRACT = '0086_what_is_removed.contract.sql';
const NO_TRANSACTION = '-- transaction: none\n';

const VIOLATIONS: readonly [rule: string, name: string, text: string][] = [
  ['migration-names', '85_jobs.sql', ''],
  ['migration-names', '0085-jobs.sql', ''],
  ['migration-names', '0085_jobs.destructive.sql', ''],
  ['migration-transaction', NEW, 'create index concurrently if not exists a on jobs (id);'],
  ['migration-transaction', NEW, `${NO_TRANSACTION}create index concurrently a on jobs (id);`],
  ['migration-transaction', NEW, `${NO_TRANSACTION}create index concurrently if not exists a on jobs (id);\nupdate jobs set a = 1;`],
  ['migration-contract', CONTRACT, 'drop table jobs;'],
  ['migration-contract', CONTRACT, '-- unused since 0.3.0\ndrop table jobs;'],
  ['migration-contract', CONTRACT, 'drop table jobs;\n-- unused since 0.1.0'],
  ['migration-expand', NEW, 'drop table jobs;'],
  ['migration-expand', NEW, 'alter table jobs drop column a;'],
  ['migration-expand', NEW, 'alter table jobs add column b text, drop a;'],
  ['migration-expand', NEW, 'ALTER TABLE jobs\n  RENAME COLUMN a TO b;'],
  ['migration-expand', NEW, 'alter table jobs rename to works;'],
  ['migration-expand', NEW, 'alter table jobs alter column a set not null;'],
  ['migration-expand', NEW, 'drop view staff_rates;'],
  ['migration-expand', NEW, 'drop function if exists mark_deleted;\ncreate function mark() returns int language sql as $$ select 1 $$;'],
  ['migration-expand', NEW, 'delete from jobs where a is null;'],
  ['migration-indexes', NEW, 'create index a on jobs (id);'],
  ['migration-indexes', NEW, 'create table works (id int);\ncreate unique index if not exists a on jobs using btree (id);'],
  ['migration-indexes', NEW, 'alter table jobs add constraint a unique (id);'],
  ['migration-indexes', NEW, 'alter table jobs add column a text unique;'],
  ['migration-locks', NEW, 'alter table jobs alter column a type bigint;'],
  ['migration-locks', CONTRACT, '-- unused since 0.1.0\nalter table jobs alter a set data type bigint;'],
  ['migration-locks', NEW, 'alter table jobs add column a text, add column b text not null;'],
  ['migration-locks', NEW, 'alter table jobs add column a uuid default gen_random_uuid();'],
  ['migration-locks', NEW, 'alter table jobs add column a text generated always as (lower(b)) stored;'],
  ['migration-locks', NEW, 'alter table jobs add constraint a check (b > 0);'],
  ['migration-locks', NEW, 'alter table jobs add foreign key (b) references works (id);'],
  ['migration-locks', NEW, 'alter table jobs add constraint a check (b > 0) not valid;\nalter table jobs validate constraint a;'],
  ['migration-locks', NEW, 'update jobs set a = 1;'],
  ['migration-locks', NEW, 'do $$ begin update jobs set a = 1; end $$;'],
  ['migration-locks', NEW, 'alter table jobs add column a text;\nalter table quotes add column a text;'],
  [
    'migration-locks',
    NEW,
    'alter table jobs add column a text;\ncreate trigger a after insert or update on quotes for each row execute function b();',
  ],
];

const ALLOWED: readonly [name: string, text: string][] = [
  ['0084_before.sql', 'drop table jobs; create index a on works (id);'],
  [NEW, `create table works (id uuid not null, a text);\ncreate index a on works (id);\nalter table works alter column a type int;`],
  [NEW, `alter table jobs add column a boolean not null default false, add column b timestamptz default now();`],
  [NEW, 'create table works (a int);\nupdate works set a = 1;'],
  [NEW, `alter table jobs drop constraint a, add constraint a check (b > 0) not valid;`],
  [NEW, 'alter table jobs validate constraint a;'],
  [NEW, 'alter table jobs alter column a drop not null;\nalter table jobs alter a drop default;'],
  [NEW, 'alter table jobs add constraint a unique using index b;'],
  [NEW, `drop function mark;\ncreate function mark() returns int language sql as $$ select 1 $$;`],
  [NEW, `drop trigger a on jobs;\ncreate constraint trigger a after insert on jobs for each row execute function b();`],
  [
    NEW,
    `-- It doesn't drop table jobs;\ncreate function a() returns void as $body$ delete from jobs; $body$ language sql;\nselect 'drop table x; ';`,
  ],
  [NEW, `${NO_TRANSACTION}-- Why.\ncreate unique index concurrently if not exists a on jobs (id);\ndrop index concurrently if exists b;`],
  [CONTRACT, '-- unused since 0.1.0\nalter table works drop column a, alter column b set not null;'],
  [CONTRACT, '-- unused since 0.2.0\ndrop table jobs;'],
  [
    NEW,
    'create table works (id int);\nalter table works add column a text;\nalter table jobs add column a text;\ndrop trigger b on jobs;\ncreate trigger b before insert on jobs for each row execute function c();',
  ],
];

describe('the check of migrations', () => {
  it.each(VIOLATIONS)('reports %s in %s: %s', (rule, name, text) => {
    expect(findViolatedRules(name, text)).toContain(rule);
  });

  it.each(ALLOWED)('allows %s: %s', (name, text) => {
    expect(findViolatedRules(name, text)).toEqual([]);
  });

  it('has a test for a violation of every rule', () => {
    expect(new Set(VIOLATIONS.map(([rule]) => rule))).toEqual(new Set(MIGRATION_RULES.map(({ name }) => name)));
  });

  it('reports the line of a statement', () => {
    const text = `-- Why.\nalter table jobs add column a text;\n\ndrop table jobs;\n`;
    expect(findMigrationViolations([{ path: `apps/server/migrations/${NEW}`, text }], RELEASES)).toMatchObject([{ line: 4 }]);
  });
});
