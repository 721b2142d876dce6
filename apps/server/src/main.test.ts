import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';

/** Runs the server as `npm start` does, with only this environment. */
async function start(environment: Record<string, string>) {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'main.ts')], {
    env: { PATH: '', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = new Promise<number | null>((resolve) => void child.once('exit', resolve));
  const [out, errors, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  return { out, lines: errors.split('\n').filter(Boolean), code };
}

describe('a start that fails', () => {
  it('prints one line for each invalid setting and exits with 1', { timeout: 60_000 }, async () => {
    const { out, lines, code } = await start({ PORT: 'abc', APP_URL: 'nowhere', SMTP_URL: 'smtp://localhost' });
    expect(lines).toEqual([
      'PORT must be a port number from 0 to 65535',
      'APP_URL must be an address like https://work.example.com',
      'MAIL_FROM is missing: with SMTP_URL every mail needs a sender',
    ]);
    expect([out, code]).toEqual(['', 1]);
  });

  it('prints one line, without the password, when the database cannot be reached', { timeout: 60_000 }, async () => {
    const { lines, code } = await start({ DATABASE_URL: 'postgres://ana:hunter2@127.0.0.1:1/callout', SESSION_SECRET: 's'.repeat(32) });
    expect(lines).toEqual(['DATABASE_URL cannot be reached: connect ECONNREFUSED 127.0.0.1:1']);
    expect(code).toBe(1);
  });

  it('prints one line when DATA_DIR is not a folder', { timeout: 60_000 }, async () => {
    const file = join(import.meta.dirname, 'main.ts');
    const { lines, code } = await start({ DATA_DIR: file, SESSION_SECRET: 's'.repeat(32) });
    expect(lines).toEqual([`The data folder ${file} can't be written to (EEXIST). The data folder is set by DATA_DIR.`]);
    expect(code).toBe(1);
  });
});
