import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { beforeAll, describe, expect, it } from 'vitest';
import { createRestoreTarget, type RestoreTarget, toDatabaseUrl } from '../test/backup.ts';
import { COMPILE_CACHE_ENV } from '../test/crash/server-process.ts';
import { DATABASE_SECRET, withOwnerClient } from '../test/database.ts';
import { readMigrations } from './platform/db/migrate.ts';

let target: RestoreTarget;

beforeAll(async () => {
  target = await createRestoreTarget();
});

/** Runs the script on the target's database until it exits. */
async function runScript(name: 'main.ts' | 'migrate-command.ts') {
  const child = spawn(process.execPath, [join(import.meta.dirname, name)], {
    env: {
      PATH: '',
      ...COMPILE_CACHE_ENV,
      DATA_DIR: target.dataDir,
      DATABASE_URL: toDatabaseUrl(target.database),
      SESSION_SECRET: DATABASE_SECRET,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = once(child, 'exit');
  const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr)]);
  const [code] = (await ended) as [number | null];
  return { code, errors, lines: output.split('\n').filter(Boolean) };
}

describe('npm run migrate', () => {
  it('must run before npm start, which only says so', async () => {
    const count = (await readMigrations()).length;
    expect(await runScript('main.ts')).toEqual({
      code: 1,
      errors: `The database is older than this version of Callout: ${count} migrations have not run. Run "npm run migrate" with the same settings, then start again.\n`,
      lines: [],
    });
    const tables = await withOwnerClient(target.database, (client) =>
      client.query(`select from pg_class where relnamespace = 'public'::regnamespace`),
    );
    expect(tables.rowCount).toBe(0);
  });

  it('prints each migration with its time, and runs each once even if two machines run it at once', async () => {
    const results = await Promise.all([runScript('migrate-command.ts'), runScript('migrate-command.ts')]);
    expect(results.map(({ code, errors }) => [code, errors])).toEqual([
      [0, ''],
      [0, ''],
    ]);
    const lines = results.flatMap((result) => result.lines);
    const names = (await readMigrations()).map(({ name }) => name);
    const printed = lines.flatMap((line) => /^(\d{4}_\S+)  \d+\.\d\d s$/.exec(line)?.[1] ?? []);
    expect(printed).toEqual(names);
    expect(lines).toEqual(
      expect.arrayContaining(['The database was up to date.', `The database is up to date: ${names.length} migrations ran.`]),
    );
  });
});
